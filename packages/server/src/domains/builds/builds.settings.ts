import { integer } from '../../setting-kinds.ts';

export const buildsSettings = {
  buildMinutes: integer(
    { variable: 'MOORING_BUILD_MINUTES', description: 'How long a build may take, in minutes.' },
    60,
    1,
    24 * 60,
  ),
  buildQueue: integer(
    { variable: 'MOORING_BUILD_QUEUE', description: 'How many builds of one app may wait or run at a time.' },
    50,
    1,
    10_000,
  ),
  buildDays: integer(
    {
      variable: 'MOORING_BUILD_DAYS',
      description: 'How many days the log and the files of a build are kept; the build itself stays.',
    },
    90,
    1,
    36_500,
  ),
};
