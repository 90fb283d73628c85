declare module '../audit/audit.ts' {
  interface AuditActions {
    tokens: {
      action: 'api_token.create' | 'api_token.delete';
      subject: 'api_token';
    };
  }
}

export {};
