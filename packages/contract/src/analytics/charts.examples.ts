import type { EndpointExamples } from '../endpoint/example.ts';

const params = { owner_name: 'ada', app_name: 'compass' };
const one = { ...params, chart_id: '0192f3d0-0000-7000-8000-0000000000ca' };
const body = {
  name: 'Paying users',
  question: {
    kind: 'breakdown' as const,
    days: 28,
    measure: 'devices' as const,
    event: 'checkout',
    by: ['property:plan'],
    interval: 'P1D' as const,
  },
};
const chart = { ...body, id: one.chart_id, changed_at: '2026-11-01T09:00:00.000Z' };

export const chartsExamples = {
  analyticsCharts_list: { params, response: { values: [chart] } },
  analyticsCharts_create: { params, body, response: chart },
  analyticsCharts_update: { params: one, body, response: chart },
  analyticsCharts_delete: { params: one },
} satisfies EndpointExamples<typeof import('./charts.contract.ts')>;
