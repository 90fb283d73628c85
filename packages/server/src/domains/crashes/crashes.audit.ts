declare module '../audit/audit.ts' {
  interface AuditActions {
    crashes: {
      action:
        | 'crash_group.update'
        | 'crash_group.await'
        | 'crash_issue.update'
        | 'crash_issue.merge'
        | 'crash_issue.split'
        | 'crash_report.delete'
        | 'crash_report.reprocess'
        | 'crash_grouping.update'
        | 'crash_retention.update';
      subject: never;
    };
  }
}

export {};
