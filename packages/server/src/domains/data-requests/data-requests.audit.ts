declare module '../audit/audit.ts' {
  interface AuditActions {
    dataRequests: {
      action: 'data_request.create' | 'data_request.cancel' | 'sender_request.create';
      subject: 'data_request';
    };
  }
}

export {};
