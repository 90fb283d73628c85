declare module '../audit/audit.ts' {
  interface AuditActions {
    analytics: {
      action:
        | 'analytics_event.delete'
        | 'analytics_install.delete'
        | 'analytics_user.delete'
        | 'analytics_audience.create'
        | 'analytics_audience.update'
        | 'analytics_audience.delete'
        | 'analytics_retention.update'
        | 'analytics_chart.create'
        | 'analytics_chart.update'
        | 'analytics_chart.delete';
      subject: never;
    };
  }
}

export {};
