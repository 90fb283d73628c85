declare module '../audit/audit.ts' {
  interface AuditWords {
    usage: { action: 'quotas.set'; subject: never };
  }
}

export {};
