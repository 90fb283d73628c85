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
  buildWaitHours: integer(
    {
      variable: 'MOORING_BUILD_WAIT_HOURS',
      description: 'Hours that a build waits for a runner. After that it fails, with the reason why no runner took it.',
    },
    24,
    1,
    24 * 365,
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
  buildPollMinutes: integer(
    {
      variable: 'MOORING_BUILD_POLL_MINUTES',
      description:
        'How often repositories are asked for new commits, in minutes, where their host cannot tell of pushes; 0: never.',
    },
    0,
    0,
    24 * 60,
  ),
};
