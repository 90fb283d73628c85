import { AppPath, Time, Uuid } from '../fields.ts';
import { Type } from '../type.ts';

/** How far a run is. */
export const testRunStatuses = ['created', 'pending', 'running', 'finished'] as const;
export const testRunResults = ['pending', 'passed', 'failed', 'stopped', 'error'] as const;
export const testDeviceStates = ['pending', 'running', 'finished', 'failed', 'stopped'] as const;

export const Count = Type.Integer({ minimum: 0 });

export const TestRun = Type.Object(
  {
    id: Uuid,
    date: Type.String({ description: 'When it was made; ISO 8601.' }),
    appVersion: Type.Optional(Type.String()),
    testSeries: Type.Optional(Type.String({ description: 'The slug of its series.' })),
    platform: Type.Optional(Type.String({ description: '`android` or `ios`.' })),
    runStatus: Type.Enum([...testRunStatuses]),
    resultStatus: Type.Enum([...testRunResults], {
      description: '`error`: a device could not do it, which is no failed test.',
    }),
    state: Type.String({ description: 'The same as runStatus, for older clients.' }),
    status: Type.String({ description: 'The same as resultStatus, for older clients.' }),
    description: Type.String({ description: 'In words.' }),
    waiting: Type.Optional(Type.String({ description: 'Why no device has taken it yet, while it waits.' })),
    stats: Type.Object({
      devices: Count,
      devicesFinished: Count,
      devicesFailed: Count,
      total: Count,
      passed: Count,
      failed: Count,
      skipped: Count,
      peakMemory: Type.Number(),
      totalDeviceMinutes: Type.Number(),
    }),
    testType: Type.Optional(Type.String({ description: 'The framework.' })),
    source: Type.Enum(['runner', 'import'], { description: 'Whether it ran here, or elsewhere and was imported.' }),
    rerunOf: Type.Optional(Type.String({ description: 'The run whose failed tests it runs again.' })),
    releaseId: Type.Optional(Type.Integer({ description: 'The release that it has tested, as far as it is known.' })),
    buildId: Type.Optional(Type.Integer({ description: 'The build that it has tested, as far as it is known.' })),
    finishedAt: Type.Optional(Time),
  },
  { $id: 'TestRun' },
);

/** For those that are not known by the package that was uploaded. */
export const tested = {
  release_id: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 ** 31, description: 'The release that is tested.' })),
  build_id: Type.Optional(Type.Integer({ minimum: 1, maximum: 2 ** 31, description: 'The build that is tested.' })),
};

export const RunPath = { ...AppPath, test_run_id: Type.String({ minLength: 1, maxLength: 100 }) };

const common = { tag: 'tests', errors: [400, 403, 404] } as const;
export const reading = { ...common, method: 'GET', effect: 'read', access: 'app:viewer' } as const;
export const changing = { ...common, effect: 'change', access: 'app:developer' } as const;
export const sending = { ...common, effect: 'ingest', access: 'app:developer' } as const;

export const runsPath = '/v0.1/apps/{owner_name}/{app_name}/test_runs';
export const runPath = `${runsPath}/{test_run_id}`;
