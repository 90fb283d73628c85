import { type Fixtures, putId } from '../fixtures/fixtures.ts';
import { analyticsCharts_create, analyticsCharts_delete, analyticsCharts_update } from './charts.contract.ts';
import { chartsExamples } from './charts.examples.ts';

/** The chart that the examples refer to. */
export async function addChart({ ada, ids }: Fixtures): Promise<void> {
  const { params, body } = chartsExamples.analyticsCharts_create;
  const { id } = await ada.call(analyticsCharts_create, { params, body });
  for (const spec of [analyticsCharts_update, analyticsCharts_delete]) putId({ ids }, spec, 'chart_id', id);
}
