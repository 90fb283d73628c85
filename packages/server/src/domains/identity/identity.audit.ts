declare module '../audit/audit.ts' {
  interface AuditActions {
    identity: {
      action:
        | 'oauth.consent'
        | 'oauth.deny'
        | 'oauth.allow_device'
        | 'oauth.deny_device'
        | 'oauth.revoke_consent'
        | 'oauth.reuse_code'
        | 'oauth.rotate_keys'
        | 'oauth_client.create'
        | 'oauth_client.update'
        | 'oauth_client.delete'
        | 'oidc_subject.link'
        | 'oidc_subject.unlink';
      subject: 'oauth_client' | 'signing_key';
    };
  }
}

export {};
