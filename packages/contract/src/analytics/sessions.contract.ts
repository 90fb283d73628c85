import { endpoint, json } from '../endpoint/index.ts';
import { Type } from '../type.ts';
import {
  AppPath,
  at,
  Count,
  Counts,
  Interval,
  numbered,
  Range,
  RangeQuery,
  Ratios,
  reading,
  Versions,
} from './query-range.ts';

const params = Type.Object(AppPath);
const query = Type.Object({ ...Range, ...Interval, ...Versions });
const Duration = Type.String({
  description: 'An ISO 8601 duration such as `PT1M30S`. `PT0S` if there are no sessions.',
});

export const Analytics_SessionCounts = endpoint({
  ...reading,
  id: 'Analytics_SessionCounts',
  path: `${at}/session_counts`,
  summary: 'Count sessions',
  params,
  query,
  response: json(Counts, { description: 'The counts.' }),
});

export const Analytics_PerDeviceCounts = endpoint({
  ...reading,
  ...numbered,
  id: 'Analytics_PerDeviceCounts',
  path: `${at}/sessions_per_device`,
  summary: 'Get the number of sessions per active device, by day',
  description:
    'Averages are the mean of the daily ratios. Fields with `previous_` cover the preceding range of the same length.',
  params,
  query,
  response: json(
    Type.Object({
      average_sessions_per_user: Type.Number(),
      previous_average_sessions_per_user: Type.Number(),
      total_count: Count,
      previous_total_count: Count,
      sessions_per_user: Ratios,
    }),
    { description: 'The ratios.' },
  ),
});

export const Analytics_SessionDurationsDistribution = endpoint({
  ...reading,
  ...numbered,
  id: 'Analytics_SessionDurationsDistribution',
  path: `${at}/session_durations_distribution`,
  summary: 'Count sessions by duration',
  description:
    'A session lasts until its last log, at most a day. Sessions with a single log have no duration and are not counted.',
  params,
  query: RangeQuery,
  response: json(
    Type.Object({
      distribution: Type.Array(Type.Object({ bucket: Type.String(), count: Count })),
      previous_average_duration: Duration,
      average_duration: Duration,
    }),
    { description: 'The counts, by increasing duration.' },
  ),
});
