import { sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { isAmong, lockRows } from '../../../db/portable.ts';
import { insertInto, query, statement, type TestRunDevicesTable, type TestRunsTable } from '../device-tests.tables.ts';

export type RunRow = TestRunsTable;
export type RunDeviceRow = TestRunDevicesTable;

export const insertRun = insertInto('test_runs');
export const insertRunDevice = insertInto('test_run_devices');

export const findRun = statement((q, p: { appId: string; id: string }) =>
  q.selectFrom('test_runs').selectAll().where('app_id', '=', p.appId).where('id', '=', p.id),
);

export const lockRun = statement((q, p: { id: string }, dialect) =>
  lockRows(dialect, q.selectFrom('test_runs').selectAll().where('id', '=', p.id)),
);

/** Device time of runs here; imported runs used devices elsewhere. */
export const sumDeviceTimes = statement((q, p: { appIds: string; from: number; until: number; now: number }, dialect) =>
  q
    .selectFrom('test_run_devices')
    .innerJoin('test_runs', 'test_runs.id', 'test_run_devices.run_id')
    .select([
      'test_runs.app_id',
      sql<number | null>`sum(coalesce(test_run_devices.finished_at, ${p.now}) - test_run_devices.started_at)`.as('sum'),
    ])
    .where(isAmong(dialect, 'test_runs.app_id', p.appIds))
    .where('test_runs.source', '=', 'runner')
    .where('test_run_devices.started_at', '>=', p.from)
    .where('test_run_devices.started_at', '<', p.until)
    .groupBy('test_runs.app_id'),
);

/** For uploads, whose URL contains only the run. */
export const findRunApp = statement((q, p: { id: string }) =>
  q
    .selectFrom('test_runs')
    .innerJoin('app_names', 'app_names.id', 'test_runs.app_id')
    .select(['test_runs.status', 'test_runs.app_id', 'app_names.owner_id'])
    .where('test_runs.id', '=', p.id),
);

interface Listing {
  appId: string;
  before: string;
  releaseId?: number | undefined;
  buildId?: number | undefined;
  limit: number;
}

export const listRunRows = (db: Db, { appId, before, releaseId, buildId, limit }: Listing): Promise<RunRow[]> =>
  query(db, (q) => {
    const rows = q
      .selectFrom('test_runs')
      .selectAll()
      .where('app_id', '=', appId)
      .where('is_archived', '=', 0)
      .where('id', '<', before)
      .orderBy('id', 'desc')
      .limit(limit);
    if (releaseId === undefined && buildId === undefined) return rows;
    const tested = q.selectFrom('tested_packages').select('run_id').where('app_id', '=', appId);
    const ofRelease = releaseId === undefined ? tested : tested.where('release_id', '=', releaseId);
    return rows.where('id', 'in', buildId === undefined ? ofRelease : ofRelease.where('build_id', '=', buildId));
  });

/** The newest runs of a release, of the build that made it, or of both. */
export const listStoryRuns = (
  db: Db,
  { appId, releaseId, buildId, limit }: Pick<Listing, 'appId' | 'releaseId' | 'buildId' | 'limit'>,
): Promise<RunRow[]> =>
  query(db, (q) =>
    q
      .selectFrom('test_runs')
      .selectAll()
      .where('app_id', '=', appId)
      .where('is_archived', '=', 0)
      .where(
        'id',
        'in',
        q
          .selectFrom('tested_packages')
          .select('run_id')
          .where('app_id', '=', appId)
          .where((e) =>
            e.or([
              ...(releaseId === undefined ? [] : [e('release_id', '=', releaseId)]),
              ...(buildId === undefined ? [] : [e('build_id', '=', buildId)]),
            ]),
          ),
      )
      .orderBy('id', 'desc')
      .limit(limit),
  );

/** Release and build that each run tested, if known. */
export const listTested = statement((q, p: { runIds: string }, dialect) =>
  q
    .selectFrom('tested_packages')
    .select(['run_id', 'release_id', 'build_id'])
    .where(isAmong(dialect, 'run_id', p.runIds)),
);

export const listSeriesRunRows = statement((q, p: { appId: string; series: string; limit: number }) =>
  q
    .selectFrom('test_runs')
    .selectAll()
    .where('app_id', '=', p.appId)
    .where('series', '=', p.series)
    .where('is_archived', '=', 0)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

/** Earlier finished runs with the same framework, newest first, with the size of their results. */
export const listRunsBefore = statement((q, p: { appId: string; id: string; framework: string; limit: number }) =>
  q
    .selectFrom('test_runs')
    .select((e) => [
      'id',
      e
        .selectFrom('test_run_devices')
        .select((e) => e.fn.sum<number | null>(e.fn('length', ['outcomes'])).as('length'))
        .whereRef('run_id', '=', 'test_runs.id')
        .as('length'),
    ])
    .where('app_id', '=', p.appId)
    .where('id', '<', p.id)
    .where('framework', '=', p.framework)
    .where('status', '=', 'finished')
    .where('is_archived', '=', 0)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

/** The previous finished run with the same framework and series; an empty series matches none. */
export const findPreviousRun = statement((q, p: { appId: string; id: string; framework: string; series: string }) =>
  q
    .selectFrom('test_runs')
    .select(['id', 'result'])
    .where('app_id', '=', p.appId)
    .where('id', '<', p.id)
    .where('framework', '=', p.framework)
    .where((e) => e(e.fn.coalesce('series', e.val('')), '=', p.series))
    .where('status', '=', 'finished')
    .orderBy('id', 'desc')
    .limit(1),
);

export const countOpenRuns = statement((q, p: { appId: string }) =>
  q
    .selectFrom('test_runs')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('app_id', '=', p.appId)
    .where('status', 'in', ['pending', 'running']),
);

export const saveRun = statement((q, p: RunRow) =>
  q
    .updateTable('test_runs')
    .set((e) => ({
      series: p.series,
      status: p.status,
      result: p.result,
      failure: p.failure,
      framework: p.framework,
      platform: p.platform,
      app_version: p.app_version,
      locale: p.locale,
      parameters: p.parameters,
      sealed_parameters: p.sealed_parameters,
      only_tests: p.only_tests,
      stats: p.stats,
      is_stopped: p.is_stopped,
      is_archived: p.is_archived,
      started_at: p.started_at,
      finished_at: p.finished_at,
      version: e('version', '+', 1),
    }))
    .where('id', '=', p.id),
);

export const listRunDevices = statement((q, p: { runId: string }) =>
  q.selectFrom('test_run_devices').selectAll().where('run_id', '=', p.runId).orderBy('position'),
);

export const findDeviceByJob = statement((q, p: { jobId: string }) =>
  q.selectFrom('test_run_devices').selectAll().where('job_id', '=', p.jobId),
);

export const saveRunDevice = statement((q, p: RunDeviceRow) =>
  q
    .updateTable('test_run_devices')
    .set({ state: p.state, failure: p.failure, started_at: p.started_at, finished_at: p.finished_at })
    .where('run_id', '=', p.run_id)
    .where('position', '=', p.position),
);

export const saveOutcomes = statement((q, p: { runId: string; position: number; outcomes: string }) =>
  q
    .updateTable('test_run_devices')
    .set({ outcomes: p.outcomes })
    .where('run_id', '=', p.runId)
    .where('position', '=', p.position),
);

/** Only the columns needed for the outcomes of all devices. */
export const listOutcomes = statement((q, p: { runId: string }) =>
  q.selectFrom('test_run_devices').select(['position', 'outcomes']).where('run_id', '=', p.runId).orderBy('position'),
);

/** Devices that wait or run for longer than allowed. */
export const listOverdue = statement((q, p: { queuedBefore: number; startedBefore: number; limit: number }) =>
  q
    .selectFrom('test_run_devices')
    .innerJoin('test_runs', 'test_runs.id', 'test_run_devices.run_id')
    .select([
      'test_run_devices.run_id',
      'test_run_devices.position',
      'test_run_devices.state',
      'test_run_devices.job_id',
      'test_runs.app_id',
    ])
    .where('test_runs.status', 'in', ['pending', 'running'])
    .where((e) =>
      e.or([
        e.and([e('test_run_devices.state', '=', 'pending'), e('test_runs.started_at', '<', p.queuedBefore)]),
        e.and([e('test_run_devices.state', '=', 'running'), e('test_run_devices.started_at', '<', p.startedBefore)]),
      ]),
    )
    .orderBy('test_run_devices.run_id')
    .limit(p.limit),
);

/** Expired runs, and runs that were created but never started. */
export const listOldRuns = statement((q, p: { before: number; unstartedBefore: number; limit: number }) =>
  q
    .selectFrom('test_runs')
    .select('id')
    .where((e) =>
      e.or([
        e.and([e('status', '=', 'finished'), e('finished_at', '<', p.before)]),
        e.and([e('status', '=', 'created'), e('created_at', '<', p.unstartedBefore)]),
      ]),
    )
    .limit(p.limit),
);

export const deleteRun = statement((q, p: { id: string }) => q.deleteFrom('test_runs').where('id', '=', p.id));

/** Plain-text parameters of an earlier version. */
export const listUnsealed = statement((q, p: { limit: number }) =>
  q.selectFrom('test_runs').select(['id', 'parameters']).where('parameters', '<>', '{}').limit(p.limit),
);

export const saveSealed = statement((q, p: { id: string; before: string; sealed: string }) =>
  q
    .updateTable('test_runs')
    .set({ parameters: '{}', sealed_parameters: p.sealed })
    .where('id', '=', p.id)
    .where('parameters', '=', p.before),
);

export const clearParameters = statement((q, p: { appId: string }) =>
  q.updateTable('test_runs').set({ parameters: '{}', sealed_parameters: null }).where('app_id', '=', p.appId),
);
