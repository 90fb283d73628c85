import { lockRows } from '../../db/portable.ts';
import { insertInto, type RunnerJobsTable, statement } from './runners.tables.ts';

export type JobRow = RunnerJobsTable;

export const insertJob = insertInto('runner_jobs');

export const findJobRow = statement((q, p: { id: string }) =>
  q.selectFrom('runner_jobs').selectAll().where('id', '=', p.id),
);

export const lockJobRow = statement((q, p: { id: string }, dialect) =>
  lockRows(dialect, q.selectFrom('runner_jobs').selectAll().where('id', '=', p.id)),
);

export const findJobRowByToken = statement((q, p: { id: string; tokenHash: string }) =>
  q
    .selectFrom('runner_jobs')
    .select(['id', 'app_id', 'kind'])
    .where('id', '=', p.id)
    .where('token_hash', '=', p.tokenHash)
    .where('state', '=', 'running'),
);

/** In the order in which they came. */
export const listQueuedFor = statement((q, p: { appId: string; orgId: string; all: number; limit: number }) =>
  q
    .selectFrom('runner_jobs')
    .innerJoin('apps', 'apps.id', 'runner_jobs.app_id')
    .select(['runner_jobs.id', 'runner_jobs.needs'])
    .where('runner_jobs.state', '=', 'queued')
    .where((e) => e.or([e('apps.id', '=', p.appId), e('apps.owner_id', '=', p.orgId), e(e.val(1), '=', p.all)]))
    .orderBy('runner_jobs.id')
    .limit(p.limit),
);

export const claimJob = statement((q, p: { id: string; runnerId: string; tokenHash: string; leaseUntil: number }) =>
  q
    .updateTable('runner_jobs')
    .set((e) => ({
      state: 'running',
      runner_id: p.runnerId,
      token_hash: p.tokenHash,
      lease_until: p.leaseUntil,
      attempts: e('attempts', '+', 1),
    }))
    .where('id', '=', p.id)
    .where('state', '=', 'queued')
    .returningAll(),
);

export const extendLease = statement((q, p: { id: string; leaseUntil: number }) =>
  q
    .updateTable('runner_jobs')
    .set({ lease_until: p.leaseUntil })
    .where('id', '=', p.id)
    .where('state', '=', 'running')
    .returning(['is_cancelled', 'runner_id']),
);

export const listLost = statement((q, p: { now: number; limit: number }) =>
  q
    .selectFrom('runner_jobs')
    .select('id')
    .where('state', '=', 'running')
    .where('lease_until', '<', p.now)
    .orderBy('id')
    .limit(p.limit),
);

export const listRunningOf = statement((q, p: { runnerId: string }) =>
  q.selectFrom('runner_jobs').select('id').where('runner_id', '=', p.runnerId).where('state', '=', 'running'),
);

export const returnJob = statement((q, p: { id: string }) =>
  q
    .updateTable('runner_jobs')
    .set({ state: 'queued', runner_id: null, token_hash: null, lease_until: null })
    .where('id', '=', p.id),
);

/** Its secrets go with it. */
export const endJobRow = statement((q, p: { id: string; now: number }) =>
  q
    .updateTable('runner_jobs')
    .set({ state: 'ended', work: '', token_hash: null, lease_until: null, ended_at: p.now })
    .where('id', '=', p.id),
);

export const markCancelled = statement((q, p: { id: string }) =>
  q.updateTable('runner_jobs').set({ is_cancelled: 1 }).where('id', '=', p.id),
);

/** Differs whenever something was put into the queue. */
export const readQueue = statement((q) =>
  q
    .selectFrom('runner_jobs')
    .select((e) => [e.fn.countAll<number>().as('count'), e.fn.max('id').as('newest')])
    .where('state', '=', 'queued'),
);

export const deleteJobRow = statement((q, p: { id: string }) => q.deleteFrom('runner_jobs').where('id', '=', p.id));

export const setLogSize = statement((q, p: { id: string; size: number }) =>
  q.updateTable('runner_jobs').set({ log_size: p.size }).where('id', '=', p.id),
);

export const insertLogPart = insertInto('runner_job_logs');

export const listLogParts = statement((q, p: { jobId: string; from: number; limit: number }) =>
  q
    .selectFrom('runner_job_logs')
    .select(['start', 'text'])
    .where('job_id', '=', p.jobId)
    .where('start', '>=', p.from)
    .orderBy('start')
    .limit(p.limit),
);

export const insertFile = insertInto('runner_job_files', (insert) =>
  insert.onConflict((c) => c.column('id').doNothing()),
);

export const listFileRows = statement((q, p: { jobId: string }) =>
  q.selectFrom('runner_job_files').selectAll().where('job_id', '=', p.jobId).orderBy('name').orderBy('id'),
);

/** Of jobs that are gone. */
export const listOrphanFiles = statement((q, p: { limit: number }) =>
  q
    .selectFrom('runner_job_files')
    .leftJoin('runner_jobs', 'runner_jobs.id', 'runner_job_files.job_id')
    .select(['runner_job_files.id', 'runner_job_files.blob_key'])
    .where('runner_jobs.id', 'is', null)
    .limit(p.limit),
);

export const deleteFileRow = statement((q, p: { id: string }) =>
  q.deleteFrom('runner_job_files').where('id', '=', p.id),
);
