declare module '../audit/audit.ts' {
  interface AuditActions {
    usage: { action: 'quotas.set'; subject: never };
  }
}

export {};
