declare module '../audit/audit.ts' {
  interface AuditWords {
    mail: {
      action: 'mail.reveal_link';
      subject: 'mail';
    };
  }
}

export {};
