import { integer, type SettingValues } from '../../setting-kinds.ts';

export const buildsSettings = {
  buildMinutes: integer(
    { variable: 'MOORING_BUILD_MINUTES', description: 'Minutes after which a running build is stopped.' },
    60,
    1,
    24 * 60,
  ),
  buildQueue: integer(
    { variable: 'MOORING_BUILD_QUEUE', description: 'Maximum number of queued and running builds of an app.' },
    50,
    1,
    10_000,
  ),
  buildWaitHours: integer(
    {
      variable: 'MOORING_BUILD_WAIT_HOURS',
      description: 'Hours that a build waits for a runner. After that it fails, and states why no runner took it.',
    },
    24,
    1,
    24 * 365,
  ),
  buildDays: integer(
    {
      variable: 'MOORING_BUILD_DAYS',
      description: 'Days that the log and files of a build are retained; the build itself stays.',
    },
    90,
    1,
    36_500,
  ),
  buildPollMinutes: integer(
    {
      variable: 'MOORING_BUILD_POLL_MINUTES',
      description: 'Minutes between polls for new commits of repositories without a push webhook; 0: never.',
    },
    0,
    0,
    24 * 60,
  ),
};

declare module '../../config.ts' {
  interface Config extends SettingValues<typeof buildsSettings> {}
}
