declare module '../audit/audit.ts' {
  interface AuditWords {
    analytics: {
      action: 'analytics_event.delete';
      subject: never;
    };
  }
}

export {};
