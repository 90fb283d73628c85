declare module '../audit/audit.ts' {
  interface AuditActions {
    builds: {
      action:
        | 'repository.connect'
        | 'repository.disconnect'
        | 'push_hook.create'
        | 'push_hook.delete'
        | 'branch_configuration.create'
        | 'branch_configuration.update'
        | 'branch_configuration.delete'
        | 'signing_file.upload'
        | 'build.create'
        | 'build.cancel'
        | 'build.prioritize'
        | 'build_settings.update'
        | 'build.distribute';
      subject: never;
    };
  }
}

export {};
