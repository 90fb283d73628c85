declare module '../audit/audit.ts' {
  interface AuditWords {
    administration: {
      action: 'job.replay' | 'job.delete';
      subject: 'job';
    };
  }
}

export {};
