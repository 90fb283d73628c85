import { integer } from '../../setting-kinds.ts';

export const testsSettings = {
  testMinutes: integer(
    {
      variable: 'MOORING_TEST_MINUTES',
      description: 'How long a suite of tests may take on one device, in minutes from its installation.',
    },
    360,
    1,
    24 * 60,
  ),
  testWaitHours: integer(
    {
      variable: 'MOORING_TEST_WAIT_HOURS',
      description:
        'How long a test run waits for a device that is busy or offline, in hours; then it says so and ends.',
    },
    24,
    1,
    30 * 24,
  ),
  testQueue: integer(
    { variable: 'MOORING_TEST_QUEUE', description: 'How many test runs of one app may wait or run at a time.' },
    50,
    1,
    10_000,
  ),
  testDays: integer(
    {
      variable: 'MOORING_TEST_DAYS',
      description: 'How many days a test run, its report, its pictures and its logs are kept.',
    },
    90,
    1,
    36_500,
  ),
};
