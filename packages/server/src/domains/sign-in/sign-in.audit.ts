declare module '../audit/audit.ts' {
  interface AuditActions {
    signIn: {
      action:
        | 'identity_provider.create'
        | 'identity_provider.update'
        | 'identity_provider.delete'
        | 'second_factor.start'
        | 'second_factor.enable'
        | 'second_factor.disable'
        | 'second_factor.renew_codes'
        | 'second_factor.use_recovery_code'
        | 'sign_in_rule.set'
        | 'sign_in_rule.delete'
        | 'sign_in_link.create'
        | 'sign_in_link.delete';
      subject: 'identity_provider' | 'sign_in_rule';
    };
  }
}

export {};
