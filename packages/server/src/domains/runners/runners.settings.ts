import path from 'node:path';
import { integer, must, optional, text } from '../../setting-kinds.ts';

const builtIn = ['off', 'bubblewrap', 'host'] as const;

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
  builtInRunner: text(
    {
      variable: 'MOORING_BUILT_IN_RUNNER',
      description:
        'Whether this server starts a runner of its own, as a child process: `bubblewrap` with that sandbox, `host` without any, as another user; `off`: none.',
    },
    'off',
    (value) => {
      const chosen = builtIn.find((one) => one === value);
      must(chosen !== undefined, `one of ${builtIn.join(', ')}`);
      return chosen ?? 'off';
    },
  ),
  builtInRunnerUser: optional(
    {
      variable: 'MOORING_BUILT_IN_RUNNER_USER',
      description: 'User of this machine that the built-in runner runs as; only root can start it as another.',
    },
    (value) => {
      must(/^[a-z0-9_][a-z0-9_-]{0,31}$/i.test(value), 'the name or the number of a user');
      return value;
    },
    '`mooring-runner` if the server is root, otherwise the user of the server',
  ),
  builtInRunnerDir: text(
    {
      variable: 'MOORING_BUILT_IN_RUNNER_DIR',
      description: 'Folder of the built-in runner: its token, sources, caches. Its user must be able to reach it.',
    },
    './runner',
    (value) => path.resolve(value),
  ),
  builtInRunnerSlots: integer(
    { variable: 'MOORING_BUILT_IN_RUNNER_SLOTS', description: 'How many jobs the built-in runner does at a time.' },
    1,
    1,
    64,
  ),
};
