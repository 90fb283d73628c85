import type { AppCtx } from '../../context.ts';
import { lock } from '../../db/locks.ts';
import { tx } from '../../db/tx.ts';
import { badRequest, notFound } from '../../kernel/errors.ts';
import { appSubject } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { slugOf } from './slugs.ts';
import {
  deleteSeriesRow,
  findSeries,
  insertSeries,
  leaveSeries,
  listSeriesRows,
  renameSeries,
  type SeriesRow,
} from './test-series.store.ts';

const MOST_SERIES = 1000;

/** The series of that name, made if there is none, in the caller's transaction; says its slug. */
export async function noteSeries(ctx: AppCtx, name: string): Promise<string> {
  const slug = slugOf(name);
  await insertSeries.run(ctx.db, { app_id: ctx.app.id, slug, name, active_at: ctx.clock.now() });
  return slug;
}

export async function listSeries({ db, app }: AppCtx, part = ''): Promise<SeriesRow[]> {
  const rows = await listSeriesRows.all(db, { appId: app.id, limit: MOST_SERIES });
  const wanted = part.toLowerCase();
  return rows.filter(({ name, slug }) => name.toLowerCase().includes(wanted) || slug.includes(wanted));
}

export async function getSeries({ db, app }: Pick<AppCtx, 'db' | 'app'>, slug: string): Promise<SeriesRow> {
  const row = await findSeries.first(db, { appId: app.id, slug: slug.toLowerCase() });
  if (!row) throw notFound('test series', slug);
  return row;
}

export const createSeries = (ctx: AppCtx, name: string): Promise<SeriesRow> =>
  tx(ctx, async (ctx) => {
    const slug = slugOf(name);
    await lock(ctx, 'limits', `test-series ${ctx.app.id}`);
    if (await findSeries.first(ctx.db, { appId: ctx.app.id, slug })) {
      throw badRequest(`There is a test series "${name}" already.`);
    }
    if ((await listSeriesRows.all(ctx.db, { appId: ctx.app.id, limit: MOST_SERIES })).length >= MOST_SERIES) {
      throw badRequest(`There are ${MOST_SERIES} test series; remove one first.`);
    }
    await noteSeries(ctx, name);
    await record(ctx, 'test_series.create', appSubject(ctx.app), { after: { test_series: slug, name } });
    return getSeries(ctx, slug);
  });

export const updateSeries = (ctx: AppCtx, slug: string, name: string): Promise<SeriesRow> =>
  tx(ctx, async (ctx) => {
    const before = await getSeries(ctx, slug);
    await renameSeries.run(ctx.db, { appId: ctx.app.id, slug: before.slug, name });
    await record(ctx, 'test_series.update', appSubject(ctx.app), {
      before: { test_series: before.slug, name: before.name },
      after: { test_series: before.slug, name },
    });
    return getSeries(ctx, slug);
  });

export const deleteSeries = (ctx: AppCtx, slug: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const before = await getSeries(ctx, slug);
    const which = { appId: ctx.app.id, slug: before.slug };
    await leaveSeries.run(ctx.db, which);
    await deleteSeriesRow.run(ctx.db, which);
    await record(ctx, 'test_series.delete', appSubject(ctx.app), { before: { test_series: slug, name: before.name } });
  });
