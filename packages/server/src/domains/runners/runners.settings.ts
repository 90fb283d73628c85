import path from 'node:path';
import { integer, must, optional, type SettingValues, text } from '../../setting-kinds.ts';

const builtIn = ['off', 'bubblewrap', 'host'] as const;

export const runnersSettings = {
  runnerJobsPerApp: integer(
    {
      variable: 'MOORING_RUNNER_JOBS_PER_APP',
      description:
        'How many builds, and how many test suites, of one app run concurrently if the app has no setting. 0: as many as the runners accept.',
    },
    0,
    0,
    1000,
  ),
  runnerLogLimitMb: integer(
    {
      variable: 'MOORING_RUNNER_LOG_LIMIT_MB',
      description: 'Maximum log of one job, in MiB. The rest is dropped.',
    },
    16,
    1,
    256,
  ),
  builtInRunner: text(
    {
      variable: 'MOORING_BUILT_IN_RUNNER',
      description:
        'Starts a built-in runner as a child process: `bubblewrap` in that sandbox, `host` without a sandbox, as another user. `off`: none.',
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
      description: 'Operating system user of the built-in runner. Only root can start it as another user.',
    },
    (value) => {
      must(/^[a-z0-9_][a-z0-9_-]{0,31}$/i.test(value), 'a user name or a numeric user ID');
      return value;
    },
    '`mooring-runner` if the server is root, otherwise the user of the server',
  ),
  builtInRunnerDir: text(
    {
      variable: 'MOORING_BUILT_IN_RUNNER_DIR',
      description:
        'Folder of the built-in runner for its token, sources and caches. Its user must have access to the folder.',
    },
    './runner',
    (value) => path.resolve(value),
  ),
  builtInRunnerSlots: integer(
    { variable: 'MOORING_BUILT_IN_RUNNER_SLOTS', description: 'How many jobs the built-in runner runs concurrently.' },
    1,
    1,
    64,
  ),
};

declare module '../../config.ts' {
  interface Config extends SettingValues<typeof runnersSettings> {}
}
