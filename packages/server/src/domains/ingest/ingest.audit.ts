declare module '../audit/audit.ts' {
  interface AuditActions {
    ingest: {
      action: 'ingestion.block' | 'ingestion.unblock';
      subject: never;
    };
  }
}

export {};
