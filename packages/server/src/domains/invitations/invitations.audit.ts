declare module '../audit/audit.ts' {
  interface AuditWords {
    invitations: {
      action:
        | 'invitation.create'
        | 'invitation.update'
        | 'invitation.resend'
        | 'invitation.revoke'
        | 'invitation.accept'
        | 'invitation.reject';
      subject: 'invitation';
    };
  }
}

export {};
