declare module '../audit/audit.ts' {
  interface AuditActions {
    webhooks: {
      action:
        | 'webhook.create'
        | 'webhook.update'
        | 'webhook.delete'
        | 'webhook.rotate_secret'
        | 'webhook.test'
        | 'webhook.replay'
        | 'webhook.disable';
      subject: 'webhook';
    };
  }
}

export {};
