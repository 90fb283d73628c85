import { endpoint, json } from '../endpoint/index.ts';
import { Time } from '../fields.ts';
import { Type } from '../type.ts';
import { Count, RunPath, reading, runPath, TestRun, testDeviceStates } from './test-run.fields.ts';
import { testStatuses } from './test-work.ts';

const StepExecution = Type.Object({
  id: Type.String(),
  device_snapshot_id: Type.String({ description: 'The ID of the device configuration.' }),
  status: Type.String(),
  timestamp: Type.String(),
});

export const test_getTestReport = endpoint({
  ...reading,
  id: 'test_getTestReport',
  path: `${runPath}/report`,
  summary: 'Get the report of a test run; while it runs, the results so far',
  params: Type.Object(RunPath),
  response: json(
    Type.Object({
      app_upload_id: Type.String({ description: 'The ID of the test run.' }),
      date: Type.String(),
      testType: Type.String(),
      platform: Type.String(),
      stats: Type.Object({
        os: Count,
        devices: Count,
        filesize: Type.Number({ description: 'The size of all test files in bytes.' }),
        totalDeviceMinutes: Type.Number({ description: 'The minutes that all devices ran, together.' }),
        devices_not_runned: Count,
        failed: Count,
        skipped: Count,
        passed: Count,
        total: Count,
        devices_finished: Count,
        devices_failed: Count,
        devices_skipped: Count,
        step_count: Count,
        peakmem: Type.Number({ description: 'The peak memory of the app in MB.' }),
        peakduration: Type.Number({ description: 'The duration of the longest test in milliseconds.' }),
        artifacts: Type.Optional(
          Type.Record(Type.String(), Type.String(), {
            description: 'URLs of artifacts by name. They require no token.',
          }),
        ),
      }),
      id: Type.String(),
      schema_version: Type.Integer({ description: 'The version of this format, always 1.' }),
      revision: Type.Integer({ description: 'Increases with every change of the run.' }),
      features: Type.Array(
        Type.Object({
          name: Type.String(),
          tests: Type.Array(
            Type.Object({
              testName: Type.String(),
              runs: Type.Array(
                Type.Object({
                  number: Type.Integer(),
                  id: Type.String(),
                  report_url: Type.String({ description: 'The URL of the results of the run.' }),
                  failed: Count,
                  skipped: Count,
                  steps: Type.Array(
                    Type.Object({
                      stepName: Type.String(),
                      id: Type.String(),
                      stepExecutions: Type.Array(StepExecution),
                      failed: Count,
                      skipped: Count,
                      step_report_url: Type.String({ description: 'The URL of this step.' }),
                    }),
                  ),
                }),
              ),
              peakMemory: Type.Number({ description: 'The peak memory of the app in MB.' }),
              peakDuration: Type.Number({ description: 'The duration of the longest test in milliseconds.' }),
            }),
          ),
          failed: Count,
          skipped: Count,
          peakMemory: Type.Number({ description: 'The peak memory of the app in MB.' }),
          peakDuration: Type.Number({ description: 'The duration of the longest test in milliseconds.' }),
        }),
      ),
      finished_device_snapshots: Type.Array(Type.String()),
      device_logs: Type.Array(
        Type.Object({
          device_snapshot_id: Type.String({ description: 'The ID of the device configuration.' }),
          device_log: Type.Optional(Type.String({ description: 'The URL of the log of the device.' })),
          test_log: Type.Optional(Type.String({ description: 'The URL of the log of the tests.' })),
          appium_log: Type.Optional(Type.String({ description: 'The URL of the log of Appium.' })),
        }),
      ),
      date_finished: Type.String(),
      errorMessage: Type.Optional(Type.String()),
      snapshot_fatal_errors: Type.Optional(
        Type.Array(
          Type.Object({
            device_snapshot_id: Type.String({ description: 'The ID of the device configuration.' }),
            error_message: Type.String(),
            error_title: Type.String(),
          }),
        ),
      ),
    }),
    { description: 'The report.', isWritten: true },
  ),
});

export const testRuns_getStepReport = endpoint({
  ...reading,
  id: 'testRuns_getStepReport',
  path: `${runPath}/steps/{step_id}`,
  summary: 'Get a step of a test, with its screenshot on each device',
  params: Type.Object({ ...RunPath, step_id: Type.String({ minLength: 1, maxLength: 100 }) }),
  response: json(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      deviceScreenshots: Type.Array(
        Type.Object({
          id: Type.String(),
          device_snapshot_id: Type.String({ description: 'The ID of the device configuration.' }),
          title: Type.String(),
          screenshot: Type.Object({ urls: Type.Object({ original: Type.String() }) }),
        }),
      ),
    }),
    { description: 'The step.' },
  ),
});

const Step = Type.Object({
  id: Type.String(),
  label: Type.String(),
  at: Type.Integer({ description: 'Unix time in milliseconds.' }),
  screenshot: Type.Optional(Type.String({ description: 'The URL of the screenshot. Expires.' })),
});

const Outcome = Type.Object({
  device: Type.Integer({ description: 'The index of the device.' }),
  status: Type.Enum([...testStatuses, 'running']),
  milliseconds: Count,
  message: Type.Optional(Type.String()),
  stack: Type.Optional(Type.String()),
  memory: Type.Optional(Type.Number({ description: 'In MB.' })),
  steps: Type.Array(Step),
});

export const TestResults = Type.Object(
  {
    run: TestRun,
    devices: Type.Array(
      Type.Object({
        index: Type.Integer(),
        id: Type.String({ description: 'The ID of the device configuration.' }),
        name: Type.String(),
        os: Type.String(),
        form_factor: Type.String(),
        is_emulated: Type.Boolean(),
        state: Type.Enum([...testDeviceStates]),
        failure: Type.Optional(Type.String({ description: 'Why the device could not run the tests.' })),
        started_at: Type.Optional(Time),
        finished_at: Type.Optional(Time),
        files: Type.Array(
          Type.Object({ kind: Type.String(), name: Type.String(), url: Type.String(), size: Type.Integer() }),
        ),
      }),
    ),
    tests: Type.Array(
      Type.Object({
        suite: Type.String(),
        test: Type.String(),
        is_flaky: Type.Boolean({ description: 'True if the test both passed and failed in previous runs.' }),
        history: Type.Array(Type.Enum([...testStatuses]), {
          description: 'The results of previous runs, newest first.',
        }),
        outcomes: Type.Array(Outcome),
      }),
      { description: 'The tests, failed ones first.' },
    ),
  },
  { $id: 'TestResults' },
);

export const testRuns_getResults = endpoint({
  ...reading,
  id: 'testRuns_getResults',
  path: `${runPath}/results`,
  summary: 'Get the results of all tests on all devices, with steps and logs',
  params: Type.Object(RunPath),
  response: json(TestResults, { description: 'The devices and tests.', isWritten: true }),
});

/** How the result of a test changed between two runs. Tests that passed in both are not listed. */
export const testChanges = ['newly_failing', 'still_failing', 'fixed', 'not_run', 'added'] as const;

const Status = Type.Enum([...testStatuses, 'running']);

export const testRuns_compare = endpoint({
  ...reading,
  id: 'testRuns_compare',
  path: `${runPath}/compare`,
  summary: 'Compare a test run with another one: new failures, fixed tests and changed durations',
  params: Type.Object(RunPath),
  query: Type.Object({
    with: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'The other run (default: the previous run with the same framework and series).',
      }),
    ),
  }),
  response: json(
    Type.Object({
      run: TestRun,
      // A named schema can appear only once here.
      before: Type.Object(TestRun.properties),
      tests: Type.Array(
        Type.Object({
          suite: Type.String(),
          test: Type.String(),
          change: Type.Enum([...testChanges], {
            description: '`not_run`: only the other run has the test. `added`: only this run has it.',
          }),
          before: Type.Optional(Status),
          now: Type.Optional(Status),
          message: Type.Optional(Type.String({ description: 'Why the test fails now.' })),
        }),
        { description: 'Tests that still fail or whose result changed, most severe first.' },
      ),
      durations: Type.Array(
        Type.Object({
          suite: Type.String(),
          test: Type.String(),
          milliseconds_before: Count,
          milliseconds: Count,
        }),
        { description: 'The 20 tests that passed in both runs and differ most in duration, on the slowest device.' },
      ),
    }),
    { description: 'The differences.', isWritten: true },
  ),
});
