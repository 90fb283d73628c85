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
};
