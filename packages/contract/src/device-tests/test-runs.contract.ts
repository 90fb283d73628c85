import { empty, endpoint, events, file, json } from '../endpoint/index.ts';
import { AppPath } from '../fields.ts';
import { Type } from '../type.ts';
import { changing, RunPath, reading, runPath, runsPath, TestRun, tested } from './test-run.fields.ts';

export const test_getTestRuns = endpoint({
  ...reading,
  id: 'test_getTestRuns',
  path: runsPath,
  summary: 'List the newest test runs of an app',
  params: Type.Object(AppPath),
  query: Type.Object({
    before: Type.Optional(Type.String({ maxLength: 100, description: 'Only runs older than the run with this ID.' })),
    ...tested,
  }),
  response: json(Type.Array(TestRun), { description: 'The runs, newest first, at most 50.' }),
});

export const test_createTestRun = endpoint({
  ...changing,
  id: 'test_createTestRun',
  method: 'POST',
  path: runsPath,
  summary: 'Create a test run; start it after uploading its files',
  params: Type.Object(AppPath),
  request: json(Type.Object({}), { bodyOmittedBy: { client: 'appcenter-cli 3.0.4', command: 'test run' } }),
  response: empty({ status: 201, description: 'The header Location ends with the ID of the run.' }),
});

export const test_getTestRun = endpoint({
  ...reading,
  id: 'test_getTestRun',
  path: runPath,
  summary: 'Get a test run',
  params: Type.Object(RunPath),
  response: json(TestRun, { description: 'The run.' }),
});

export const test_archiveTestRun = endpoint({
  ...changing,
  id: 'test_archiveTestRun',
  method: 'DELETE',
  path: runPath,
  summary: 'Archive a test run; a running one is stopped',
  params: Type.Object(RunPath),
  response: json(TestRun, { description: 'The run.' }),
});

export const test_startTestRun = endpoint({
  ...changing,
  id: 'test_startTestRun',
  method: 'POST',
  path: `${runPath}/start`,
  summary: 'Start a test run on devices',
  params: Type.Object(RunPath),
  request: json(
    Type.Object({
      test_framework: Type.String({ minLength: 1, maxLength: 64 }),
      device_selection: Type.String({
        minLength: 1,
        maxLength: 300,
        description:
          'The short ID of a device selection, `{owner}/{slug}` of a device set, or `any` for any available device.',
      }),
      language: Type.Optional(Type.String({ maxLength: 64 })),
      locale: Type.Optional(Type.String({ maxLength: 64 })),
      test_series: Type.Optional(
        Type.String({ maxLength: 100, description: 'The name of the test series. Created if it does not exist.' }),
      ),
      test_parameters: Type.Optional(Type.Record(Type.String({ maxLength: 200 }), Type.Unknown())),
      ...tested,
    }),
  ),
  response: json(
    Type.Object({
      accepted_devices: Type.Array(Type.String()),
      rejected_devices: Type.Array(Type.String({ description: 'Devices that cannot run this suite.' })),
    }),
    { description: 'The accepted and rejected devices.' },
  ),
  errors: [...changing.errors, 409],
});

export const test_getTestRunState = endpoint({
  ...reading,
  id: 'test_getTestRunState',
  path: `${runPath}/state`,
  summary: 'Get the progress of a test run',
  params: Type.Object(RunPath),
  response: json(
    Type.Object({
      message: Type.Array(Type.String()),
      wait_time: Type.Integer({ description: 'Seconds to wait before the next request.' }),
      exit_code: Type.Optional(
        Type.Integer({
          description:
            'Set when the run has finished. 0: all tests passed. 1: tests failed. 2: the run could not be completed.',
        }),
      ),
    }),
    { description: 'The progress as messages and, at the end, an exit code.' },
  ),
});

export const test_stopTestRun = endpoint({
  ...changing,
  id: 'test_stopTestRun',
  method: 'PUT',
  path: `${runPath}/stop`,
  summary: 'Stop a test run; its report keeps the results so far',
  params: Type.Object(RunPath),
  request: json(Type.Object({}), { bodyOmittedBy: { client: 'appcenter-cli 3.0.4', command: 'test stop' } }),
  response: json(TestRun, { description: 'The run.' }),
});

export const testRuns_watch = endpoint({
  ...reading,
  id: 'testRuns_watch',
  path: `${runPath}/events`,
  summary: 'Stream the changes of a test run until it has finished, as server-sent events',
  params: Type.Object(RunPath),
  query: Type.Object({
    seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 300,
        default: 60,
        description: 'The duration of the stream. Reconnect after it ends.',
      }),
    ),
  }),
  response: events({ changed: TestRun }, { description: 'The run, sent initially and after each change.' }),
});

export const testRuns_rerun = endpoint({
  ...changing,
  id: 'testRuns_rerun',
  method: 'POST',
  path: `${runPath}/rerun`,
  summary: 'Rerun the failed and unfinished tests of a test run on the same devices',
  params: Type.Object(RunPath),
  request: json(Type.Object({ only_failed: Type.Optional(Type.Boolean({ default: true })) })),
  response: json(TestRun, { status: 201, description: 'The new run.' }),
  errors: [...changing.errors, 409],
});

export const testRuns_import = endpoint({
  ...changing,
  id: 'testRuns_import',
  method: 'POST',
  path: `${runsPath}/import`,
  summary: 'Import a JUnit XML report of tests that ran elsewhere',
  params: Type.Object(AppPath),
  query: Type.Object({
    device: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'The device that ran the tests.' })),
    os: Type.Optional(Type.String({ minLength: 1, maxLength: 32, description: 'The OS version of the device.' })),
    test_series: Type.Optional(Type.String({ maxLength: 100 })),
    app_version: Type.Optional(Type.String({ maxLength: 100 })),
    ...tested,
  }),
  request: file({ types: ['application/xml', 'text/xml'], isAnyType: true, maxBytes: 16 * 1024 ** 2 }),
  response: json(TestRun, { status: 201, description: 'The run.' }),
});
