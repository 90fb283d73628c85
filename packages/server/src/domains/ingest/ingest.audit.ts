declare module '../audit/audit.ts' {
  interface AuditWords {
    ingest: {
      action: 'ingestion.block' | 'ingestion.unblock';
      subject: never;
    };
  }
}

export {};
