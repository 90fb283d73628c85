import type { TArray, TInteger, TString } from 'typebox';
import { endpoint, json } from '../endpoint/index.ts';
import { Type } from '../type.ts';
import { AppPath, at, Count, Counts, numbered, Range, reading, TopQuery, Versions } from './query-range.ts';

const params = Type.Object(AppPath);

export const Analytics_DeviceCounts = endpoint({
  ...reading,
  ...numbered,
  id: 'Analytics_DeviceCounts',
  path: `${at}/active_device_counts`,
  summary: 'Count active devices by day, week and month',
  description:
    'Each day has the devices that were active on it, and in the 7 and 28 days that end with it. A device is active if it started a session, showed a page or sent an event.',
  params,
  query: Type.Object({
    ...Range,
    ...Versions,
    app_build: Type.Optional(
      Type.String({
        maxLength: 256,
        description: 'Only this build. Ignored if it equals one of the versions, which some clients send here.',
      }),
    ),
  }),
  response: json(Type.Object({ daily: Counts, weekly: Counts, monthly: Counts }), { description: 'The counts.' }),
});

/** Counts distinct devices by a property that they report. */
const listing = <const Id extends string, const Name extends string, const Value extends string>(
  id: Id,
  name: Name,
  value: Value,
  { path, summary }: { path: string; summary: string },
) => {
  const Row = Type.Object({ [value]: Type.String(), count: Count, previous_count: Count } as Record<Value, TString> & {
    count: TInteger;
    previous_count: TInteger;
  });
  const properties = { total: Count, [name]: Type.Array(Row) } as { total: TInteger } & Record<
    Name,
    TArray<typeof Row>
  >;
  return endpoint({
    ...reading,
    ...numbered,
    id,
    path: `${at}/${path}`,
    summary,
    description:
      'Counts distinct active devices, also in the preceding range of the same length. A device whose value changes counts under both values, so the counts may add up to more than `total`.',
    params,
    query: TopQuery,
    response: json(Type.Object(properties), { description: 'The counts.' }),
  });
};

export const Analytics_Versions = listing('Analytics_Versions', 'versions', 'version', {
  path: 'versions',
  summary: 'Count active devices by version of the app, in the order of versions',
});
export const Analytics_ModelCounts = listing('Analytics_ModelCounts', 'models', 'model_name', {
  path: 'models',
  summary: 'Count active devices by model, highest count first',
});
export const Analytics_OperatingSystemCounts = listing('Analytics_OperatingSystemCounts', 'oses', 'os_name', {
  path: 'oses',
  summary: 'Count active devices by operating system and its version, highest count first',
});
export const Analytics_LanguageCounts = listing('Analytics_LanguageCounts', 'languages', 'language_name', {
  path: 'languages',
  summary: 'Count active devices by language, highest count first',
});
export const Analytics_PlaceCounts = listing('Analytics_PlaceCounts', 'places', 'code', {
  path: 'places',
  summary: 'Count active devices by the country of their carrier, highest count first',
});
