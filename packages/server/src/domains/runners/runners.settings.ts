import { integer } from '../../setting-kinds.ts';

export const runnersSettings = {
  runnerJobsPerApp: integer(
    {
      variable: 'MOORING_RUNNER_JOBS_PER_APP',
      description:
        'How many builds, and how many suites of tests, of one app run at a time, if the app says nothing else; 0: as many as runners take.',
    },
    0,
    0,
    1000,
  ),
  runnerLogLimitMb: integer(
    {
      variable: 'MOORING_RUNNER_LOG_LIMIT_MB',
      description: 'How much of the log of one job is kept, in MiB; what comes after that is dropped.',
    },
    16,
    1,
    256,
  ),
};
