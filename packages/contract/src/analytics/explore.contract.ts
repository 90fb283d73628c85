import { endpoint, json } from '../endpoint/index.ts';
import { Type } from '../type.ts';
import { AppPath, at, Bucket, Count, GivenName, Interval, Range, reading, Time } from './asked.ts';
import {
  ChartGrouping,
  chartDimensions,
  chartIntervals,
  chartMeasures,
  Filters,
  FunnelSteps,
  Times,
  Within,
} from './explored.ts';

export { chartDimensions, chartIntervals, chartMeasures, MOST_BUCKETS, MOST_FUNNEL_STEPS } from './explored.ts';

// Beyond what clients of old ask: any measure, any range, one thing after the other.

const params = Type.Object(AppPath);

export const analytics_breakdown = endpoint({
  ...reading,
  id: 'analytics_breakdown',
  path: `${at}/breakdown`,
  summary: 'Counts devices, sessions, events or crashes by up to two things, in buckets of any range',
  description:
    'Devices are those that were active, or that sent the event if one is named; sessions those that began, or in which the event happened. A distinct count of the whole is not the sum of its parts. Groups come by their total, most first.',
  params,
  query: Type.Object({
    ...Times,
    ...Filters,
    measure: Type.Enum([...chartMeasures]),
    event: Type.Optional(GivenName),
    by: Type.Optional(
      Type.Union([ChartGrouping, Type.Array(ChartGrouping, { maxItems: 2 })], {
        description: `Up to two of ${chartDimensions.join(', ')}; of events also \`event\` for their names or, with one that is named, \`property:\` and the name of a property.`,
      }),
    ),
    interval: Type.Optional(
      Type.Enum([...chartIntervals], {
        description: 'How long a bucket is, from `start` on; one bucket for all if absent.',
      }),
    ),
    $top: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'How many groups, 10 if absent.' })),
  }),
  response: json(
    Type.Object({
      total: Count,
      group_count: Type.Integer({ minimum: 0, description: 'How many groups there are, shown or not.' }),
      buckets: Type.Array(Bucket),
      counts: Type.Array(Count, { description: 'Of all groups together, for each bucket.' }),
      groups: Type.Array(Type.Object({ values: Type.Array(Type.String()), total: Count, counts: Type.Array(Count) })),
    }),
    { description: 'The counts, one for each bucket.' },
  ),
});

export const analytics_funnel = endpoint({
  ...reading,
  id: 'analytics_funnel',
  method: 'POST',
  path: `${at}/funnel`,
  summary: 'Counts the devices that did one thing after the other',
  description:
    'Each step happens later than the one before, on the same device; what happens in between does not matter.',
  params,
  request: json(Type.Object({ ...Range, ...Filters, steps: FunnelSteps, within_seconds: Type.Optional(Within) })),
  response: json(
    Type.Object({
      steps: Type.Array(
        Type.Object({
          event: Type.String(),
          device_count: Count,
          of_first: Type.Number({ description: 'Which part of those of the first step; 0 to 1.' }),
          of_previous: Type.Number({ description: 'Which part of those of the step before; 0 to 1.' }),
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
  summary: 'Tells how many devices come back, by when they were first seen',
  description: 'First seen as far back as logs are kept, among those that match the filters.',
  params,
  query: Type.Object({ ...Range, ...Interval, ...Filters }),
  response: json(
    Type.Object({
      cohorts: Type.Array(
        Type.Object({
          datetime: Bucket,
          device_count: Type.Integer({ minimum: 0, description: 'First seen then.' }),
          active_counts: Type.Array(Count, {
            description: 'Of these, active in that bucket and in each later one.',
          }),
        }),
      ),
    }),
    { description: 'One for each bucket, in order.' },
  ),
});

export const analytics_sessionPaths = endpoint({
  ...reading,
  id: 'analytics_sessionPaths',
  path: `${at}/session_paths`,
  summary: 'Shows what happens in sessions, one event or page after the other',
  description: 'What comes several times in a row, such as a page that is opened again, is one step.',
  params,
  query: Type.Object({
    ...Range,
    ...Filters,
    from: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'Begin with the first of this name; with the session if absent.',
      }),
    ),
    length: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, description: 'How many names; 5 if absent.' })),
    $top: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: 'How many paths, 50 if absent.' })),
  }),
  response: json(
    Type.Object({
      session_count: Count,
      path_count: Type.Integer({ minimum: 0, description: 'How many different paths there are.' }),
      paths: Type.Array(Type.Object({ names: Type.Array(Type.String()), session_count: Count })),
    }),
    { description: 'The paths that most sessions took first.' },
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
      Type.String({ description: 'The same for all logs of a session; not the id that the SDK has.' }),
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
  summary: 'Finds single events and pages, with their properties',
  params,
  query: Type.Object({
    ...Times,
    ...Filters,
    event: Type.Optional(GivenName),
    install_id: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    user_id: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    session_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'As answers have it, or as the SDK does (`sid`); its case does not matter.',
      }),
    ),
    property: Type.Optional(GivenName),
    value: Type.Optional(Type.String({ maxLength: 256, description: 'Only with this value of the property.' })),
    $top: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'How many, 50 if absent.' })),
    $skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
  }),
  response: json(
    Type.Object({
      logs: Type.Array(FoundLog),
      has_more: Type.Boolean({ description: 'There are more; ask with `$skip`, or for less time.' }),
    }),
    { description: 'The logs, newest first.' },
  ),
});
