import { integer, must, optional, type SettingValues } from '../../setting-kinds.ts';

export const analyticsSettings = {
  analyticsRetentionDays: integer(
    {
      variable: 'MOORING_ANALYTICS_RETENTION_DAYS',
      description: 'Days that logs of sessions and events are retained. Charts show zero for older days.',
    },
    90,
    28,
    3650,
  ),
  analyticsMaxRetentionDays: optional(
    {
      variable: 'MOORING_ANALYTICS_MAX_RETENTION_DAYS',
      description:
        'Longest retention that an app may choose, in days, from 28 to 3650. Unset: the value of MOORING_ANALYTICS_RETENTION_DAYS, so that apps can only choose a shorter one.',
    },
    (value) => {
      const days = Number(value);
      must(Number.isInteger(days) && days >= 28 && days <= 3650, 'a whole number from 28 to 3650');
      return days;
    },
  ),
  analyticsCacheSize: integer(
    {
      variable: 'MOORING_ANALYTICS_CACHE_SIZE',
      description:
        'Size of the cache of telemetry files in the data folder of this machine, in megabytes. When it is full, the least recently used files are removed.',
    },
    4096,
    64,
    1_048_576,
  ),
  analyticsEventNames: integer(
    {
      variable: 'MOORING_ANALYTICS_EVENT_NAMES',
      description:
        'Distinct event names that an app may send in a day; events with further names count as (other). 0: no limit.',
    },
    0,
    0,
    1_000_000,
  ),
  analyticsNameLength: integer(
    {
      variable: 'MOORING_ANALYTICS_NAME_LENGTH',
      description: 'Maximum length of the name of an event or page; longer names are cut.',
    },
    256,
    1,
    1024,
  ),
  analyticsProperties: integer(
    {
      variable: 'MOORING_ANALYTICS_PROPERTIES',
      description: 'Maximum number of properties of an event; further ones are dropped.',
    },
    20,
    0,
    200,
  ),
  analyticsPropertyLength: integer(
    {
      variable: 'MOORING_ANALYTICS_PROPERTY_LENGTH',
      description: 'Maximum length of the name and of the value of a property; longer ones are cut.',
    },
    125,
    1,
    1024,
  ),
  analyticsCharts: integer(
    { variable: 'MOORING_ANALYTICS_CHARTS', description: 'Maximum number of charts of an app.' },
    200,
    1,
    10_000,
  ),
  analyticsAudiences: integer(
    { variable: 'MOORING_ANALYTICS_AUDIENCES', description: 'Maximum number of audiences of an app.' },
    200,
    1,
    10_000,
  ),
};

declare module '../../config.ts' {
  interface Config extends SettingValues<typeof analyticsSettings> {}
}
