import { bytes, empty, endpoint, file, json } from '../endpoint/index.ts';
import { TestEvent } from '../tests/test-work.ts';
import { Type } from '../type.ts';
import { UPLOAD_MAX_BYTES } from '../uploads/uploads.contract.ts';
import { RunnerDevice } from './devices.ts';
import { RunnerLabel, RunnerTool } from './runners.contract.ts';
import { runnersFamily } from './runners.family.ts';

/** What both sides speak. A server answers runners that are older by one. From 2 on both sign what they say of it. */
export const RUNNER_PROTOCOL = 2;
/** How long a runner may be silent before its job goes to another. */
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

const RunnerHeaders = { 'x-runner-token': Type.String({ maxLength: 200, description: 'Of the runner.' }) };
const JobHeaders = {
  'x-job-token': Type.String({ maxLength: 200, description: 'Of the job: it came with it, and ends with it.' }),
};
const JobPath = { job_id: Type.String({ minLength: 1, maxLength: 100 }) };

const common = { tag: 'runners', family: runnersFamily, effect: 'ingest', errors: [401, 409] } as const;
const ofJob = { ...common, access: 'runnerJob' } as const;
const at = '/v0.1/runner/jobs';

export const runners_declare = endpoint({
  ...common,
  id: 'runners_declare',
  method: 'PUT',
  path: '/v0.1/runner',
  summary: 'A runner tells what it is and has',
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
        Type.Array(RunnerDevice, { maxItems: 64, description: 'On which it can run tests; without them, none.' }),
      ),
      is_started: Type.Optional(
        Type.Boolean({ description: 'It has just started: whatever it had taken before is lost.' }),
      ),
      signature: Type.Optional(
        Type.String({
          maxLength: 100,
          description: 'From version 2 on: an HMAC-SHA-256 of both versions in base64url; see `signedProtocol`.',
        }),
      ),
      trouble: Type.Optional(
        Type.String({ maxLength: 500, description: 'Why it takes no work just now, such as a disk that is full.' }),
      ),
    }),
  ),
  response: json(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      lease_seconds: Type.Integer(),
      wait_seconds: Type.Integer(),
      protocol: Type.Optional(Type.Integer({ description: 'What the server speaks.' })),
      signature: Type.Optional(Type.String({ description: 'Of that and of the id, by the same key.' })),
    }),
    { description: 'It is known.' },
  ),
});

export const RunnerJob = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum([...jobKinds]),
    token: Type.String({ description: 'For the header X-Job-Token of whatever concerns this job.' }),
    lease_seconds: Type.Integer({ description: 'Whoever is silent for longer loses it.' }),
    log_offset: Type.Integer({ description: 'Where its log goes on; more than 0 if another runner was lost.' }),
    work: Type.Record(Type.String(), Type.Unknown(), { description: 'What is to be done; secrets among it.' }),
  },
  { $id: 'RunnerJob' },
);

export const runnerJobs_take = endpoint({
  ...common,
  id: 'runnerJobs_take',
  method: 'POST',
  path: at,
  summary: 'A runner takes the next job that it can do, and waits for one if there is none',
  access: 'runner',
  headers: Type.Object(RunnerHeaders),
  query: Type.Object({
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: RUNNER_WAIT_SECONDS,
        default: RUNNER_WAIT_SECONDS,
        description: 'Seconds until it is told that there is none.',
      }),
    ),
  }),
  request: json(Type.Object({})),
  response: json(RunnerJob, { description: 'The job, which is its own now.', mayBeEmpty: 'There is none.' }),
});

export const runnerJobs_beat = endpoint({
  ...ofJob,
  id: 'runnerJobs_beat',
  method: 'POST',
  path: `${at}/{job_id}/heartbeat`,
  summary: 'A runner says that it still works on a job, and hears whether it shall stop',
  params: Type.Object(JobPath),
  headers: Type.Object(JobHeaders),
  request: json(Type.Object({})),
  response: json(Type.Object({ cancel: Type.Boolean(), lease_seconds: Type.Integer() }), {
    description: 'Go on, or stop.',
  }),
});

export const runnerJobs_log = endpoint({
  ...ofJob,
  id: 'runnerJobs_log',
  method: 'PUT',
  path: `${at}/{job_id}/log`,
  summary: 'Adds to the log of a job, at an offset in bytes',
  description: 'What is there already may be sent again and changes nothing; what would leave a gap is refused.',
  params: Type.Object(JobPath),
  query: Type.Object({ offset: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }) }),
  headers: Type.Object(JobHeaders),
  request: bytes({ types: ['text/plain'], maxBytes: LOG_CHUNK_BYTES, maxInflated: LOG_CHUNK_BYTES }),
  response: json(
    Type.Object({
      size: Type.Integer({ description: 'How long it is now: where to go on.' }),
      is_full: Type.Boolean({ description: 'It has reached its limit; more is taken and dropped.' }),
    }),
    { description: 'It is kept.' },
  ),
});

export const runnerJobs_file = endpoint({
  ...ofJob,
  id: 'runnerJobs_file',
  method: 'PUT',
  path: `${at}/{job_id}/files/{upload_id}`,
  summary: 'Keeps a file that a job has made',
  description:
    'The file as the body, or a part of it with Content-Range; sent again under the same id it goes on where it stopped.',
  params: Type.Object({ ...JobPath, upload_id: Type.String({ format: 'uuid', description: 'Chosen by the runner.' }) }),
  query: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 255 }),
    kind: Type.Enum([...jobFileKinds]),
  }),
  headers: Type.Object({ ...JobHeaders, 'content-range': Type.Optional(Type.String({ maxLength: 100 })) }),
  request: file({ types: ['application/octet-stream'], isAnyType: true, maxBytes: UPLOAD_MAX_BYTES, isLong: true }),
  response: json(
    Type.Object({
      received: Type.Integer({ description: 'Bytes that have arrived without a gap: where to go on.' }),
      sha256: Type.Optional(Type.String({ description: 'In hexadecimal, once it is whole.' })),
    }),
    { description: 'How much has arrived.' },
  ),
});

export const runnerJobs_source = endpoint({
  ...ofJob,
  id: 'runnerJobs_source',
  effect: 'read',
  method: 'GET',
  path: `${at}/{job_id}/sources/{file_id}`,
  summary: 'Fetches a file that a job names',
  description: 'Whole, or a range of it.',
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
  summary: 'Tells what happened while tests ran, in order',
  description: 'What was told already may be told again and changes nothing; what would leave a gap is refused.',
  params: Type.Object(JobPath),
  headers: Type.Object(JobHeaders),
  request: json(
    Type.Object({
      from: Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        description: 'How many were told before these, since the job was taken.',
      }),
      events: Type.Array(TestEvent, { maxItems: 500 }),
    }),
  ),
  response: json(Type.Object({ count: Type.Integer({ description: 'How many there are now: where to go on.' }) }), {
    description: 'They are kept.',
  }),
});

export const runnerJobs_finish = endpoint({
  ...ofJob,
  id: 'runnerJobs_finish',
  method: 'POST',
  path: `${at}/{job_id}/finish`,
  summary: 'Ends a job',
  description:
    'A build has succeeded, or failed. A suite of tests that ran to its end has succeeded, whatever its tests have shown; it has failed if it could not run. What was handed over to a command goes by its exit code.',
  params: Type.Object(JobPath),
  headers: Type.Object(JobHeaders),
  request: json(
    Type.Object({
      result: Type.Enum([...jobResults]),
      reason: Type.Optional(Type.String({ maxLength: 1000, description: 'Why it failed, for people.' })),
      found: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), { description: 'What it found in the sources.' }),
      ),
      is_device_broken: Type.Optional(
        Type.Boolean({
          description:
            'The device could not do it, or could not be cleaned afterwards; after several in a row it rests. A suite that could not run says nothing of its device.',
        }),
      ),
    }),
  ),
  response: empty({ description: 'It is ended; its token, too.' }),
});
