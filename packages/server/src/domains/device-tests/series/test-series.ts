import type { AppCtx } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { badRequest, notFound } from '../../../kernel/errors.ts';
import { appSubject } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { toSlug } from '../slugs.ts';
import {
  deleteSeriesRow,
  findSeries,
  insertSeries,
  leaveSeries,
  listSeriesRows,
  renameSeries,
  type SeriesRow,
} from './test-series.store.ts';

const MAX_SERIES = 1000;

/** Returns the slug of the series with this name, and creates it if necessary. Call in a transaction. */
export async function noteSeries(ctx: AppCtx, name: string): Promise<string> {
  const slug = toSlug(name);
  await insertSeries.run(ctx.db, { app_id: ctx.app.id, slug, name, active_at: ctx.clock.now() });
  return slug;
}

export async function listSeries({ db, app }: AppCtx, part = ''): Promise<SeriesRow[]> {
  const rows = await listSeriesRows.all(db, { appId: app.id, limit: MAX_SERIES });
  const searchText = part.toLowerCase();
  return rows.filter(({ name, slug }) => name.toLowerCase().includes(searchText) || slug.includes(searchText));
}

export async function getSeries({ db, app }: Pick<AppCtx, 'db' | 'app'>, slug: string): Promise<SeriesRow> {
  const row = await findSeries.first(db, { appId: app.id, slug: slug.toLowerCase() });
  if (!row) throw notFound('test series', slug);
  return row;
}

export const createSeries = (ctx: AppCtx, name: string): Promise<SeriesRow> =>
  tx(ctx, async (ctx) => {
    const slug = toSlug(name);
    await lock(ctx, 'limits', `test-series ${ctx.app.id}`);
    if (await findSeries.first(ctx.db, { appId: ctx.app.id, slug })) {
      throw badRequest(`A test series named "${name}" already exists. Choose another name.`);
    }
    if ((await listSeriesRows.all(ctx.db, { appId: ctx.app.id, limit: MAX_SERIES })).length >= MAX_SERIES) {
      throw badRequest(`An app can have at most ${MAX_SERIES} test series. Delete one first.`);
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
