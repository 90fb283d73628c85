import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { isAmong } from '../../db/portable.ts';
import { type BuildsTable, insertInto, query, statement } from './builds.tables.ts';

export type BuildRow = BuildsTable;

export const insertBuild = insertInto('builds');

export const findBuild = statement((q, p: { appId: string; id: number }) =>
  q.selectFrom('builds').selectAll().where('app_id', '=', p.appId).where('id', '=', p.id),
);

/** The latest build that produced this file. */
export const findBuildBySum = statement((q, p: { appId: string; sha256: string }) =>
  q
    .selectFrom('runner_job_outputs')
    .innerJoin('builds', 'builds.job_id', 'runner_job_outputs.job_id')
    .select('builds.id')
    .where('runner_job_outputs.sha256', '=', p.sha256)
    .where('builds.app_id', '=', p.appId)
    .orderBy('builds.id', 'desc')
    .limit(1),
);

/** The latest successful build of a commit. */
export const findCommitBuild = statement((q, p: { appId: string; sha: string }) =>
  q
    .selectFrom('builds')
    .select('id')
    .where('app_id', '=', p.appId)
    .where('commit_sha', '=', p.sha)
    .where('result', '=', 'succeeded')
    .orderBy('id', 'desc')
    .limit(1),
);

export const findBuildByJob = statement((q, p: { jobId: string }) =>
  q.selectFrom('builds').selectAll().where('job_id', '=', p.jobId),
);

export const listBranchBuilds = statement((q, p: { appId: string; branch: string; limit: number }) =>
  q
    .selectFrom('builds')
    .selectAll()
    .where('app_id', '=', p.appId)
    .where('branch', '=', p.branch)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

export interface BuildFilter {
  branch?: string | undefined;
  status?: BuildRow['status'] | undefined;
  result?: BuildRow['result'] | undefined;
}

export const pageBuilds = (
  db: Db,
  p: { appId: string; filter: BuildFilter; before: number | undefined; limit: number },
): Promise<BuildRow[]> =>
  query(db, (q) => {
    let builds = q.selectFrom('builds').selectAll().where('app_id', '=', p.appId);
    const { branch, status, result } = p.filter;
    if (branch !== undefined) builds = builds.where('branch', '=', branch);
    if (status !== undefined) builds = builds.where('status', '=', status);
    if (result !== undefined) builds = builds.where('result', '=', result);
    if (p.before !== undefined) builds = builds.where('id', '<', p.before);
    return builds.orderBy('id', 'desc').limit(p.limit);
  });

export const listLastBuilds = statement((q, p: { appId: string }) =>
  q
    .selectFrom('builds')
    .selectAll()
    .where('app_id', '=', p.appId)
    .where(
      'id',
      'in',
      q
        .selectFrom('builds as of_branch')
        .select((e) => e.fn.max('of_branch.id').as('id'))
        .where('of_branch.app_id', '=', p.appId)
        .groupBy('of_branch.branch'),
    ),
);

/** The latest build that recorded the projects of its sources. */
export const findLastFound = statement((q, p: { appId: string; branch: string }) =>
  q
    .selectFrom('builds')
    .select(['found', 'commit_sha'])
    .where('app_id', '=', p.appId)
    .where('branch', '=', p.branch)
    .where('found', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1),
);

export const findPushBuild = statement((q, p: { appId: string; branch: string; sha: string }) =>
  q
    .selectFrom('builds')
    .select('id')
    .where('app_id', '=', p.appId)
    .where('branch', '=', p.branch)
    .where('commit_sha', '=', p.sha)
    .where('reason', '=', 'push')
    .limit(1),
);

/** The previous finished build of the same branch. */
export const findPreviousBuild = statement((q, p: { appId: string; branch: string; id: number }) =>
  q
    .selectFrom('builds')
    .select('result')
    .where('app_id', '=', p.appId)
    .where('branch', '=', p.branch)
    .where('id', '<', p.id)
    .where('status', '=', 'completed')
    .orderBy('id', 'desc')
    .limit(1),
);

/** A canceled build doesn't show the state of the branch. */
export const findLastResult = statement((q, p: { appId: string; branch: string }) =>
  q
    .selectFrom('builds')
    .select('result')
    .where('app_id', '=', p.appId)
    .where('branch', '=', p.branch)
    .where('result', 'in', ['succeeded', 'failed'])
    .orderBy('id', 'desc')
    .limit(1),
);

/** Runner time of builds that started in a period; running builds count until now. */
export const sumBuildTimes = statement((q, p: { appIds: string; from: number; until: number; now: number }, dialect) =>
  q
    .selectFrom('builds')
    .select(['app_id', sql<number | null>`sum(coalesce(finished_at, ${p.now}) - started_at)`.as('sum')])
    .where(isAmong(dialect, 'app_id', p.appIds))
    .where('started_at', '>=', p.from)
    .where('started_at', '<', p.until)
    .groupBy('app_id'),
);

export const countOpenBuilds = statement((q, p: { appId: string }) =>
  q
    .selectFrom('builds')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('app_id', '=', p.appId)
    .where('status', '<>', 'completed'),
);

type Change = Pick<
  BuildRow,
  'app_id' | 'id' | 'status' | 'result' | 'failure' | 'found' | 'started_at' | 'finished_at' | 'changed_at'
>;

/** Builds that are still queued. Starts from the queue, which is short, because builds are kept forever. */
export const listOverdueBuilds = statement((q, p: { before: number; limit: number }) =>
  q
    .selectFrom('runner_job_states')
    .innerJoin('builds', 'builds.job_id', 'runner_job_states.id')
    .select(['builds.app_id', 'builds.job_id'])
    .where('runner_job_states.state', '=', 'queued')
    .where('builds.status', '=', 'notStarted')
    .where('builds.changed_at', '<', p.before)
    .orderBy('runner_job_states.id')
    .limit(p.limit),
);

export const saveBuild = statement((q, p: Change) =>
  q
    .updateTable('builds')
    .set({
      status: p.status,
      result: p.result,
      failure: p.failure,
      found: p.found,
      started_at: p.started_at,
      finished_at: p.finished_at,
      changed_at: p.changed_at,
    })
    .where('app_id', '=', p.app_id)
    .where('id', '=', p.id),
);

export const savePriority = statement((q, p: { appId: string; id: number; priority: number }) =>
  q.updateTable('builds').set({ priority: p.priority }).where('app_id', '=', p.appId).where('id', '=', p.id),
);

export const clearVariables = statement((q, p: { appId: string }) =>
  q.updateTable('builds').set({ variables: null }).where('app_id', '=', p.appId),
);

export const listBranchJobs = statement((q, p: { appId: string; branch: string }) =>
  q.selectFrom('builds').select('job_id').where('app_id', '=', p.appId).where('branch', '=', p.branch),
);

export const listAppJobs = statement((q, p: { appId: string }) =>
  q.selectFrom('builds').select('job_id').where('app_id', '=', p.appId),
);

export const deleteBranchBuilds = statement((q, p: { appId: string; branch: string }) =>
  q.deleteFrom('builds').where('app_id', '=', p.appId).where('branch', '=', p.branch),
);

export const deleteAppBuilds = statement((q, p: { appId: string }) =>
  q.deleteFrom('builds').where('app_id', '=', p.appId),
);

/** Jobs of builds that finished before a time. */
export const listOldJobs = statement((q, p: { before: number; limit: number }) =>
  q
    .selectFrom('builds')
    .innerJoin('runner_job_states', 'runner_job_states.id', 'builds.job_id')
    .select('runner_job_states.id')
    .where('builds.finished_at', '<', p.before)
    .limit(p.limit),
);
