import { integer } from '../../setting-kinds.ts';

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
