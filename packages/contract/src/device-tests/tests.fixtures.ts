import { type Fixtures, putId } from '../fixtures/fixtures.ts';
import {
  runnerJobs_events,
  runnerJobs_file,
  runnerJobs_finish,
  runnerJobs_source,
  runnerJobs_take,
  runners_declare,
} from '../runners/runner-jobs.contract.ts';
import { runners_inviteForApp, runners_register } from '../runners/runners.contract.ts';
import { runnersExamples } from '../runners/runners.examples.ts';
import {
  test_createDeviceSetOfOwner,
  test_createDeviceSetOfUser,
  test_getDeviceConfigurations,
  test_getDeviceSetOfOwner,
  test_getDeviceSetOfUser,
} from './test-devices.contract.ts';
import { test_startUploadingFile, test_uploadHashesBatch, testRuns_sendFile } from './test-files.contract.ts';
import { testRuns_compare } from './test-reports.contract.ts';
import {
  test_createTestRun,
  test_getTestRun,
  test_getTestRuns,
  test_startTestRun,
  test_stopTestRun,
  testRuns_import,
} from './test-runs.contract.ts';
import { testsExamples } from './tests.examples.ts';

const app = testsExamples.test_getTestRuns.params;
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const toHex = async (name: string, text: string): Promise<string> => {
  const sum = await crypto.subtle.digest(name, new TextEncoder().encode(text));
  return [...new Uint8Array(sum)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
};

const toBytes = (base64: string) => Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));

/** A runner with a phone that does not accept builds. */
async function addPhones({ ada }: Fixtures): Promise<string> {
  const { code } = await ada.call(runners_inviteForApp, { params: app, body: {} });
  const { token } = await ada.call(runners_register, { body: { code, name: 'harbour-phones' } });
  const { devices, protocol, version } = runnersExamples.runners_declare.body;
  const body = {
    protocol,
    version,
    labels: [],
    tools: [],
    slots: 1,
    devices: devices.map((device) => ({ ...device, frameworks: [...device.frameworks] })),
  };
  await ada.call(runners_declare, { headers: { 'x-runner-token': token }, body });
  return token;
}

/** Test runs of compass: one finished with a failed test, one runs, and two are queued. */
export async function addTests(fixtures: Fixtures): Promise<void> {
  const { ada, ids, server } = fixtures;
  // Restored fixtures have their test runs already.
  const isRestored = ids.has(testsExamples.test_getTestRun.params.test_run_id);
  if (isRestored || (await ada.call(test_getTestRuns, { params: app })).length > 0) return;
  const token = await addPhones(fixtures);
  const [device] = await ada.call(test_getDeviceConfigurations, { params: app });
  const { devices } = testsExamples.test_createDeviceSelection.body;
  ids.set(devices[0], device?.id ?? '');
  const smoke = { name: 'Smoke', devices: [device?.id ?? ''] };
  const set = await ada.call(test_createDeviceSetOfOwner, { params: app, body: smoke });
  putId(fixtures, test_getDeviceSetOfOwner, 'id', set.id);
  const mine = await ada.call(test_createDeviceSetOfUser, { params: app, body: { ...smoke, name: 'My phone' } });
  putId(fixtures, test_getDeviceSetOfUser, 'id', mine.id);

  const create = async (): Promise<string> => {
    await ada.call(test_createTestRun, { params: app });
    const [newest] = await ada.call(test_getTestRuns, { params: app });
    return newest?.id ?? '';
  };
  const suite = 'tests of compass';
  const name = async (runId: string, text: string) => {
    const body = [
      {
        fileType: 'test-file' as const,
        checksum: await toHex('SHA-256', text),
        relativePath: 'test-classes/NotesTest.class',
      },
    ];
    const [named] = await ada.call(test_uploadHashesBatch, { params: { ...app, test_run_id: runId }, body });
    // The server returns no upload URL for a file that it has.
    return new URL(named?.uploadStatus.location ?? 'http://localhost');
  };
  const start = (test_run_id: string) => {
    const { test_parameters, ...body } = testsExamples.test_startTestRun.body;
    return ada.call(test_startTestRun, {
      params: { ...app, test_run_id },
      body: { ...body, test_parameters: { ...test_parameters } },
    });
  };
  const take = async () => {
    const job = await ada.call(runnerJobs_take, { headers: { 'x-runner-token': token }, query: { wait: 0 }, body: {} });
    if (!job) throw new Error('The test run found no runner.');
    return { params: { job_id: job.id }, headers: { 'x-job-token': job.token }, work: job.work };
  };

  const elsewhere =
    '<testsuite name="NotesTest"><testcase name="writesANote" time="1.2"/><testcase name="readsANote" time="0.8"/></testsuite>';
  const imported = await ada.call(testRuns_import, {
    params: app,
    query: { device: 'Pixel 2 XL', os: '8.1.0', test_series: 'nightly' },
    file: new Blob([elsewhere], { type: 'application/xml' }),
  });
  putId(fixtures, testRuns_compare, 'with', imported.id);

  const finished = await create();
  const to = await name(finished, suite);
  await ada.call(testRuns_sendFile, {
    params: { upload_id: to.pathname.split('/').at(-1) ?? '' },
    query: { token: to.searchParams.get('token') ?? '', run: finished },
    file: new Blob([suite], { type: 'application/octet-stream' }),
  });
  await start(finished);
  const { params, headers } = await take();
  await ada.call(runnerJobs_file, {
    params: { ...params, upload_id: '0192f3d0-0000-4000-8000-0000000000f1' },
    headers,
    query: { name: '1.png', kind: 'screenshot' },
    file: new Blob([toBytes(picture)], { type: 'application/octet-stream' }),
  });
  await ada.call(runnerJobs_file, {
    params: { ...params, upload_id: '0192f3d0-0000-4000-8000-0000000000f2' },
    headers,
    query: { name: 'test.log', kind: 'test-log' },
    file: new Blob(['Running NotesTest\n'], { type: 'application/octet-stream' }),
  });
  const at = server.now();
  const writes = { suite: 'NotesTest', test: 'writesANote' };
  const reads = { suite: 'NotesTest', test: 'readsANote' };
  await ada.call(runnerJobs_events, {
    params,
    headers,
    body: {
      from: 0,
      events: [
        { type: 'test-started', at, ...writes },
        { type: 'step', at, ...writes, label: 'The note is written', screenshot: '1.png' },
        {
          type: 'test-ended',
          at: at + 2000,
          ...writes,
          status: 'failed',
          milliseconds: 2000,
          message: 'expected "Monday" but found "Tuesday"',
          stack: 'at NotesTest.writesANote(NotesTest.java:21)',
          memory: 84.5,
        },
        { type: 'test-started', at: at + 2000, ...reads },
        { type: 'test-ended', at: at + 3000, ...reads, status: 'passed', milliseconds: 1000 },
      ],
    },
  });
  await ada.call(runnerJobs_finish, { params, headers, body: { result: 'succeeded' } });
  putId(fixtures, test_getTestRun, 'test_run_id', finished);

  const running = await create();
  await name(running, suite);
  await start(running);
  const taken = await take();
  putId(fixtures, test_stopTestRun, 'test_run_id', running);
  putId(fixtures, runnerJobs_source, 'job_id', taken.params.job_id);
  putId(fixtures, runnerJobs_source, 'x-job-token', taken.headers['x-job-token']);
  const [file] = taken.work.files as { id: string }[];
  putId(fixtures, runnerJobs_source, 'file_id', file?.id ?? '');

  const ready = await create();
  await name(ready, suite);
  putId(fixtures, test_startTestRun, 'test_run_id', ready);
  ids.set(testsExamples.test_uploadHashesBatch.body[0].checksum, await toHex('SHA-256', suite));
  ids.set(testsExamples.test_uploadHash.body.checksum, await toHex('SHA-1', suite));

  const open = await create();
  const next = await name(open, 'tests to come');
  putId(fixtures, test_startUploadingFile, 'test_run_id', open);
  putId(fixtures, testRuns_sendFile, 'upload_id', next.pathname.split('/').at(-1) ?? '');
  putId(fixtures, testRuns_sendFile, 'token', next.searchParams.get('token') ?? '');
}
