import { endpoint, json } from '../endpoint/index.ts';
import { Type } from '../type.ts';
import {
  ChartGrouping,
  chartDimensions,
  chartIntervals,
  chartMeasures,
  Filters,
  FunnelSteps,
  Times,
  Within,
} from './explore-fields.ts';
import { AppPath, at, Bucket, Count, CustomName, Interval, Range, reading, Time } from './query-range.ts';

export { chartDimensions, chartIntervals, chartMeasures, MAX_BUCKETS, MAX_FUNNEL_STEPS } from './explore-fields.ts';

// Extends the operations of existing clients: any measure, any range, and sequences of events.

const params = Type.Object(AppPath);

export const analytics_breakdown = endpoint({
  ...reading,
  id: 'analytics_breakdown',
  path: `${at}/breakdown`,
  summary: 'Count devices, sessions, events or crashes by up to two dimensions, in buckets of any range',
  description:
    'Counts devices that were active, or that sent `event` if set; and sessions that started, or that contain the event. Distinct counts of groups may add up to more than the total. Groups with the highest totals come first.',
  params,
  query: Type.Object({
    ...Times,
    ...Filters,
    measure: Type.Enum([...chartMeasures]),
    event: Type.Optional(CustomName),
    by: Type.Optional(
      Type.Union([ChartGrouping, Type.Array(ChartGrouping, { maxItems: 2 })], {
        description: `Up to two of ${chartDimensions.join(', ')}. For events also \`event\` to group by name or, if \`event\` is set, \`property:\` and the name of a property.`,
      }),
    ),
    interval: Type.Optional(
      Type.Enum([...chartIntervals], {
        description: 'The length of a bucket, counted from `start` (default: one bucket for the whole range).',
      }),
    ),
    $top: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 200, description: 'The maximum number of groups (default 10).' }),
    ),
  }),
  response: json(
    Type.Object({
      total: Count,
      group_count: Type.Integer({ minimum: 0, description: 'The number of all groups, including those not returned.' }),
      buckets: Type.Array(Bucket),
      counts: Type.Array(Count, { description: 'The count of all groups together in each bucket.' }),
      groups: Type.Array(Type.Object({ values: Type.Array(Type.String()), total: Count, counts: Type.Array(Count) })),
    }),
    { description: 'The counts of each bucket.' },
  ),
});

export const analytics_funnel = endpoint({
  ...reading,
  id: 'analytics_funnel',
  method: 'POST',
  path: `${at}/funnel`,
  summary: 'Count the devices that completed a sequence of events',
  description: 'Each step occurs later than the previous one, on the same device. Other events may occur in between.',
  params,
  request: json(Type.Object({ ...Range, ...Filters, steps: FunnelSteps, within_seconds: Type.Optional(Within) })),
  response: json(
    Type.Object({
      steps: Type.Array(
        Type.Object({
          event: Type.String(),
          device_count: Count,
          of_first: Type.Number({ description: 'The share of devices of the first step, from 0 to 1.' }),
          of_previous: Type.Number({ description: 'The share of devices of the previous step, from 0 to 1.' }),
        }),
      ),
    }),
    { description: 'The steps, in order.' },
  ),
});

export const analytics_retention = endpoint({
  ...reading,
  id: 'analytics_retention',
  path: `${at}/retention`,
  summary: 'Count the devices that return, by when they were first seen',
  description: 'A device counts as first seen at its oldest stored log. Only devices that match the filters count.',
  params,
  query: Type.Object({ ...Range, ...Interval, ...Filters }),
  response: json(
    Type.Object({
      cohorts: Type.Array(
        Type.Object({
          datetime: Bucket,
          device_count: Type.Integer({ minimum: 0, description: 'The number of devices first seen in this bucket.' }),
          active_counts: Type.Array(Count, {
            description: 'How many of these devices were active in this bucket and in each later one.',
          }),
        }),
      ),
    }),
    { description: 'The cohorts, one for each bucket, in order.' },
  ),
});

export const analytics_sessionPaths = endpoint({
  ...reading,
  id: 'analytics_sessionPaths',
  path: `${at}/session_paths`,
  summary: 'Get the most common sequences of events and pages in sessions',
  description: 'Repetitions in a row, such as a page that is opened again, count as one step.',
  params,
  query: Type.Object({
    ...Range,
    ...Filters,
    from: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'Start each path with the first occurrence of this name (default: the start of the session).',
      }),
    ),
    length: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10, description: 'The maximum number of names in a path (default 5).' }),
    ),
    $top: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 500, description: 'The maximum number of paths (default 50).' }),
    ),
  }),
  response: json(
    Type.Object({
      session_count: Count,
      path_count: Type.Integer({ minimum: 0, description: 'The number of distinct paths.' }),
      paths: Type.Array(Type.Object({ names: Type.Array(Type.String()), session_count: Count })),
    }),
    { description: 'The paths, most common first.' },
  ),
});

const text = Type.Optional(Type.String());
const FoundLog = Type.Object(
  {
    type: Type.String(),
    timestamp: Time,
    name: text,
    install_id: Type.String(),
    session_id: Type.Optional(
      Type.String({ description: 'Identifies the session within this app; not the ID that the SDK uses.' }),
    ),
    user_id: text,
    device: Type.Object({
      app_version: Type.String(),
      app_build: Type.String(),
      country: Type.String(),
      model: Type.String(),
      oem_name: Type.String(),
      os: Type.String(),
      language: Type.String(),
      carrier: Type.String(),
    }),
    properties: Type.Record(Type.String(), Type.String()),
  },
  { $id: 'FoundLog' },
);

export const analytics_searchLogs = endpoint({
  ...reading,
  id: 'analytics_searchLogs',
  path: `${at}/event_logs`,
  summary: 'Search single events and pages, with their properties',
  params,
  query: Type.Object({
    ...Times,
    ...Filters,
    event: Type.Optional(CustomName),
    install_id: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    user_id: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    session_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'A session ID from a response, or of the SDK (`sid`). Ignores case.',
      }),
    ),
    property: Type.Optional(CustomName),
    value: Type.Optional(Type.String({ maxLength: 256, description: 'Only events with this value of the property.' })),
    $top: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 200, description: 'The maximum number of logs (default 50).' }),
    ),
    $skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
  }),
  response: json(
    Type.Object({
      logs: Type.Array(FoundLog),
      has_more: Type.Boolean({ description: 'True if more logs match. Use `$skip` or a shorter range to get them.' }),
    }),
    { description: 'The logs, newest first.' },
  ),
});
