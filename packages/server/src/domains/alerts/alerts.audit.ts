declare module '../audit/audit.ts' {
  interface AuditActions {
    alerts: {
      action: 'alert_rule.create' | 'alert_rule.update' | 'alert_rule.delete' | 'alert_rule.test';
      subject: never;
    };
  }
}

export {};
