declare module '../audit/audit.ts' {
  interface AuditActions {
    feedback: {
      action: 'feedback.update' | 'feedback.delete' | 'feedback.reply';
      subject: never;
    };
  }
}

export {};
