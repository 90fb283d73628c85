declare module '../audit/audit.ts' {
  interface AuditActions {
    sdkKeys: {
      action: 'sdk_key.create' | 'sdk_key.update' | 'sdk_key.delete';
      subject: never;
    };
  }
}

export {};
