import { defineDomain } from '../../domain.ts';
import { auditJobs } from './audit.jobs.ts';
import { auditRoutes } from './audit.routes.ts';
import { auditSettings } from './audit.settings.ts';
import { auditTables } from './audit.tables.ts';

export { type AuditAction, type AuditEvent, auditFields, listAuditEvents, record, type Subject } from './audit.ts';

export const audit = defineDomain({
  settings: auditSettings,
  tables: auditTables,
  routes: auditRoutes,
  jobs: auditJobs,
});
