declare module '../audit/audit.ts' {
  interface AuditActions {
    runners: {
      action: 'runner.invite' | 'runner.register' | 'runner.remove';
      subject: 'runner';
    };
  }
}

export {};
