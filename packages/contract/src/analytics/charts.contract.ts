import { empty, endpoint, json } from '../endpoint/index.ts';
import { Type } from '../type.ts';
import { AppPath, at, GivenName, reading, Time } from './asked.ts';
import { ChartGrouping, chartIntervals, chartMeasures, FunnelSteps, Within } from './explored.ts';

/** Of how many days, up to today: a chart that is kept shows what is new when it is looked at. */
const days = Type.Integer({ minimum: 1, maximum: 3650 });
const Values = Type.Optional(Type.Array(Type.String({ maxLength: 256 }), { maxItems: 50 }));
const filters = Type.Optional(
  Type.Object({
    versions: Values,
    builds: Values,
    countries: Values,
    models: Values,
    oses: Values,
    languages: Values,
    carriers: Values,
  }),
);

const ChartQuestion = Type.Union(
  [
    Type.Object({
      kind: Type.Literal('breakdown'),
      days,
      filters,
      measure: Type.Enum([...chartMeasures]),
      event: Type.Optional(GivenName),
      by: Type.Array(ChartGrouping, { maxItems: 2 }),
      interval: Type.Optional(Type.Enum([...chartIntervals])),
    }),
    Type.Object({
      kind: Type.Literal('funnel'),
      days,
      filters,
      steps: FunnelSteps,
      within_seconds: Type.Optional(Within),
    }),
    Type.Object({ kind: Type.Literal('retention'), days, filters, interval: Type.Enum(['P1D', 'P1W', 'P30D']) }),
  ],
  { $id: 'ChartQuestion' },
);

const ChartChange = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: 128, pattern: '\\S' }), question: ChartQuestion },
  { $id: 'ChartChange' },
);

const Chart = Type.Object(
  { id: Type.String(), name: Type.String(), question: ChartQuestion, changed_at: Time },
  { $id: 'Chart' },
);

const params = Type.Object(AppPath);
const one = { path: `${at}/charts/{chart_id}`, params: Type.Object({ ...AppPath, chart_id: GivenName }) } as const;
const changing = { ...reading, access: 'app:developer', effect: 'change' } as const;

export const analyticsCharts_list = endpoint({
  ...reading,
  id: 'analyticsCharts_list',
  path: `${at}/charts`,
  summary: 'Lists the charts that were kept for an app',
  params,
  response: json(Type.Object({ values: Type.Array(Chart) }), { description: 'The charts, by name.' }),
});

export const analyticsCharts_create = endpoint({
  ...changing,
  id: 'analyticsCharts_create',
  method: 'POST',
  path: `${at}/charts`,
  summary: 'Keeps a chart for everybody who can see the app',
  params,
  request: json(ChartChange),
  response: json(Chart, { status: 201, description: 'The chart.' }),
  errors: [400, 403, 404, 409],
});

export const analyticsCharts_update = endpoint({
  ...changing,
  ...one,
  id: 'analyticsCharts_update',
  method: 'PUT',
  summary: 'Replaces a chart',
  request: json(ChartChange),
  response: json(Chart, { description: 'The chart.' }),
});

export const analyticsCharts_delete = endpoint({
  ...changing,
  ...one,
  id: 'analyticsCharts_delete',
  method: 'DELETE',
  summary: 'Deletes a chart; what it showed stays',
  response: empty({ description: 'It is gone.' }),
});
