import { endpoint, json } from '../endpoint/index.ts';
import { Type } from '../type.ts';
import { AppPath, at, Count, Counts, numbered, Percentages, Range, RangeQuery, reading } from './asked.ts';

const params = Type.Object(AppPath);

export const Analytics_CrashCounts = endpoint({
  ...reading,
  ...numbered,
  id: 'Analytics_CrashCounts',
  path: `${at}/crash_counts`,
  summary: 'Counts crashes by day',
  params,
  query: RangeQuery,
  response: json(Type.Object({ count: Count, crashes: Counts }), { description: 'The counts.' }),
});

export const Analytics_CrashFreeDevicePercentages = endpoint({
  ...reading,
  ...numbered,
  id: 'Analytics_CrashFreeDevicePercentages',
  path: `${at}/crashfree_device_percentages`,
  summary: 'Tells how many active devices did not crash, by day',
  description:
    'A device that crashes counts as active. The average is of the whole range. 100 where nothing was active.',
  params,
  query: Type.Object({ ...Range, version: Type.String({ minLength: 1, maxLength: 256 }) }),
  response: json(Type.Object({ average_percentage: Type.Number(), daily_percentages: Percentages }), {
    description: 'The percentages.',
  }),
});
