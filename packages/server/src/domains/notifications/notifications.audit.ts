declare module '../audit/audit.ts' {
  interface AuditActions {
    notifications: { action: 'email_settings.update' | 'email_settings.test'; subject: never };
  }
}

export {};
