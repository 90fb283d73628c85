declare module '../audit/audit.ts' {
  interface AuditActions {
    trackers: {
      action:
        | 'bug_tracker.connect'
        | 'bug_tracker.check'
        | 'bug_tracker.disconnect'
        | 'ticket.create'
        | 'ticket.unlink'
        | 'ticket.follow';
      subject: never;
    };
  }
}

export {};
