declare module '../audit/audit.ts' {
  interface AuditActions {
    mail: {
      action: 'mail.reveal_link';
      subject: 'mail';
    };
  }
}

export {};
