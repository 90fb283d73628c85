import {
  test_createTestSeries,
  test_deleteTestSeries,
  test_getAllTestRunsForSeries,
  test_getAllTestSeries,
  test_patchTestSeries,
} from '@mooring/contract';
import type { AppCtx } from '../../../context.ts';
import { route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';
import { listSeriesRuns, parseStats } from '../runs/test-runs.ts';
import { describeRun, runToWire } from '../runs/test-runs.wire.ts';
import type { SeriesRow } from './test-series.store.ts';
import { createSeries, deleteSeries, getSeries, listSeries, updateSeries } from './test-series.ts';

const VISIBLE_RUNS = 10;

const toWire = async (ctx: AppCtx, { slug, name, active_at }: SeriesRow) => ({
  slug,
  name,
  mostRecentActivity: toIso(active_at),
  testRuns: (await listSeriesRuns(ctx, slug)).slice(0, VISIBLE_RUNS).map((row) => ({
    date: toIso(row.created_at),
    statusDescription: describeRun(row),
    failed: parseStats(row).failed,
    passed: parseStats(row).passed,
    completed: row.status === 'finished',
  })),
});

export const testSeriesRoutes = [
  route(test_getAllTestSeries, async (ctx, { query }) => {
    const all = [];
    for (const row of await listSeries(ctx, query.query)) all.push(await toWire(ctx, row));
    return all;
  }),
  route(test_createTestSeries, async (ctx, { body }) => toWire(ctx, await createSeries(ctx, body.name.trim()))),
  route(test_patchTestSeries, async (ctx, { params, body }) =>
    toWire(ctx, await updateSeries(ctx, params.test_series_slug, body.name.trim())),
  ),
  route(test_deleteTestSeries, (ctx, { params }) => deleteSeries(ctx, params.test_series_slug)),
  route(test_getAllTestRunsForSeries, async (ctx, { params }) => {
    const { slug } = await getSeries(ctx, params.test_series_slug);
    return (await listSeriesRuns(ctx, slug)).map((row) => runToWire(row));
  }),
];
