import { integer, type SettingValues } from '../../setting-kinds.ts';

export const deviceTestsSettings = {
  testMinutes: integer(
    {
      variable: 'MOORING_TEST_MINUTES',
      description: 'Minutes that a test suite may take on one device, from the installation of the app.',
    },
    360,
    1,
    24 * 60,
  ),
  testWaitHours: integer(
    {
      variable: 'MOORING_TEST_WAIT_HOURS',
      description:
        'Hours that a test run waits for a device that is busy or offline. After that it fails, and states the reason.',
    },
    24,
    1,
    30 * 24,
  ),
  testQueue: integer(
    { variable: 'MOORING_TEST_QUEUE', description: 'Maximum number of queued and running test runs of an app.' },
    50,
    1,
    10_000,
  ),
  testDays: integer(
    {
      variable: 'MOORING_TEST_DAYS',
      description: 'Days that a test run is retained, with its report, screenshots and logs.',
    },
    90,
    1,
    36_500,
  ),
};

declare module '../../config.ts' {
  interface Config extends SettingValues<typeof deviceTestsSettings> {}
}
