import { isAmong, lockRows } from '../../../db/portable.ts';
import { insertInto, type RunnerJobsTable, statement } from '../runners.tables.ts';

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
    .select(['id', 'app_id', 'kind', 'attempts', 'sources'])
    .where('id', '=', p.id)
    .where('token_hash', '=', p.tokenHash)
    .where('state', '=', 'running'),
);

/** Queued jobs of an app with the labels and tools that they need. */
export const listJobNeeds = statement((q, p: { ids: string; appId: string }, dialect) =>
  q
    .selectFrom('runner_jobs')
    .select(['id', 'kind', 'needs', 'device'])
    .where(isAmong(dialect, 'id', p.ids))
    .where('app_id', '=', p.appId)
    .where('state', '=', 'queued'),
);

/** The most urgent and oldest jobs of each owner, so that one with thousands of jobs does not hide those of others. */
export const listQueuedFor = statement(
  (q, p: { appId: string; orgId: string; all: number; ofEach: number; limit: number }) =>
    q
      .selectFrom((from) =>
        from
          .selectFrom('runner_jobs')
          .innerJoin('app_names', 'app_names.id', 'runner_jobs.app_id')
          .select((e) => [
            'runner_jobs.id as id',
            'runner_jobs.app_id as app_id',
            'runner_jobs.kind as kind',
            'runner_jobs.needs as needs',
            'runner_jobs.device as device',
            'app_names.owner_id as owner_id',
            e.fn
              .agg<number>('row_number')
              .over((over) =>
                over
                  .partitionBy('app_names.owner_id')
                  .orderBy('runner_jobs.priority', 'desc')
                  .orderBy('runner_jobs.id'),
              )
              .as('place'),
          ])
          .where('runner_jobs.state', '=', 'queued')
          .where((e) =>
            e.or([e('app_names.id', '=', p.appId), e('app_names.owner_id', '=', p.orgId), e(e.val(1), '=', p.all)]),
          )
          .as('queued'),
      )
      .selectAll()
      .where('place', '<=', p.ofEach)
      .orderBy('place')
      .orderBy('id')
      .limit(p.limit),
);

/** Counts the running jobs of each owner. */
export const countRunningByOwner = statement((q) =>
  q
    .selectFrom('runner_jobs')
    .innerJoin('app_names', 'app_names.id', 'runner_jobs.app_id')
    .select((e) => ['app_names.owner_id as owner_id', e.fn.countAll<number>().as('count')])
    .where('runner_jobs.state', '=', 'running')
    .groupBy('app_names.owner_id'),
);

/** Counts the running jobs of each kind and app. */
export const countRunningByApp = statement((q) =>
  q
    .selectFrom('runner_jobs')
    .select((e) => ['app_id', 'kind', e.fn.countAll<number>().as('count')])
    .where('state', '=', 'running')
    .groupBy(['app_id', 'kind']),
);

export const saveLimit = insertInto('runner_limits', (insert, p) =>
  insert.onConflict((c) => c.columns(['app_id', 'kind']).doUpdateSet({ most: p.most })),
);

export const deleteLimit = statement((q, p: { appId: string; kind: string }) =>
  q.deleteFrom('runner_limits').where('app_id', '=', p.appId).where('kind', '=', p.kind),
);

export const findLimit = statement((q, p: { appId: string; kind: string }) =>
  q.selectFrom('runner_limits').select('most').where('app_id', '=', p.appId).where('kind', '=', p.kind),
);

export const listLimits = statement((q) => q.selectFrom('runner_limits').selectAll());

export const setPriority = statement((q, p: { id: string; priority: number }) =>
  q
    .updateTable('runner_jobs')
    .set({ priority: p.priority })
    .where('id', '=', p.id)
    .where('state', '=', 'queued')
    .returning('id'),
);

interface Claim {
  id: string;
  runnerId: string;
  tokenHash: string;
  leaseUntil: number;
  deviceKey: string | null;
}

export const claimJob = statement((q, p: Claim) =>
  q
    .updateTable('runner_jobs')
    .set((e) => ({
      state: 'running',
      runner_id: p.runnerId,
      token_hash: p.tokenHash,
      lease_until: p.leaseUntil,
      attempts: e('attempts', '+', 1),
      device_key: p.deviceKey,
      event_count: 0,
      event_bytes: 0,
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

/** Jobs that wait for a device again, after their runner was lost. */
export const listReturned = statement((q, p: { limit: number }) =>
  q
    .selectFrom('runner_jobs')
    .innerJoin('app_names', 'app_names.id', 'runner_jobs.app_id')
    .select(['runner_jobs.id as id', 'runner_jobs.app_id as app_id', 'app_names.owner_id as owner_id', 'device'])
    .where('runner_jobs.state', '=', 'queued')
    .where('attempts', '>', 0)
    .where('device', 'is not', null)
    .orderBy('runner_jobs.id')
    .limit(p.limit),
);

export const listRunningByRunner = statement((q, p: { runnerId: string }) =>
  q
    .selectFrom('runner_jobs')
    .select(['id', 'device_key'])
    .where('runner_id', '=', p.runnerId)
    .where('state', '=', 'running'),
);

export const returnJob = statement((q, p: { id: string }) =>
  q
    .updateTable('runner_jobs')
    .set({ state: 'queued', runner_id: null, token_hash: null, lease_until: null, device_key: null })
    .where('id', '=', p.id),
);

/** Clears the work of jobs that still run until their runner learns that they are canceled. */
export const clearWork = statement((q, p: { appId: string }) =>
  q.updateTable('runner_jobs').set({ work: '' }).where('app_id', '=', p.appId),
);

/** Also removes its secrets. */
export const endJobRow = statement((q, p: { id: string; now: number }) =>
  q
    .updateTable('runner_jobs')
    .set({ state: 'ended', work: '', sources: '{}', token_hash: null, lease_until: null, ended_at: p.now })
    .where('id', '=', p.id),
);

export const listOpenByApp = statement((q, p: { appId: string }) =>
  q.selectFrom('runner_jobs').select('id').where('app_id', '=', p.appId).where('state', '!=', 'ended').orderBy('id'),
);

export const markCancelled = statement((q, p: { id: string }) =>
  q.updateTable('runner_jobs').set({ is_cancelled: 1 }).where('id', '=', p.id),
);

/** Changes whenever a job is queued, or a device may have become free. */
export const readQueue = statement((q) =>
  q
    .selectFrom('runner_jobs')
    .select((e) => ['state', e.fn.countAll<number>().as('count'), e.fn.max('id').as('newest')])
    .where('state', 'in', ['queued', 'running'])
    .groupBy('state')
    .orderBy('state'),
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

/** Skips files of the kind `without`, because some jobs have thousands. */
export const listJobFileRows = statement((q, p: { jobIds: string; without: string }, dialect) =>
  q
    .selectFrom('runner_job_files')
    .selectAll()
    .where(isAmong(dialect, 'job_id', p.jobIds))
    .where('kind', '<>', p.without)
    .orderBy('name')
    .orderBy('id'),
);

export const findFileRow = statement((q, p: { jobId: string; id: string }) =>
  q.selectFrom('runner_job_files').selectAll().where('job_id', '=', p.jobId).where('id', '=', p.id),
);

export const countFiles = statement((q, p: { jobId: string }) =>
  q
    .selectFrom('runner_job_files')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('job_id', '=', p.jobId),
);

/** Files whose jobs were deleted. */
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

export const sumFileSizes = statement((q, p: { appIds: string }, dialect) =>
  q
    .selectFrom('runner_job_files')
    .innerJoin('runner_jobs', 'runner_jobs.id', 'runner_job_files.job_id')
    .select((e) => ['runner_jobs.app_id', e.fn.sum<number>('runner_job_files.size').as('sum')])
    .where(isAmong(dialect, 'runner_jobs.app_id', p.appIds))
    .groupBy('runner_jobs.app_id'),
);

export const sumLogSizes = statement((q, p: { appIds: string }, dialect) =>
  q
    .selectFrom('runner_jobs')
    .select((e) => ['app_id', e.fn.sum<number>('log_size').as('sum')])
    .where(isAmong(dialect, 'app_id', p.appIds))
    .groupBy('app_id'),
);
