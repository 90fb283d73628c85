import { empty, endpoint, events, file, json } from '../endpoint/index.ts';
import { AppPath } from '../fields.ts';
import { Type } from '../type.ts';
import { changing, RunPath, reading, runPath, runsPath, TestRun, tested } from './test-run.fields.ts';

export const test_getTestRuns = endpoint({
  ...reading,
  id: 'test_getTestRuns',
  path: runsPath,
  summary: 'Lists the newest test runs of an app',
  params: Type.Object(AppPath),
  query: Type.Object({
    before: Type.Optional(
      Type.String({ maxLength: 100, description: 'Those that are older than the run of this id.' }),
    ),
    ...tested,
  }),
  response: json(Type.Array(TestRun), { description: '50 at most, newest first.' }),
});

export const test_createTestRun = endpoint({
  ...changing,
  id: 'test_createTestRun',
  method: 'POST',
  path: runsPath,
  summary: 'Makes a test run, which is started once its files are there',
  params: Type.Object(AppPath),
  request: json(Type.Object({}), { bodyOmittedBy: { client: 'appcenter-cli 3.0.4', command: 'test run' } }),
  response: empty({ status: 201, description: 'The header Location ends with the id of the run.' }),
});

export const test_getTestRun = endpoint({
  ...reading,
  id: 'test_getTestRun',
  path: runPath,
  summary: 'Reads a test run',
  params: Type.Object(RunPath),
  response: json(TestRun, { description: 'The run.' }),
});

export const test_archiveTestRun = endpoint({
  ...changing,
  id: 'test_archiveTestRun',
  method: 'DELETE',
  path: runPath,
  summary: 'Hides a test run from lists; one that still runs is stopped',
  params: Type.Object(RunPath),
  response: json(TestRun, { description: 'The run.' }),
});

export const test_startTestRun = endpoint({
  ...changing,
  id: 'test_startTestRun',
  method: 'POST',
  path: `${runPath}/start`,
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
      ...tested,
    }),
  ),
  response: json(
    Type.Object({
      accepted_devices: Type.Array(Type.String()),
      rejected_devices: Type.Array(Type.String({ description: 'On which this suite cannot run.' })),
    }),
    { description: 'On which devices it runs.' },
  ),
  errors: [...changing.errors, 409],
});

export const test_getTestRunState = endpoint({
  ...reading,
  id: 'test_getTestRunState',
  path: `${runPath}/state`,
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
  path: `${runPath}/stop`,
  summary: 'Stops a test run; what has run already is in its report',
  params: Type.Object(RunPath),
  request: json(Type.Object({}), { bodyOmittedBy: { client: 'appcenter-cli 3.0.4', command: 'test stop' } }),
  response: json(TestRun, { description: 'The run.' }),
});

export const testRuns_watch = endpoint({
  ...reading,
  id: 'testRuns_watch',
  path: `${runPath}/events`,
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
  path: `${runPath}/rerun`,
  summary: 'Runs the tests that failed, and those that did not come to run, again on the same devices',
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
  summary: 'Keeps what a suite has shown that ran elsewhere, from its JUnit XML',
  params: Type.Object(AppPath),
  query: Type.Object({
    device: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'On which it ran.' })),
    os: Type.Optional(Type.String({ minLength: 1, maxLength: 32, description: 'The version of its system.' })),
    test_series: Type.Optional(Type.String({ maxLength: 100 })),
    app_version: Type.Optional(Type.String({ maxLength: 100 })),
    ...tested,
  }),
  request: file({ types: ['application/xml', 'text/xml'], isAnyType: true, maxBytes: 16 * 1024 ** 2 }),
  response: json(TestRun, { status: 201, description: 'The run.' }),
});
