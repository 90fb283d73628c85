import { TestEvent } from '../device-tests/test-work.ts';
import { bytes, empty, endpoint, file, json } from '../endpoint/index.ts';
import { Type } from '../type.ts';
import { UPLOAD_MAX_BYTES } from '../uploads/uploads.contract.ts';
import { RunnerDevice } from './devices.ts';
import { RunnerLabel, RunnerTool } from './runners.contract.ts';
import { runnersSurface } from './runners.surface.ts';

/**
 * Protocol versions. A server supports runners that are one version older. From version 2 on, both sides sign their
 * version.
 */
export const RUNNER_PROTOCOL = 2;
/** How long a runner may be silent before its job is released. */
export const RUNNER_LEASE_SECONDS = 60;
export const RUNNER_WAIT_SECONDS = 25;
export const LOG_CHUNK_BYTES = 262_144;

export const jobKinds = ['build', 'test', 'handover'] as const;
export const jobFileKinds = [
  'build',
  'symbols',
  'mapping',
  'bundle',
  'screenshot',
  'device-log',
  'test-log',
  'appium-log',
  'junit-xml',
  'video',
] as const;
export const jobResults = ['succeeded', 'failed', 'canceled'] as const;

const RunnerHeaders = { 'x-runner-token': Type.String({ maxLength: 200, description: 'The token of the runner.' }) };
const JobHeaders = {
  'x-job-token': Type.String({
    maxLength: 200,
    description: 'The token of the job, from the claim. Ends with the job.',
  }),
};
const JobPath = { job_id: Type.String({ minLength: 1, maxLength: 100 }) };

const common = { tag: 'runners', surface: runnersSurface, effect: 'ingest', errors: [401, 409] } as const;
const ofJob = { ...common, access: 'runnerJob' } as const;
const at = '/v0.1/runner/jobs';

export const runners_declare = endpoint({
  ...common,
  id: 'runners_declare',
  method: 'PUT',
  path: '/v0.1/runner',
  summary: "Report a runner's version, tools and devices",
  access: 'runner',
  headers: Type.Object(RunnerHeaders),
  request: json(
    Type.Object({
      protocol: Type.Integer({ minimum: 1, maximum: 1000 }),
      version: Type.String({ minLength: 1, maxLength: 64 }),
      labels: Type.Array(RunnerLabel, { maxItems: 64 }),
      tools: Type.Array(RunnerTool, { maxItems: 200 }),
      slots: Type.Integer({ minimum: 1, maximum: 64 }),
      devices: Type.Optional(
        Type.Array(RunnerDevice, { maxItems: 64, description: 'The devices for tests (default: none).' }),
      ),
      is_started: Type.Optional(
        Type.Boolean({ description: 'True if the runner has just started: jobs that it had before are lost.' }),
      ),
      signature: Type.Optional(
        Type.String({
          maxLength: 100,
          description: 'From version 2 on: an HMAC-SHA-256 of both versions in base64url; see `signedProtocol`.',
        }),
      ),
      trouble: Type.Optional(
        Type.String({ maxLength: 500, description: 'Why the runner accepts no jobs, such as a full disk.' }),
      ),
    }),
  ),
  response: json(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      lease_seconds: Type.Integer(),
      wait_seconds: Type.Integer(),
      protocol: Type.Optional(Type.Integer({ description: 'The protocol version of the server.' })),
      signature: Type.Optional(
        Type.String({ description: 'A signature of the version and the ID, with the same key.' }),
      ),
    }),
    { description: 'The report is stored.' },
  ),
});

export const RunnerJob = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum([...jobKinds]),
    token: Type.String({ description: 'For the header X-Job-Token of requests for this job.' }),
    lease_seconds: Type.Integer({ description: 'The runner loses the job if it is silent for longer.' }),
    log_offset: Type.Integer({
      description: 'The offset to continue the log at. More than 0 if a previous runner was lost.',
    }),
    work: Type.Record(Type.String(), Type.Unknown(), { description: 'The job description, including secrets.' }),
  },
  { $id: 'RunnerJob' },
);

export const runnerJobs_take = endpoint({
  ...common,
  id: 'runnerJobs_take',
  method: 'POST',
  path: at,
  summary: 'Claim the next job that a runner can do, or wait for one',
  access: 'runner',
  headers: Type.Object(RunnerHeaders),
  query: Type.Object({
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: RUNNER_WAIT_SECONDS,
        default: RUNNER_WAIT_SECONDS,
        description: 'The maximum number of seconds to wait for a job.',
      }),
    ),
  }),
  request: json(Type.Object({})),
  response: json(RunnerJob, { description: 'The claimed job.', mayBeEmpty: 'No job is available.' }),
});

export const runnerJobs_beat = endpoint({
  ...ofJob,
  id: 'runnerJobs_beat',
  method: 'POST',
  path: `${at}/{job_id}/heartbeat`,
  summary: 'Renew the lease of a job, and get whether to stop it',
  params: Type.Object(JobPath),
  headers: Type.Object(JobHeaders),
  request: json(Type.Object({})),
  response: json(Type.Object({ cancel: Type.Boolean(), lease_seconds: Type.Integer() }), {
    description: 'Whether to continue or stop.',
  }),
});

export const runnerJobs_log = endpoint({
  ...ofJob,
  id: 'runnerJobs_log',
  method: 'PUT',
  path: `${at}/{job_id}/log`,
  summary: 'Append to the log of a job, at an offset in bytes',
  description: 'Resending existing data has no effect. An offset that leaves a gap is rejected.',
  params: Type.Object(JobPath),
  query: Type.Object({ offset: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }) }),
  headers: Type.Object(JobHeaders),
  request: bytes({ types: ['text/plain'], maxBytes: LOG_CHUNK_BYTES, maxInflated: LOG_CHUNK_BYTES }),
  response: json(
    Type.Object({
      size: Type.Integer({ description: 'The size of the log: the offset to continue at.' }),
      is_full: Type.Boolean({
        description: 'True if the log has reached its limit; more data is accepted and dropped.',
      }),
    }),
    { description: 'The data is stored.' },
  ),
});

export const runnerJobs_file = endpoint({
  ...ofJob,
  id: 'runnerJobs_file',
  method: 'PUT',
  path: `${at}/{job_id}/files/{upload_id}`,
  summary: 'Upload a file of a job',
  description: 'The file as the body, or a part of it with Content-Range. Use the same ID to resume an upload.',
  params: Type.Object({
    ...JobPath,
    upload_id: Type.String({ format: 'uuid', description: 'An ID that the runner chooses.' }),
  }),
  query: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 255 }),
    kind: Type.Enum([...jobFileKinds]),
  }),
  headers: Type.Object({ ...JobHeaders, 'content-range': Type.Optional(Type.String({ maxLength: 100 })) }),
  request: file({ types: ['application/octet-stream'], isAnyType: true, maxBytes: UPLOAD_MAX_BYTES, isLong: true }),
  response: json(
    Type.Object({
      received: Type.Integer({
        description: 'The number of bytes received from the start, without gaps: the offset to continue at.',
      }),
      sha256: Type.Optional(Type.String({ description: 'In hexadecimal, once the file is complete.' })),
    }),
    { description: 'The received size.' },
  ),
});

export const runnerJobs_source = endpoint({
  ...ofJob,
  id: 'runnerJobs_source',
  effect: 'read',
  method: 'GET',
  path: `${at}/{job_id}/sources/{file_id}`,
  summary: 'Download a file of a job',
  description: 'The whole file, or a range of it.',
  params: Type.Object({ ...JobPath, file_id: Type.String({ minLength: 1, maxLength: 100 }) }),
  headers: Type.Object(JobHeaders),
  response: file({ types: ['application/octet-stream'], description: 'The file.' }),
  errors: [...common.errors, 404],
});

export const runnerJobs_events = endpoint({
  ...ofJob,
  id: 'runnerJobs_events',
  method: 'POST',
  path: `${at}/{job_id}/events`,
  summary: 'Report events of a test run, in order',
  description: 'Resending existing events has no effect. Events that leave a gap are rejected.',
  params: Type.Object(JobPath),
  headers: Type.Object(JobHeaders),
  request: json(
    Type.Object({
      from: Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        description: 'The number of events sent before these, since the job was claimed.',
      }),
      events: Type.Array(TestEvent, { maxItems: 500 }),
    }),
  ),
  response: json(
    Type.Object({ count: Type.Integer({ description: 'The number of stored events: the next `from`.' }) }),
    {
      description: 'The events are stored.',
    },
  ),
});

export const runnerJobs_finish = endpoint({
  ...ofJob,
  id: 'runnerJobs_finish',
  method: 'POST',
  path: `${at}/{job_id}/finish`,
  summary: 'Finish a job',
  description:
    'Report the result. A test job succeeds if the suite ran to its end, even if tests failed, and fails if it could not run. A handover succeeds or fails by the exit code of its command.',
  params: Type.Object(JobPath),
  headers: Type.Object(JobHeaders),
  request: json(
    Type.Object({
      result: Type.Enum([...jobResults]),
      reason: Type.Optional(Type.String({ maxLength: 1000, description: 'Why the job failed, for people.' })),
      found: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'The projects that the build found in the sources.',
        }),
      ),
      is_device_broken: Type.Optional(
        Type.Boolean({
          description:
            'True if the device could not run the tests or be cleaned up afterwards. After several in a row, the device is paused. A suite that could not start does not count.',
        }),
      ),
    }),
  ),
  response: empty({ description: 'The job and its token have ended.' }),
});
