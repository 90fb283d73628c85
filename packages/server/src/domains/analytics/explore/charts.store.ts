import { insertInto, statement } from '../analytics.tables.ts';

const shown = ['id', 'name', 'question', 'changed_at'] as const;

export const listChartRows = statement((q, p: { appId: string }) =>
  q.selectFrom('analytics_charts').select(shown).where('app_id', '=', p.appId).orderBy('name').orderBy('id'),
);
export type ChartRow = Awaited<ReturnType<typeof listChartRows.all>>[number];

export const findChart = statement((q, p: { appId: string; id: string }) =>
  q.selectFrom('analytics_charts').select(shown).where('app_id', '=', p.appId).where('id', '=', p.id),
);

export const insertChart = insertInto('analytics_charts');

export const updateChartRow = statement(
  (q, p: { appId: string; id: string; name: string; question: string; now: number }) =>
    q
      .updateTable('analytics_charts')
      .set({ name: p.name, question: p.question, changed_at: p.now })
      .where('app_id', '=', p.appId)
      .where('id', '=', p.id),
);

export const deleteChartRow = statement((q, p: { appId: string; id: string }) =>
  q.deleteFrom('analytics_charts').where('app_id', '=', p.appId).where('id', '=', p.id),
);
