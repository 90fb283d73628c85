import type { analyticsCharts_create, EndpointInput } from '@mooring/contract';
import type { AppCtx } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { conflict, notFound } from '../../../kernel/errors.ts';
import { jsonCodec, objectOutline } from '../../../kernel/text/json-codec.ts';
import { appSubject } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import {
  type ChartRow,
  deleteChartRow,
  findChart,
  insertChart,
  listChartRows,
  updateChartRow,
} from './charts.store.ts';

const questionCodec = jsonCodec('analytics_charts.question', objectOutline<ChartChange['question']>());

export type ChartChange = EndpointInput<typeof analyticsCharts_create>['body'];

/** A saved query. */
export interface Chart extends ChartChange {
  id: string;
  changedAt: number;
}

const toChart = (row: ChartRow): Chart => ({
  id: row.id,
  name: row.name,
  question: questionCodec.parse(row.question),
  changedAt: row.changed_at,
});

export const listCharts = async (ctx: AppCtx): Promise<Chart[]> =>
  (await listChartRows.all(ctx.db, { appId: ctx.app.id })).map(toChart);

const toRecord = ({ name, question }: ChartChange) => ({ name, question: JSON.stringify(question) });

export const createChart = (ctx: AppCtx, change: ChartChange): Promise<Chart> =>
  tx(ctx, async (ctx) => {
    const appId = ctx.app.id;
    await lock(ctx, 'analytics-charts', appId);
    const most = ctx.config.analyticsCharts;
    if ((await listChartRows.all(ctx.db, { appId })).length >= most) {
      throw conflict(`An app can have at most ${most} charts. Delete one first.`);
    }
    const chart: Chart = { id: ctx.newId(), changedAt: ctx.clock.now(), ...change };
    await insertChart.run(ctx.db, { app_id: appId, id: chart.id, ...toRecord(change), changed_at: chart.changedAt });
    await record(ctx, 'analytics_chart.create', appSubject(ctx.app), { after: toRecord(change) });
    return chart;
  });

async function readChart(ctx: AppCtx, id: string): Promise<Chart> {
  const row = await findChart.first(ctx.db, { appId: ctx.app.id, id });
  if (!row) throw notFound('chart', id);
  return toChart(row);
}

export const updateChart = (ctx: AppCtx, id: string, change: ChartChange): Promise<Chart> =>
  tx(ctx, async (ctx) => {
    const before = await readChart(ctx, id);
    const now = ctx.clock.now();
    await updateChartRow.run(ctx.db, { appId: ctx.app.id, id, ...toRecord(change), now });
    await record(ctx, 'analytics_chart.update', appSubject(ctx.app), {
      before: toRecord(before),
      after: toRecord(change),
    });
    return { id, changedAt: now, ...change };
  });

export const deleteChart = (ctx: AppCtx, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const before = await readChart(ctx, id);
    await deleteChartRow.run(ctx.db, { appId: ctx.app.id, id });
    await record(ctx, 'analytics_chart.delete', appSubject(ctx.app), { before: toRecord(before) });
  });
