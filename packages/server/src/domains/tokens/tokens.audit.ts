declare module '../audit/audit.ts' {
  interface AuditWords {
    tokens: {
      action: 'api_token.create' | 'api_token.delete';
      subject: 'api_token';
    };
  }
}

export {};
