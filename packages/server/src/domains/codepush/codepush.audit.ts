declare module '../audit/audit.ts' {
  interface AuditActions {
    codepush: {
      action:
        | 'deployment.create'
        | 'deployment.rename'
        | 'deployment.update'
        | 'deployment.rotate_key'
        | 'deployment.end_former_keys'
        | 'deployment.halt_rollout'
        | 'deployment.delete'
        | 'deployment.clear'
        | 'deployment.upload'
        | 'deployment.release'
        | 'deployment.promote'
        | 'deployment.rollback'
        | 'deployment.update_release';
      subject: 'deployment';
    };
  }
}

export {};
