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
} from './asked.ts';

const params = Type.Object(AppPath);
const query = Type.Object({ ...Range, ...Interval, ...Versions });
const Duration = Type.String({ description: 'ISO 8601, such as `PT1M30S`; `PT0S` if there is none.' });

export const Analytics_SessionCounts = endpoint({
  ...reading,
  id: 'Analytics_SessionCounts',
  path: `${at}/session_counts`,
  summary: 'Counts sessions',
  params,
  query,
  response: json(Counts, { description: 'The counts.' }),
});

export const Analytics_PerDeviceCounts = endpoint({
  ...reading,
  ...numbered,
  id: 'Analytics_PerDeviceCounts',
  path: `${at}/sessions_per_device`,
  summary: 'Tells how many sessions an active device had',
  description: 'Averages are of the ratios of the days. `previous_` is the range before, which is as long.',
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
  summary: 'Counts sessions by how long they lasted',
  description:
    'A session lasts until its last log, at most a day; one of which there is a single log has no length and is left out.',
  params,
  query: RangeQuery,
  response: json(
    Type.Object({
      distribution: Type.Array(Type.Object({ bucket: Type.String(), count: Count })),
      previous_average_duration: Duration,
      average_duration: Duration,
    }),
    { description: 'The counts, from short to long.' },
  ),
});
