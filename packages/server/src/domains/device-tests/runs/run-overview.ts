import { OVERVIEW_ROWS, test_getTestRuns } from '@mooring/contract';
import { type AppOverviewPart, summarize } from '../../../extensions/app-overviews.ts';
import { DAY, toIso } from '../../../kernel/clock.ts';
import { listRunRows, type RunRow } from './test-runs.store.ts';
import { parseStats } from './test-runs.ts';

const CONSIDERED = 50;
/** Follows every ID. */
const NEWEST = '~';

/** The latest finished run of each series, if it failed. */
function listFailing(rows: readonly RunRow[], since: number): RunRow[] {
  const bySeries = Map.groupBy(
    rows.filter(({ status, result }) => status === 'finished' && result !== 'stopped'),
    ({ series }) => series,
  );
  return [...bySeries.values()]
    .flatMap(([latest]) => latest ?? [])
    .filter(({ result, created_at }) => (result === 'failed' || result === 'error') && created_at >= since);
}

/** The latest test runs, and series that fail. */
export const runOverview: AppOverviewPart = {
  needs: test_getTestRuns,
  async read(ctx) {
    const rows = await listRunRows(ctx.db, { appId: ctx.app.id, before: NEWEST, limit: CONSIDERED });
    const failing = listFailing(rows, ctx.clock.now() - 28 * DAY).map(({ id, series, created_at }) => ({
      name: series ?? '',
      path: { test_run_id: id, ...(series ? { test_series_slug: series } : {}) },
      at: toIso(created_at),
    }));
    return {
      test_runs: rows.slice(0, OVERVIEW_ROWS).map((row) => {
        const { passed, failed } = parseStats(row);
        const { id, series, status, result, created_at } = row;
        return { id, ...(series ? { series } : {}), status, result, passed, failed, created_at: toIso(created_at) };
      }),
      attention: summarize('failed_test_run', 'urgent', failing),
    };
  },
};
