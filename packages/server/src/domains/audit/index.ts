export { auditRoutes } from './audit.routes.ts';
export { type AuditAction, type AuditEvent, listAuditEvents, record, type Subject } from './audit.ts';
