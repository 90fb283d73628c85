import type { EndpointExamples } from '../endpoint/example.ts';
import type * as jobs from './runner-jobs.contract.ts';
import type * as runners from './runners.contract.ts';

const app = { owner_name: 'ada', app_name: 'compass' };
const org = { org_name: 'lighthouse' };
const ofApp = { ...app, runner_id: '0192f3d0-0000-7000-8000-0000000000a1' };
const ofOrg = { ...org, runner_id: '0192f3d0-0000-7000-8000-0000000000a2' };
const ofServer = { runner_id: '0192f3d0-0000-7000-8000-0000000000a3' };
const token = 'mrt_4Xh0rYcVb7TgQ1mZs9KfLw2NpEaJd6UiOo3yRk5H';
const job_id = '0192f3d0-0000-7000-8000-0000000000b1';
const ofJob = { params: { job_id }, headers: { 'x-job-token': 'mjt_9aQwErTy1UiOp2AsDfGh3JkLz4XcVb5NmQw6ErTy7' } };

const device = {
  key: 'chromium-pixel-8',
  manufacturer: 'Google',
  model: 'Pixel 8 (emulated browser)',
  platform: 'android',
  os: '14',
  form_factor: 'phone',
  is_emulated: true,
  frameworks: ['appium', 'command'],
  resolution: { width: 412, height: 915 },
} as const;

const runner = {
  id: ofApp.runner_id,
  name: 'harbour-linux',
  serves: 'app',
  labels: ['linux', 'x64'],
  tools: [
    { name: 'git', version: '2.39.5' },
    { name: 'node', version: '26.10.0' },
    { name: 'java', version: '17.0.13' },
  ],
  version: '0.1.0',
  devices: [device],
  slots: 2,
  running: 1,
  is_online: true,
  created_at: '2026-11-01T09:00:00.000Z',
  last_seen_at: '2026-11-01T09:05:00.000Z',
} as const;
const code = { code: 'mrc_7TgQ1mZs9KfLw2NpEaJd', expires_at: '2026-11-01T10:00:00.000Z' };

export const runnersExamples = {
  runners_listForApp: { params: app, response: [runner] },
  runners_inviteForApp: { params: app, body: {}, response: code },
  runners_removeFromApp: { params: ofApp },
  runners_listForOrg: {
    params: org,
    response: [{ ...runner, id: ofOrg.runner_id, name: 'harbour-mac', serves: 'organization' }],
  },
  runners_inviteForOrg: { params: org, body: {}, response: code },
  runners_removeFromOrg: { params: ofOrg },
  runners_listForServer: {
    query: {},
    response: [{ ...runner, id: ofServer.runner_id, name: 'shared', serves: 'server' }],
  },
  runners_inviteForServer: { body: {}, response: code },
  runners_removeFromServer: { params: ofServer },
  runners_register: {
    body: { code: code.code, name: 'harbour-linux' },
    response: { id: ofApp.runner_id, name: 'harbour-linux', serves: 'app', token },
  },
  runners_declare: {
    headers: { 'x-runner-token': token },
    body: {
      protocol: 1,
      version: '0.1.0',
      labels: ['linux', 'x64'],
      tools: [
        { name: 'git', version: '2.39.5' },
        { name: 'node', version: '26.10.0' },
        { name: 'java', version: '17.0.13' },
      ],
      slots: 2,
      devices: [device],
    },
    response: { id: ofApp.runner_id, name: 'harbour-linux', lease_seconds: 60, wait_seconds: 25 },
  },
  runnerJobs_take: {
    headers: { 'x-runner-token': token },
    query: { wait: 0 },
    body: {},
    response: {
      id: job_id,
      kind: 'build',
      token: ofJob.headers['x-job-token'],
      lease_seconds: 60,
      log_offset: 0,
      work: { build: { id: 2, branch: 'main' } },
    },
  },
  runnerJobs_beat: { ...ofJob, body: {}, response: { cancel: false, lease_seconds: 60 } },
  runnerJobs_log: {
    ...ofJob,
    query: { offset: 0 },
    body: '== Sources\nclone of main\n',
    response: { size: 25, is_full: false },
  },
  runnerJobs_file: {
    params: { job_id, upload_id: '0192f3d0-0000-4000-8000-0000000000c1' },
    headers: ofJob.headers,
    query: { name: 'compass.apk', kind: 'build' },
    body: { type: 'application/octet-stream', base64: 'UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==' },
    response: { received: 22, sha256: '8739c76e681f900923b900c9df0ef75cf421d39cabb54650c4b9ad19b6a76d85' },
  },
  runnerJobs_source: {
    params: {
      job_id: '0192f3d0-0000-7000-8000-0000000000b2',
      file_id: '0192f3d0-0000-7000-8000-0000000000e9',
    },
    headers: { 'x-job-token': 'mjt_1aQwErTy1UiOp2AsDfGh3JkLz4XcVb5NmQw6ErTy8' },
  },
  runnerJobs_events: {
    ...ofJob,
    body: {
      from: 0,
      events: [
        { type: 'test-started', at: 1_793_523_600_000, suite: 'NotesTest', test: 'writesANote' },
        {
          type: 'test-ended',
          at: 1_793_523_602_000,
          suite: 'NotesTest',
          test: 'writesANote',
          status: 'passed',
          milliseconds: 2000,
        },
      ],
    },
    response: { count: 2 },
  },
  runnerJobs_finish: { ...ofJob, body: { result: 'succeeded' } },
} as const satisfies EndpointExamples<typeof jobs> & EndpointExamples<typeof runners>;
