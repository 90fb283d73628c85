import { integer } from '../../setting-kinds.ts';

export const runnersSettings = {
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
