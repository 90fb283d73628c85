declare module '../audit/audit.ts' {
  interface AuditActions {
    tests: {
      action:
        | 'test_run.create'
        | 'test_run.start'
        | 'test_run.stop'
        | 'test_run.archive'
        | 'test_run.import'
        | 'test_series.create'
        | 'test_series.update'
        | 'test_series.delete'
        | 'device_set.create'
        | 'device_set.update'
        | 'device_set.delete';
      subject: 'device_set';
    };
  }
}

export {};
