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
};
