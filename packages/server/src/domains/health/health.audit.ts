declare module '../audit/audit.ts' {
  interface AuditActions {
    health: {
      action:
        | 'health_event.publish'
        | 'health_event.update'
        | 'health_event.resolve'
        | 'health_event.reopen'
        | 'health_event.withdraw'
        | 'webhook.create'
        | 'webhook.update'
        | 'webhook.delete'
        | 'webhook.rotate_secret'
        | 'webhook.test'
        | 'webhook.replay'
        | 'webhook.disable'
        | 'feed.create'
        | 'feed.delete'
        | 'health_event.import'
        | 'health_event.import_end';
      subject: 'health_event' | 'webhook' | 'feed' | 'health_import';
    };
  }
}

export {};
