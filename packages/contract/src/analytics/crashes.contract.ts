import { endpoint, json } from '../endpoint/index.ts';
import { Type } from '../type.ts';
import { AppPath, at, Count, Counts, numbered, Percentages, Range, RangeQuery, reading } from './query-range.ts';

const params = Type.Object(AppPath);

export const Analytics_CrashCounts = endpoint({
  ...reading,
  ...numbered,
  id: 'Analytics_CrashCounts',
  path: `${at}/crash_counts`,
  summary: 'Count crashes by day',
  params,
  query: RangeQuery,
  response: json(Type.Object({ count: Count, crashes: Counts }), { description: 'The counts.' }),
});

export const Analytics_CrashFreeDevicePercentages = endpoint({
  ...reading,
  ...numbered,
  id: 'Analytics_CrashFreeDevicePercentages',
  path: `${at}/crashfree_device_percentages`,
  summary: 'Get the percentage of active devices without a crash, by day',
  description:
    'A device that crashes counts as active. The average covers the whole range. Days without active devices have 100%.',
  params,
  query: Type.Object({ ...Range, version: Type.String({ minLength: 1, maxLength: 256 }) }),
  response: json(Type.Object({ average_percentage: Type.Number(), daily_percentages: Percentages }), {
    description: 'The percentages.',
  }),
});
