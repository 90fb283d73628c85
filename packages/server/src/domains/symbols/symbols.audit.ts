declare module '../audit/audit.ts' {
  interface AuditActions {
    symbols: {
      action:
        | 'symbol_upload.create'
        | 'symbol_upload.commit'
        | 'symbol_upload.abort'
        | 'symbol_upload.delete'
        | 'symbol.ignore'
        | 'symbol.unignore';
      subject: never;
    };
  }
}

export {};
