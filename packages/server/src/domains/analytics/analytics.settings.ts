import { integer, must, optional } from '../../setting-kinds.ts';

export const analyticsSettings = {
  analyticsRetentionDays: integer(
    {
      variable: 'MOORING_ANALYTICS_RETENTION_DAYS',
      description: 'How many days the logs of sessions and events are kept; older days count as zero.',
    },
    90,
    28,
    3650,
  ),
  analyticsMaxRetentionDays: optional(
    {
      variable: 'MOORING_ANALYTICS_MAX_RETENTION_DAYS',
      description:
        'The most days for which an app may keep its own, from 28 to 3650. Unset: as many as all do, so that an app may keep them shorter and not longer.',
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
        'Megabytes of files with telemetry that this machine keeps at hand, in the data folder; what is used longest ago makes room.',
    },
    4096,
    64,
    1_048_576,
  ),
  analyticsEventNames: integer(
    {
      variable: 'MOORING_ANALYTICS_EVENT_NAMES',
      description:
        'How many different names the events of an app may have on a day; what comes with more counts as (other). 0 is no limit.',
    },
    0,
    0,
    1_000_000,
  ),
  analyticsNameLength: integer(
    {
      variable: 'MOORING_ANALYTICS_NAME_LENGTH',
      description: 'How many characters of the name of an event or a page are kept.',
    },
    256,
    1,
    1024,
  ),
  analyticsProperties: integer(
    { variable: 'MOORING_ANALYTICS_PROPERTIES', description: 'How many properties of an event are kept: the first.' },
    20,
    0,
    200,
  ),
  analyticsPropertyLength: integer(
    {
      variable: 'MOORING_ANALYTICS_PROPERTY_LENGTH',
      description: 'How many characters of the name and of the value of a property are kept.',
    },
    125,
    1,
    1024,
  ),
  analyticsCharts: integer(
    { variable: 'MOORING_ANALYTICS_CHARTS', description: 'How many charts are kept for an app.' },
    200,
    1,
    10_000,
  ),
  analyticsAudiences: integer(
    { variable: 'MOORING_ANALYTICS_AUDIENCES', description: 'How many audiences an app may have.' },
    200,
    1,
    10_000,
  ),
};
