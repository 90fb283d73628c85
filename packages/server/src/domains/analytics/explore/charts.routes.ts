import {
  analyticsCharts_create,
  analyticsCharts_delete,
  analyticsCharts_list,
  analyticsCharts_update,
} from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';
import { type Chart, createChart, deleteChart, listCharts, updateChart } from './charts.ts';

const toWire = ({ id, name, question, changedAt }: Chart) => ({ id, name, question, changed_at: toIso(changedAt) });

export const chartRoutes = [
  route(analyticsCharts_list, async (ctx) => ({ values: (await listCharts(ctx)).map(toWire) })),
  route(analyticsCharts_create, async (ctx, { body }) => toWire(await createChart(ctx, body))),
  route(analyticsCharts_update, async (ctx, { params, body }) => toWire(await updateChart(ctx, params.chart_id, body))),
  route(analyticsCharts_delete, (ctx, { params }) => deleteChart(ctx, params.chart_id)),
];
