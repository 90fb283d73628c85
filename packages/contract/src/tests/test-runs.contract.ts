import { Type } from 'typebox';
import { empty, endpoint, events, file, json } from '../endpoint/index.ts';
import { AppPath, Time, Uuid } from '../fields.ts';
import { uploadsFamily } from '../uploads/uploads.family.ts';
import { testStatuses } from './test-work.ts';

export const TEST_FILE_MAX_BYTES = 2 * 1024 ** 3;
export const testFileTypes = ['dsym-file', 'app-file', 'test-file'] as const;
/** How far a run is. */
export const testRunStatuses = ['created', 'pending', 'running', 'finished'] as const;
export const testRunResults = ['pending', 'passed', 'failed', 'stopped', 'error'] as const;
export const testDeviceStates = ['pending', 'running', 'finished', 'failed', 'stopped'] as const;

const Count = Type.Integer({ minimum: 0 });

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
    finishedAt: Type.Optional(Time),
  },
  { $id: 'TestRun' },
);

const RunPath = { ...AppPath, test_run_id: Type.String({ minLength: 1, maxLength: 100 }) };
const FileType = Type.Enum([...testFileTypes]);
const Checksum = Type.String({
  pattern: '^([0-9a-fA-F]{40}|[0-9a-fA-F]{64})$',
  description: 'SHA-1 or SHA-256, in hexadecimal.',
});
const RelativePath = Type.String({ minLength: 1, maxLength: 1000, description: 'Below the folder of the suite.' });

const common = { tag: 'tests', errors: [400, 403, 404] } as const;
const reading = { ...common, method: 'GET', effect: 'read', access: 'app:viewer' } as const;
const changing = { ...common, effect: 'change', access: 'app:developer' } as const;
const sending = { ...common, effect: 'ingest', access: 'app:developer' } as const;
const at = '/v0.1/apps/{owner_name}/{app_name}/test_runs';
const ofRun = `${at}/{test_run_id}`;

export const test_getTestRuns = endpoint({
  ...reading,
  id: 'test_getTestRuns',
  path: at,
  summary: 'Lists the newest test runs of an app',
  params: Type.Object(AppPath),
  query: Type.Object({
    before: Type.Optional(
      Type.String({ maxLength: 100, description: 'Those that are older than the run of this id.' }),
    ),
  }),
  response: json(Type.Array(TestRun), { description: '50 at most, newest first.' }),
});

export const test_createTestRun = endpoint({
  ...changing,
  id: 'test_createTestRun',
  method: 'POST',
  path: at,
  summary: 'Makes a test run, which is started once its files are there',
  params: Type.Object(AppPath),
  request: json(Type.Object({}), { mayBeAbsent: 'its clients send none' }),
  response: empty({ status: 201, description: 'The header Location ends with the id of the run.' }),
});

export const test_getTestRun = endpoint({
  ...reading,
  id: 'test_getTestRun',
  path: ofRun,
  summary: 'Reads a test run',
  params: Type.Object(RunPath),
  response: json(TestRun, { description: 'The run.' }),
});

export const test_archiveTestRun = endpoint({
  ...changing,
  id: 'test_archiveTestRun',
  method: 'DELETE',
  path: ofRun,
  summary: 'Hides a test run from lists; one that still runs is stopped',
  params: Type.Object(RunPath),
  response: json(TestRun, { description: 'The run.' }),
});

export const test_uploadHash = endpoint({
  ...sending,
  id: 'test_uploadHash',
  method: 'POST',
  path: `${ofRun}/hashes`,
  summary: 'Names a file of a test run by its checksum',
  description:
    'For older clients; 201 if it is known already, 412 if it must be uploaded. Only files of the same owner are known.',
  params: Type.Object(RunPath),
  request: json(
    Type.Object({
      file_type: FileType,
      checksum: Checksum,
      relative_path: RelativePath,
      byte_range: Type.Optional(Type.String({ maxLength: 100 })),
    }),
  ),
  response: empty({ status: 201, description: 'It is known; nothing needs to be sent.' }),
  errors: [...common.errors, 412],
});

const HashEntry = Type.Object({
  fileType: Type.Optional(FileType),
  checksum: Checksum,
  relativePath: Type.Optional(RelativePath),
  file_type: Type.Optional(FileType),
  relative_path: Type.Optional(RelativePath),
});

export const test_uploadHashesBatch = endpoint({
  ...sending,
  id: 'test_uploadHashesBatch',
  method: 'POST',
  path: `${ofRun}/hashes/batch`,
  summary: 'Names files of a test run by their checksums, and hears which must be uploaded',
  description: 'In camel case or in snake case. Only files of the same owner are known.',
  params: Type.Object(RunPath),
  request: json(Type.Array(HashEntry, { minItems: 1, maxItems: 5000 })),
  response: json(
    Type.Array(
      Type.Object({
        fileType: FileType,
        checksum: Type.String(),
        relativePath: Type.String(),
        uploadStatus: Type.Object({
          statusCode: Type.Integer({ description: '412 if it must be uploaded, 201 if it is known.' }),
          location: Type.Optional(Type.String({ description: 'Where to.' })),
        }),
      }),
    ),
    { description: 'In the same order.' },
  ),
});

export const test_startUploadingFile = endpoint({
  ...sending,
  id: 'test_startUploadingFile',
  method: 'POST',
  path: `${ofRun}/files`,
  summary: 'Says where a file of a test run is sent to',
  params: Type.Object(RunPath),
  request: json(Type.Object({}), { mayBeAbsent: 'its clients send none' }),
  response: empty({ status: 200, description: 'The header Location has the address, which takes one file.' }),
});

export const testRuns_sendFile = endpoint({
  id: 'testRuns_sendFile',
  tag: 'tests',
  family: uploadsFamily,
  access: 'public',
  effect: 'ingest',
  method: 'POST',
  path: '/upload/test_files/{upload_id}',
  summary: 'Takes a file of a test run as the field of a form',
  description: 'At an address that was told before, and which holds a token. Its checksum must have been named before.',
  params: Type.Object({ upload_id: Uuid }),
  query: Type.Object({
    token: Type.String({ maxLength: 200 }),
    run: Type.String({ maxLength: 100, description: 'Of which test run it is.' }),
  }),
  request: file({
    types: ['application/octet-stream'],
    field: 'file',
    maxBytes: TEST_FILE_MAX_BYTES,
    isLong: true,
  }),
  response: empty({ status: 201, description: 'It is kept.' }),
  errors: [403, 404, 409],
});

export const test_startTestRun = endpoint({
  ...changing,
  id: 'test_startTestRun',
  method: 'POST',
  path: `${ofRun}/start`,
  summary: 'Starts a test run on devices',
  params: Type.Object(RunPath),
  request: json(
    Type.Object({
      test_framework: Type.String({ minLength: 1, maxLength: 64 }),
      device_selection: Type.String({
        minLength: 1,
        maxLength: 300,
        description:
          'The short id of a selection, `{owner}/{slug}` of a set of devices, or `any` for one that is free.',
      }),
      language: Type.Optional(Type.String({ maxLength: 64 })),
      locale: Type.Optional(Type.String({ maxLength: 64 })),
      test_series: Type.Optional(Type.String({ maxLength: 100, description: 'Made if there is none of that name.' })),
      test_parameters: Type.Optional(Type.Record(Type.String({ maxLength: 200 }), Type.Unknown())),
    }),
  ),
  response: json(
    Type.Object({
      accepted_devices: Type.Array(Type.String()),
      rejected_devices: Type.Array(Type.String({ description: 'On which this suite cannot run.' })),
    }),
    { description: 'On which devices it runs.' },
  ),
  errors: [...common.errors, 409],
});

export const test_getTestRunState = endpoint({
  ...reading,
  id: 'test_getTestRunState',
  path: `${ofRun}/state`,
  summary: 'Says how far a test run is',
  params: Type.Object(RunPath),
  response: json(
    Type.Object({
      message: Type.Array(Type.String()),
      wait_time: Type.Integer({ description: 'Seconds until it is worth asking again.' }),
      exit_code: Type.Optional(
        Type.Integer({
          description: 'Once it has finished. 0: nothing failed; 1: a test failed; 2: it could not be completed.',
        }),
      ),
    }),
    { description: 'In words, and as a code for programs.' },
  ),
});

export const test_stopTestRun = endpoint({
  ...changing,
  id: 'test_stopTestRun',
  method: 'PUT',
  path: `${ofRun}/stop`,
  summary: 'Stops a test run; what has run already is in its report',
  params: Type.Object(RunPath),
  request: json(Type.Object({}), { mayBeAbsent: 'its clients send none' }),
  response: json(TestRun, { description: 'The run.' }),
});

const StepExecution = Type.Object({
  id: Type.String(),
  device_snapshot_id: Type.String(),
  status: Type.String(),
  timestamp: Type.String(),
});

export const test_getTestReport = endpoint({
  ...reading,
  id: 'test_getTestReport',
  path: `${ofRun}/report`,
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
    { description: 'The report.' },
  ),
});

export const testRuns_getStepReport = endpoint({
  ...reading,
  id: 'testRuns_getStepReport',
  path: `${ofRun}/steps/{step_id}`,
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
  path: `${ofRun}/results`,
  summary: 'Reads what each test has shown on each device, with its steps and logs',
  params: Type.Object(RunPath),
  response: json(TestResults, { description: 'Devices and tests.' }),
});

export const testRuns_watch = endpoint({
  ...reading,
  id: 'testRuns_watch',
  path: `${ofRun}/events`,
  summary: 'Tells of a test run whenever it changes, until it has finished',
  params: Type.Object(RunPath),
  query: Type.Object({
    seconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 300, default: 60, description: 'After which the stream ends; ask again.' }),
    ),
  }),
  response: events({ changed: TestRun }, { description: 'The run as it is now, then whenever it changes.' }),
});

export const testRuns_rerun = endpoint({
  ...changing,
  id: 'testRuns_rerun',
  method: 'POST',
  path: `${ofRun}/rerun`,
  summary: 'Runs the tests that failed, and those that did not come to run, again on the same devices',
  params: Type.Object(RunPath),
  request: json(Type.Object({ only_failed: Type.Optional(Type.Boolean({ default: true })) })),
  response: json(TestRun, { status: 201, description: 'The new run.' }),
  errors: [...common.errors, 409],
});

export const testRuns_import = endpoint({
  ...changing,
  id: 'testRuns_import',
  method: 'POST',
  path: `${at}/import`,
  summary: 'Keeps what a suite has shown that ran elsewhere, from its JUnit XML',
  params: Type.Object(AppPath),
  query: Type.Object({
    device: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'On which it ran.' })),
    os: Type.Optional(Type.String({ minLength: 1, maxLength: 32, description: 'The version of its system.' })),
    test_series: Type.Optional(Type.String({ maxLength: 100 })),
    app_version: Type.Optional(Type.String({ maxLength: 100 })),
  }),
  request: file({ types: ['application/xml', 'text/xml'], isAnyType: true, maxBytes: 16 * 1024 ** 2 }),
  response: json(TestRun, { status: 201, description: 'The run.' }),
});
