declare module '../audit/audit.ts' {
  interface AuditActions {
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
