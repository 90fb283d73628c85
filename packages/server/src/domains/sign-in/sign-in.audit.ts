declare module '../audit/audit.ts' {
  interface AuditActions {
    signIn: {
      action:
        | 'identity_provider.create'
        | 'identity_provider.update'
        | 'identity_provider.delete'
        | 'identity_provider.sign_out'
        | 'identity_provider.apply_groups'
        | 'identity_provider.skip_groups'
        | 'group_mapping.create'
        | 'group_mapping.delete'
        | 'passkey.create'
        | 'passkey.update'
        | 'passkey.delete'
        | 'session.confirm'
        | 'second_factor.start'
        | 'second_factor.enable'
        | 'second_factor.disable'
        | 'second_factor.renew_codes'
        | 'second_factor.use_recovery_code'
        | 'factor_rule.set'
        | 'factor_rule.delete'
        | 'sign_in_rule.set'
        | 'sign_in_rule.delete'
        | 'sign_in_link.create'
        | 'sign_in_link.delete';
      subject: 'identity_provider' | 'group_mapping' | 'factor_rule' | 'sign_in_rule';
    };
  }
}

export {};
