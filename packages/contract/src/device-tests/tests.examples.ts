import type { EndpointExamples } from '../endpoint/example.ts';
import type * as devices from './test-devices.contract.ts';
import type * as exports from './test-exports.contract.ts';
import type * as files from './test-files.contract.ts';
import type * as reports from './test-reports.contract.ts';
import type * as runs from './test-runs.contract.ts';
import type * as series from './test-series.contract.ts';

const app = { owner_name: 'ada', app_name: 'compass' };
/** Test runs: finished, waiting for files, ready to start, and running. */
const finished = { ...app, test_run_id: '0192f3d0-0000-7000-8000-0000000000e1' };
const open = { ...app, test_run_id: '0192f3d0-0000-7000-8000-0000000000e2' };
const ready = { ...app, test_run_id: '0192f3d0-0000-7000-8000-0000000000e3' };
const running = { ...app, test_run_id: '0192f3d0-0000-7000-8000-0000000000e4' };
/** A run that was imported. */
const imported = '0192f3d0-0000-7000-8000-0000000000ea';
const nightly = { ...app, test_series_slug: 'nightly' };
const deviceId = '6a3f1a52-9c1e-8d47-8b21-0f2f5a7c9d10';
const ownerSet = { ...app, id: '0192f3d0-0000-7000-8000-0000000000e5' };
const userSet = { ...app, id: '0192f3d0-0000-7000-8000-0000000000e6' };
const file_id = '0192f3d0-0000-7000-8000-0000000000e7';
const step_id = '85a37065ba6ba2e89bceca1b9467fcec';
/** Checksums of the texts "tests of compass" and "tests to come". */
const checksum = '0f3c2d9b1a5e4f6c7d8e9fa0b1c2d3e4f5061728394a5b6c7d8e9f0a1b2c3d4e';
const sha1 = '5a1b2c3d4e5f60718293a4b5c6d7e8f901234567';
const date = '2026-11-01T09:00:00.000Z';
const url = 'https://mooring.example.com/files/dGVzdHM.1.abc/junit_xml.zip';

const run = {
  id: finished.test_run_id,
  date,
  testSeries: 'nightly',
  platform: 'android',
  runStatus: 'finished',
  resultStatus: 'failed',
  state: 'finished',
  status: 'failed',
  description: 'Tests failed',
  stats: {
    devices: 1,
    devicesFinished: 1,
    devicesFailed: 0,
    total: 2,
    passed: 1,
    failed: 1,
    skipped: 0,
    peakMemory: 84.5,
    totalDeviceMinutes: 0.2,
  },
  testType: 'appium',
  source: 'runner',
  finishedAt: '2026-11-01T09:00:12.000Z',
} as const;

const waiting = {
  ...run,
  id: running.test_run_id,
  runStatus: 'running',
  resultStatus: 'pending',
  state: 'running',
  status: 'pending',
  description: 'Running',
  stats: { ...run.stats, devicesFinished: 0, total: 0, passed: 0, failed: 0, peakMemory: 0, totalDeviceMinutes: 0 },
} as const;

const testSeries = {
  slug: 'nightly',
  name: 'Nightly',
  mostRecentActivity: date,
  testRuns: [{ date, statusDescription: 'Tests failed', failed: 1, passed: 1, completed: true }],
};

const image = { full: 'data:image/svg+xml,%3Csvg/%3E', thumb: 'data:image/svg+xml,%3Csvg/%3E' };
const set = {
  id: ownerSet.id,
  manufacturerCount: 1,
  name: 'Smoke',
  slug: 'smoke',
  owner: { type: 'user', id: '0192f3d0-0000-7000-8000-0000000000a9', displayName: 'Ada Lovelace', name: 'ada' },
  osVersionCount: 1,
  deviceConfigurations: [
    {
      id: deviceId,
      image: { thumb: image.thumb },
      model: { name: 'Pixel 8 (emulated browser)', manufacturer: 'Google', formFactor: 'phone' },
      os: '14',
      osName: 'Android 14',
    },
  ],
} as const;
const mine = { ...set, id: userSet.id, name: 'My phone', slug: 'my-phone' };

const subscription = {
  id: '0192f3d0-0000-7000-8000-0000000000e8',
  startsAt: '2026-11-01T00:00:00.000Z',
  endsAt: '2126-10-08T00:00:00.000Z',
  daysLeft: 36_500,
  tier: { name: 'Self-hosted' },
  active: true,
};

const resources = [{ rel: 'testRuns', path: 'https://mooring.example.com/v0.1/apps/ada/compass/test/export/testRuns' }];

export const testsExamples = {
  test_getTestRuns: { params: app, query: {}, response: [run] },
  test_createTestRun: { params: app, body: {} },
  test_getTestRun: { params: finished, response: run },
  test_archiveTestRun: { params: finished, response: run },
  test_uploadHash: {
    params: ready,
    body: { file_type: 'test-file', checksum: sha1, relative_path: 'test-classes/NotesTest.class' },
  },
  test_uploadHashesBatch: {
    params: ready,
    body: [{ fileType: 'test-file', checksum, relativePath: 'test-classes/NotesTest.class' }],
    response: [
      {
        fileType: 'test-file',
        checksum,
        relativePath: 'test-classes/NotesTest.class',
        uploadStatus: { statusCode: 201 },
      },
    ],
  },
  test_startUploadingFile: { params: open, body: {} },
  testRuns_sendFile: {
    params: { upload_id: file_id },
    query: { token: 'm8x1c2.kT7bq0mQx4yZ', run: open.test_run_id },
    body: { type: 'application/octet-stream', base64: 'dGVzdHMgdG8gY29tZQ==' },
  },
  test_startTestRun: {
    params: ready,
    body: {
      test_framework: 'appium',
      device_selection: 'ada/smoke',
      locale: 'en_US',
      test_series: 'Nightly',
      test_parameters: { test_env: 'STAGE=beta' },
    },
    response: { accepted_devices: ['Google Pixel 8 (emulated browser) (14)'], rejected_devices: [] },
  },
  test_getTestRunState: {
    params: finished,
    response: {
      message: ['Done!', 'Total scenarios: 2', '1 passed', '1 failed', 'Total steps: 3'],
      wait_time: 10,
      exit_code: 1,
    },
  },
  test_stopTestRun: { params: running, body: {}, response: waiting },
  test_getTestReport: {
    params: finished,
    response: {
      app_upload_id: finished.test_run_id,
      date,
      testType: 'appium',
      platform: 'android',
      stats: {
        os: 1,
        devices: 1,
        filesize: 16,
        totalDeviceMinutes: 0.2,
        devices_not_runned: 0,
        failed: 1,
        skipped: 0,
        passed: 0,
        total: 1,
        devices_finished: 1,
        devices_failed: 0,
        devices_skipped: 0,
        step_count: 1,
        peakmem: 84.5,
        peakduration: 2000,
        artifacts: { junit_xml_zip: url },
      },
      id: finished.test_run_id,
      schema_version: 1,
      revision: 3,
      features: [
        {
          name: 'NotesTest',
          tests: [
            {
              testName: 'writesANote',
              runs: [
                {
                  number: 1,
                  id: step_id,
                  report_url: 'https://mooring.example.com/v0.1/apps/ada/compass/test_runs/…/results',
                  failed: 1,
                  skipped: 0,
                  steps: [
                    {
                      id: step_id,
                      stepName: 'The note is written',
                      step_report_url: 'https://mooring.example.com/v0.1/apps/ada/compass/test_runs/…/steps/…',
                      failed: 1,
                      skipped: 0,
                      stepExecutions: [
                        { id: `${step_id}-0`, device_snapshot_id: deviceId, status: 'failed', timestamp: date },
                      ],
                    },
                  ],
                },
              ],
              peakMemory: 84.5,
              peakDuration: 2000,
            },
          ],
          failed: 1,
          skipped: 0,
          peakMemory: 84.5,
          peakDuration: 2000,
        },
      ],
      finished_device_snapshots: [deviceId],
      device_logs: [{ device_snapshot_id: deviceId, test_log: url }],
      date_finished: '2026-11-01T09:00:12.000Z',
    },
  },
  testRuns_getStepReport: {
    params: { ...finished, step_id },
    response: {
      id: step_id,
      name: 'The note is written',
      deviceScreenshots: [
        {
          id: deviceId,
          device_snapshot_id: deviceId,
          title: 'Google Pixel 8 (emulated browser) (14)',
          screenshot: { urls: { original: 'https://mooring.example.com/files/…/1.png' } },
        },
      ],
    },
  },
  testRuns_getResults: {
    params: finished,
    response: {
      run,
      devices: [
        {
          index: 0,
          id: deviceId,
          name: 'Google Pixel 8 (emulated browser) (14)',
          os: '14',
          form_factor: 'phone',
          is_emulated: true,
          state: 'finished',
          started_at: date,
          finished_at: '2026-11-01T09:00:12.000Z',
          files: [{ kind: 'test-log', name: 'test.log', url, size: 4321 }],
        },
      ],
      tests: [
        {
          suite: 'NotesTest',
          test: 'writesANote',
          is_flaky: false,
          history: ['passed'],
          outcomes: [
            {
              device: 0,
              status: 'failed',
              milliseconds: 2000,
              message: 'expected "Monday" but found "Tuesday"',
              stack: 'at NotesTest.writesANote(NotesTest.java:21)',
              memory: 84.5,
              steps: [{ id: step_id, label: 'The note is written', at: 1_793_523_601_000 }],
            },
          ],
        },
      ],
    },
  },
  testRuns_compare: {
    params: finished,
    query: { with: imported },
    response: {
      run,
      before: { ...run, id: imported, source: 'import', testType: 'junit', resultStatus: 'passed', status: 'passed' },
      tests: [
        {
          suite: 'NotesTest',
          test: 'writesANote',
          change: 'newly_failing',
          before: 'passed',
          now: 'failed',
          message: 'expected "Monday" but found "Tuesday"',
        },
      ],
      durations: [{ suite: 'NotesTest', test: 'readsANote', milliseconds_before: 800, milliseconds: 1000 }],
    },
  },
  testRuns_watch: { params: finished, query: { seconds: 1 } },
  testRuns_rerun: { params: finished, body: {}, response: { ...waiting, rerunOf: finished.test_run_id } },
  testRuns_import: {
    params: app,
    query: { device: 'Pixel 2 XL', os: '8.1.0', test_series: 'nightly' },
    body: {
      type: 'application/xml',
      // <testsuite name="NotesTest"><testcase name="writesANote" time="1.2"/></testsuite>
      base64:
        'PHRlc3RzdWl0ZSBuYW1lPSJOb3Rlc1Rlc3QiPjx0ZXN0Y2FzZSBuYW1lPSJ3cml0ZXNBTm90ZSIgdGltZT0iMS4yIi8+PC90ZXN0c3VpdGU+',
    },
    response: { ...run, source: 'import', testType: 'junit' },
  },
  test_getAllTestSeries: { params: app, query: {}, response: [testSeries] },
  test_createTestSeries: {
    params: app,
    body: { name: 'Before release' },
    response: { ...testSeries, slug: 'before-release', name: 'Before release', testRuns: [] },
  },
  test_patchTestSeries: {
    params: nightly,
    body: { name: 'Nightly' },
    response: { ...testSeries, name: 'Nightly' },
  },
  test_deleteTestSeries: { params: nightly },
  test_getAllTestRunsForSeries: { params: nightly, response: [run] },
  test_getDeviceConfigurations: {
    params: app,
    query: {},
    response: [
      {
        id: deviceId,
        name: 'Google Pixel 8 (emulated browser) (14)',
        tier: 1,
        image,
        model: {
          name: 'Pixel 8 (emulated browser)',
          manufacturer: 'Google',
          model: 'Pixel 8 (emulated browser)',
          platform: 'android',
          resolution: { height: '915', width: '412' },
          formFactor: 'phone',
          availabilityCount: 1,
        },
        os: '14',
        osName: 'Android 14',
        isOnline: true,
        isEmulated: true,
        frameworks: ['appium', 'command'],
        runners: ['harbour-phones'],
      },
    ],
  },
  test_createDeviceSelection: { params: app, body: { devices: [deviceId] }, response: { shortId: '5b2d3a10' } },
  test_listDeviceSetsOfOwner: { params: app, response: [set] },
  test_createDeviceSetOfOwner: {
    params: app,
    body: { name: 'All phones', devices: [deviceId] },
    response: { ...set, name: 'All phones', slug: 'all-phones' },
  },
  test_getDeviceSetOfOwner: { params: ownerSet, response: set },
  test_updateDeviceSetOfOwner: { params: ownerSet, body: { name: 'Smoke', devices: [deviceId] }, response: set },
  test_deleteDeviceSetOfOwner: { params: ownerSet },
  test_listDeviceSetsOfUser: { params: app, response: [mine] },
  test_createDeviceSetOfUser: {
    params: app,
    body: { name: 'My desk', devices: [deviceId] },
    response: { ...mine, name: 'My desk', slug: 'on-my-desk' },
  },
  test_getDeviceSetOfUser: { params: userSet, response: mine },
  test_updateDeviceSetOfUser: { params: userSet, body: { name: 'My phone', devices: [deviceId] }, response: mine },
  test_deleteDeviceSetOfUser: { params: userSet },
  test_getSubscriptions: { params: app, response: subscription },
  test_createSubscription: { params: app, body: {}, response: subscription },
  test_gdprExportAccounts: {
    response: {
      resources: [{ rel: 'accounts', path: 'https://mooring.example.com/v0.1/account/test/export/accounts' }],
    },
  },
  test_gdprExportAccount: { response: { id: '0192f3d0-0000-7000-8000-0000000000a9' } },
  test_gdprExportFeatureFlag: { response: {} },
  test_gdprExportApps: { params: app, response: { resources } },
  test_gdprExportApp: {
    params: app,
    response: { hash_files_url: 'https://mooring.example.com/v0.1/apps/ada/compass/test/export/hashFiles' },
  },
  test_gdprExportFileSetFile: {
    params: app,
    query: {},
    response: { path: 'test-classes/NotesTest.class', hash_file_id: file_id, app_upload_id: finished.test_run_id },
  },
  test_gdprExportHashFile: { params: app, query: {}, response: { id: file_id, filename: 'NotesTest.class' } },
  test_gdprExportPipelineTest: {
    params: app,
    query: {},
    response: { app_upload_id: finished.test_run_id, test_parameters: { test_env: 'STAGE=beta' } },
  },
  test_gdprExportTestRun: { params: app, query: {}, response: { id: finished.test_run_id, locale: 'en_US' } },
} as const satisfies EndpointExamples<typeof runs> &
  EndpointExamples<typeof files> &
  EndpointExamples<typeof reports> &
  EndpointExamples<typeof series> &
  EndpointExamples<typeof devices> &
  EndpointExamples<typeof exports>;
