import { empty, endpoint, json } from '../endpoint/index.ts';
import { Type } from '../type.ts';
import { ChartGrouping, chartIntervals, chartMeasures, FunnelSteps, Within } from './explore-fields.ts';
import { AppPath, at, CustomName, reading, Time } from './query-range.ts';

/** The length of the range in days, up to today: a saved chart always shows current data. */
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

const ChartQuery = Type.Union(
  [
    Type.Object({
      kind: Type.Literal('breakdown'),
      days,
      filters,
      measure: Type.Enum([...chartMeasures]),
      event: Type.Optional(CustomName),
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
  { name: Type.String({ minLength: 1, maxLength: 128, pattern: '\\S' }), question: ChartQuery },
  { $id: 'ChartChange' },
);

const Chart = Type.Object(
  { id: Type.String(), name: Type.String(), question: ChartQuery, changed_at: Time },
  { $id: 'Chart' },
);

const params = Type.Object(AppPath);
const one = { path: `${at}/charts/{chart_id}`, params: Type.Object({ ...AppPath, chart_id: CustomName }) } as const;
const changing = { ...reading, access: 'app:developer', effect: 'change' } as const;

export const analyticsCharts_list = endpoint({
  ...reading,
  id: 'analyticsCharts_list',
  path: `${at}/charts`,
  summary: 'List the saved charts of an app',
  params,
  response: json(Type.Object({ values: Type.Array(Chart) }), { description: 'The charts, sorted by name.' }),
});

export const analyticsCharts_create = endpoint({
  ...changing,
  id: 'analyticsCharts_create',
  method: 'POST',
  path: `${at}/charts`,
  summary: 'Save a chart for all users who can see the app',
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
  summary: 'Replace a chart',
  request: json(ChartChange),
  response: json(Chart, { description: 'The chart.' }),
});

export const analyticsCharts_delete = endpoint({
  ...changing,
  ...one,
  id: 'analyticsCharts_delete',
  method: 'DELETE',
  summary: 'Delete a chart; its data stays',
  response: empty({ description: 'Deleted.' }),
});
