import { handleJob } from '../../jobs/index.ts';
import { auditSweep, sweepAuditEvents } from './audit.ts';

export const auditJobs = [handleJob(auditSweep, sweepAuditEvents)];
