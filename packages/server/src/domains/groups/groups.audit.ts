declare module '../audit/audit.ts' {
  interface AuditActions {
    groups: {
      action:
        | 'group.create'
        | 'group.update'
        | 'group.delete'
        | 'group.add_user'
        | 'group.remove_user'
        | 'group.resend_invite'
        | 'group.accept'
        | 'group.add_app'
        | 'group.remove_app';
      subject: 'group';
    };
  }
}

export {};
