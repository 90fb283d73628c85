declare module '../audit/audit.ts' {
  interface AuditWords {
    releases: {
      action:
        | 'release.upload'
        | 'release.create'
        | 'release.update'
        | 'release.delete'
        | 'release.distribute'
        | 'release.withdraw';
      subject: 'release';
    };
  }
}

export {};
