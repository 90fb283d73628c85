declare module '../audit/audit.ts' {
  interface AuditActions {
    accounts: {
      action:
        | 'server.set_up'
        | 'user.create'
        | 'user.update'
        | 'user.delete'
        | 'user.change_password'
        | 'password_reset.request'
        | 'password_reset.create'
        | 'password_reset.use'
        | 'session.create'
        | 'session.delete'
        | 'org.create'
        | 'org.update'
        | 'org.delete'
        | 'org.set_avatar'
        | 'org.delete_avatar'
        | 'org.add_member'
        | 'org.update_member'
        | 'org.remove_member'
        | 'service_account.create'
        | 'service_account.delete';
      subject: 'user' | 'session' | 'password_reset' | 'org';
    };
  }
}

export {};
