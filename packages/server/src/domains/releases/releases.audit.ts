declare module '../audit/audit.ts' {
  interface AuditActions {
    releases: {
      action:
        | 'release.upload'
        | 'release.create'
        | 'release.update'
        | 'release.delete'
        | 'release.distribute'
        | 'release.withdraw'
        | 'release.resign'
        | 'release.set_retention'
        | 'release.set_gate'
        | 'release.hold'
        | 'release.set_mails'
        | 'app.map_to_apple'
        | 'app.unmap_from_apple'
        | 'store.create'
        | 'store.update'
        | 'store.delete'
        | 'update_token.create'
        | 'update_token.refuse'
        | 'update_token.delete'
        | 'device.register'
        | 'device.remove';
      subject: 'release' | 'update_token' | 'device' | 'store';
    };
  }
}

export {};
