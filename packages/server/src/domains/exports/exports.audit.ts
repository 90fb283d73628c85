declare module '../audit/audit.ts' {
  interface AuditActions {
    exports: {
      action:
        | 'export_configuration.create'
        | 'export_configuration.update'
        | 'export_configuration.delete'
        | 'export_configuration.enable'
        | 'export_configuration.disable'
        | 'export_configuration.test'
        | 'export_configuration.fail'
        | 'history.import';
      subject: never;
    };
  }
}

export {};
