import { insertInto, statement, type TestSeriesTable } from '../device-tests.tables.ts';

export type SeriesRow = TestSeriesTable;

export const insertSeries = insertInto('test_series', (insert, p) =>
  insert.onConflict((c) => c.columns(['app_id', 'slug']).doUpdateSet({ active_at: p.active_at })).returningAll(),
);

export const findSeries = statement((q, p: { appId: string; slug: string }) =>
  q.selectFrom('test_series').selectAll().where('app_id', '=', p.appId).where('slug', '=', p.slug),
);

export const listSeriesRows = statement((q, p: { appId: string; limit: number }) =>
  q
    .selectFrom('test_series')
    .selectAll()
    .where('app_id', '=', p.appId)
    .orderBy('active_at', 'desc')
    .orderBy('slug')
    .limit(p.limit),
);

export const renameSeries = statement((q, p: { appId: string; slug: string; name: string }) =>
  q.updateTable('test_series').set({ name: p.name }).where('app_id', '=', p.appId).where('slug', '=', p.slug),
);

export const deleteSeriesRow = statement((q, p: { appId: string; slug: string }) =>
  q.deleteFrom('test_series').where('app_id', '=', p.appId).where('slug', '=', p.slug),
);

export const leaveSeries = statement((q, p: { appId: string; slug: string }) =>
  q.updateTable('test_runs').set({ series: null }).where('app_id', '=', p.appId).where('series', '=', p.slug),
);
