declare module '../audit/audit.ts' {
  interface AuditActions {
    provisioning: {
      action:
        | 'scim_token.create'
        | 'scim_token.delete'
        | 'scim_user.create'
        | 'scim_user.update'
        | 'scim_user.delete'
        | 'scim_group.create'
        | 'scim_group.update'
        | 'scim_group.delete'
        | 'org.set_domains';
      subject: 'scim_token' | 'user' | 'team' | 'org';
    };
  }
}

export {};
