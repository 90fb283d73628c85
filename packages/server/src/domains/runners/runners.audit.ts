declare module '../audit/audit.ts' {
  interface AuditWords {
    runners: {
      action: 'runner.invite' | 'runner.register' | 'runner.remove';
      subject: 'runner';
    };
  }
}

export {};
