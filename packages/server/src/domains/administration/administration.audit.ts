declare module '../audit/audit.ts' {
  interface AuditActions {
    administration: {
      action: 'job.replay' | 'job.delete';
      subject: 'job';
    };
  }
}

export {};
