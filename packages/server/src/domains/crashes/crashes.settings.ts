import { integer } from '../../setting-kinds.ts';

export const crashesSettings = {
  crashesRetentionDays: integer(
    {
      variable: 'MOORING_CRASHES_RETENTION_DAYS',
      description:
        'How many days reports of crashes and errors are kept with all they hold, unless an app chose fewer, 28 or 90; counts stay.',
    },
    90,
    1,
    3650,
  ),
  crashesAnnouncedPerHour: integer(
    {
      variable: 'MOORING_CRASHES_ANNOUNCED_PER_HOUR',
      description:
        'New and returning crash groups of an app that are announced separately within an hour, by webhook, email and automatic ticket. Further groups are announced together at the end of the hour, and get no ticket.',
    },
    20,
    1,
    10_000,
  ),
};
