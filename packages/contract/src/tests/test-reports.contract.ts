import { endpoint, json } from '../endpoint/index.ts';
import { Time } from '../fields.ts';
import { Type } from '../type.ts';
import { Count, RunPath, reading, runPath, TestRun, testDeviceStates } from './test-run.fields.ts';
import { testStatuses } from './test-work.ts';

const StepExecution = Type.Object({
  id: Type.String(),
  device_snapshot_id: Type.String(),
  status: Type.String(),
  timestamp: Type.String(),
});

export const test_getTestReport = endpoint({
  ...reading,
  id: 'test_getTestReport',
  path: `${runPath}/report`,
  summary: 'Reads the report of a test run: of one that still runs, what is known so far',
  params: Type.Object(RunPath),
  response: json(
    Type.Object({
      app_upload_id: Type.String(),
      date: Type.String(),
      testType: Type.String(),
      platform: Type.String(),
      stats: Type.Object({
        os: Count,
        devices: Count,
        filesize: Type.Number(),
        totalDeviceMinutes: Type.Number(),
        devices_not_runned: Count,
        failed: Count,
        skipped: Count,
        passed: Count,
        total: Count,
        devices_finished: Count,
        devices_failed: Count,
        devices_skipped: Count,
        step_count: Count,
        peakmem: Type.Number(),
        peakduration: Type.Number(),
        artifacts: Type.Optional(
          Type.Record(Type.String(), Type.String(), { description: 'By name, where to download it without a token.' }),
        ),
      }),
      id: Type.String(),
      schema_version: Type.Integer(),
      revision: Type.Integer(),
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
                  report_url: Type.String(),
                  failed: Count,
                  skipped: Count,
                  steps: Type.Array(
                    Type.Object({
                      stepName: Type.String(),
                      id: Type.String(),
                      stepExecutions: Type.Array(StepExecution),
                      failed: Count,
                      skipped: Count,
                      step_report_url: Type.String(),
                    }),
                  ),
                }),
              ),
              peakMemory: Type.Number(),
              peakDuration: Type.Number(),
            }),
          ),
          failed: Count,
          skipped: Count,
          peakMemory: Type.Number(),
          peakDuration: Type.Number(),
        }),
      ),
      finished_device_snapshots: Type.Array(Type.String()),
      device_logs: Type.Array(
        Type.Object({
          device_snapshot_id: Type.String(),
          device_log: Type.Optional(Type.String()),
          test_log: Type.Optional(Type.String()),
          appium_log: Type.Optional(Type.String()),
        }),
      ),
      date_finished: Type.String(),
      errorMessage: Type.Optional(Type.String()),
      snapshot_fatal_errors: Type.Optional(
        Type.Array(
          Type.Object({
            device_snapshot_id: Type.String(),
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
  summary: 'Reads one step of a test, with its picture on each device',
  params: Type.Object({ ...RunPath, step_id: Type.String({ minLength: 1, maxLength: 100 }) }),
  response: json(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      deviceScreenshots: Type.Array(
        Type.Object({
          id: Type.String(),
          device_snapshot_id: Type.String(),
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
  at: Type.Integer({ description: 'Milliseconds since 1970.' }),
  screenshot: Type.Optional(Type.String({ description: 'Where the picture is, for a while.' })),
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
        id: Type.String({ description: 'Of its configuration.' }),
        name: Type.String(),
        os: Type.String(),
        form_factor: Type.String(),
        is_emulated: Type.Boolean(),
        state: Type.Enum([...testDeviceStates]),
        failure: Type.Optional(Type.String({ description: 'Why it could not do it.' })),
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
        is_flaky: Type.Boolean({ description: 'It has passed and failed by turns in the runs before.' }),
        history: Type.Array(Type.Enum([...testStatuses]), {
          description: 'How it went in the runs before, newest first.',
        }),
        outcomes: Type.Array(Outcome),
      }),
      { description: 'Those that failed first.' },
    ),
  },
  { $id: 'TestResults' },
);

export const testRuns_getResults = endpoint({
  ...reading,
  id: 'testRuns_getResults',
  path: `${runPath}/results`,
  summary: 'Reads what each test has shown on each device, with its steps and logs',
  params: Type.Object(RunPath),
  response: json(TestResults, { description: 'Devices and tests.', isWritten: true }),
});

/** What can become of a test from one run to another; what passed both times is none of them. */
export const testChanges = ['newly_failing', 'still_failing', 'fixed', 'not_run', 'added'] as const;

const Status = Type.Enum([...testStatuses, 'running']);

export const testRuns_compare = endpoint({
  ...reading,
  id: 'testRuns_compare',
  path: `${runPath}/compare`,
  summary: 'Compares a test run with another one: what fails now, what was fixed, and what takes longer',
  params: Type.Object(RunPath),
  query: Type.Object({
    with: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'The other run; without it, the one before with the same framework and of the same series.',
      }),
    ),
  }),
  response: json(
    Type.Object({
      run: TestRun,
      // A schema has one name, and so one place in another.
      before: Type.Object(TestRun.properties),
      tests: Type.Array(
        Type.Object({
          suite: Type.String(),
          test: Type.String(),
          change: Type.Enum([...testChanges], {
            description: '`not_run`: it ran in the other run; `added`: it did not.',
          }),
          before: Type.Optional(Status),
          now: Type.Optional(Status),
          message: Type.Optional(Type.String({ description: 'Why it fails now.' })),
        }),
        { description: 'Those whose result changed, and those that still fail; the worst first.' },
      ),
      durations: Type.Array(
        Type.Object({
          suite: Type.String(),
          test: Type.String(),
          milliseconds_before: Count,
          milliseconds: Count,
        }),
        { description: 'Of tests that passed both times, the 20 that differ the most; on the slowest device.' },
      ),
    }),
    { description: 'What differs.', isWritten: true },
  ),
});
