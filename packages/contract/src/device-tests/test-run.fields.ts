import { AppPath, Time, Uuid } from '../fields.ts';
import { Type } from '../type.ts';

/** The progress of a run. */
export const testRunStatuses = ['created', 'pending', 'running', 'finished'] as const;
export const testRunResults = ['pending', 'passed', 'failed', 'stopped', 'error'] as const;
export const testDeviceStates = ['pending', 'running', 'finished', 'failed', 'stopped'] as const;

export const Count = Type.Integer({ minimum: 0 });

export const TestRun = Type.Object(
  {
    id: Uuid,
    date: Type.String({ description: 'When the run was created; ISO 8601.' }),
    appVersion: Type.Optional(Type.String()),
    testSeries: Type.Optional(Type.String({ description: 'The slug of the test series.' })),
    platform: Type.Optional(Type.String({ description: '`android` or `ios`.' })),
    runStatus: Type.Enum([...testRunStatuses]),
    resultStatus: Type.Enum([...testRunResults], {
      description: '`error`: the tests could not run on a device. This is not a failed test.',
    }),
    state: Type.String({ description: 'The same as runStatus, for older clients.' }),
    status: Type.String({ description: 'The same as resultStatus, for older clients.' }),
    description: Type.String({ description: 'A readable status.' }),
    waiting: Type.Optional(Type.String({ description: 'Why the queued run has not started.' })),
    stats: Type.Object({
      devices: Count,
      devicesFinished: Count,
      devicesFailed: Count,
      total: Count,
      passed: Count,
      failed: Count,
      skipped: Count,
      peakMemory: Type.Number({ description: 'The peak memory of the app in MB.' }),
      totalDeviceMinutes: Type.Number({ description: 'The minutes that all devices ran, together.' }),
    }),
    testType: Type.Optional(Type.String({ description: 'The test framework.' })),
    source: Type.Enum(['runner', 'import'], {
      description: '`runner` if the tests ran here, `import` if their results were imported.',
    }),
    rerunOf: Type.Optional(Type.String({ description: 'The run whose failed tests this one repeats.' })),
    releaseId: Type.Optional(Type.Integer({ description: 'The tested release, if known.' })),
    buildId: Type.Optional(Type.Integer({ description: 'The tested build, if known.' })),
    finishedAt: Type.Optional(Time),
  },
  { $id: 'TestRun' },
);

/** For packages that the server can't match to a release or build by their content. */
export const tested = {
  release_id: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 ** 31, description: 'The tested release.' })),
  build_id: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 ** 31, description: 'The tested build.' })),
};

export const RunPath = { ...AppPath, test_run_id: Type.String({ minLength: 1, maxLength: 100 }) };

const common = { tag: 'tests', errors: [400, 403, 404] } as const;
export const reading = { ...common, method: 'GET', effect: 'read', access: 'app:viewer' } as const;
export const changing = { ...common, effect: 'change', access: 'app:developer' } as const;
export const sending = { ...common, effect: 'ingest', access: 'app:developer' } as const;

export const runsPath = '/v0.1/apps/{owner_name}/{app_name}/test_runs';
export const runPath = `${runsPath}/{test_run_id}`;
