declare module '../audit/audit.ts' {
  interface AuditActions {
    apps: {
      action:
        | 'team.create'
        | 'team.update'
        | 'team.delete'
        | 'team.add_user'
        | 'team.remove_user'
        | 'team.add_app'
        | 'team.set_permission'
        | 'team.remove_app'
        | 'team.change_users'
        | 'app.create'
        | 'app.update'
        | 'app.delete'
        | 'app.set_avatar'
        | 'app.delete_avatar'
        | 'app.transfer'
        | 'app.set_permission'
        | 'app.remove_user'
        | 'app.rotate_secret'
        | 'app.end_former_secrets'
        | 'user.add_favorite_app'
        | 'user.remove_favorite_app';
      subject: 'team' | 'app';
    };
  }
}

export {};
