declare module '../audit/audit.ts' {
  interface AuditActions {
    subscriptions: {
      action:
        | 'subscription.create'
        | 'subscription.update'
        | 'subscription.delete'
        | 'subscription.add_reader'
        | 'subscription.remove_reader'
        | 'app.link_subscription'
        | 'app.unlink_subscription'
        | 'health_operator.add'
        | 'health_operator.remove';
      subject: 'subscription';
    };
  }
}

export {};
