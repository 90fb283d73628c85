declare module '../audit/audit.ts' {
  interface AuditActions {
    tokens: {
      action: 'api_token.create' | 'api_token.delete' | 'ci_rule.create' | 'ci_rule.delete' | 'ci_rule.use';
      subject: 'api_token' | 'ci_rule';
    };
  }
}

export {};
