declare module '../audit/audit.ts' {
  interface AuditWords {
    notifications: { action: 'email_settings.update'; subject: never };
  }
}

export {};
