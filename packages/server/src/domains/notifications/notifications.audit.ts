declare module '../audit/audit.ts' {
  interface AuditWords {
    notifications: { action: 'email_settings.update' | 'email_settings.test'; subject: never };
  }
}

export {};
