import { empty, endpoint, json } from '../endpoint/index.ts';
import { Time } from '../fields.ts';
import { LiveQuery, liveEvents } from '../live.ts';
import { listQuery, Page } from '../paging.ts';
import { Type } from '../type.ts';

export const jobStates = ['dead', 'waiting', 'running'] as const;

export const Job = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    payload: Type.Object({}, { additionalProperties: true, description: 'The input of the job.' }),
    attempts: Type.Integer(),
    created_at: Time,
    due_at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'The earliest time to run the job. Absent for dead letters.',
      }),
    ),
    last_error: Type.Optional(Type.String()),
    failed_at: Type.Optional(Type.String({ format: 'date-time', description: 'The time of the last failed attempt.' })),
  },
  { $id: 'Job' },
);

const JobPath = { job_id: Type.String({ minLength: 1, maxLength: 100 }) };

export const adminJobs_list = endpoint({
  id: 'adminJobs_list',
  method: 'GET',
  path: '/v0.1/admin/jobs',
  tag: 'administration',
  summary: 'List dead letters, queued jobs or running jobs, newest first',
  description: 'A dead letter is a job that used up all its attempts.',
  access: 'admin',
  effect: 'read',
  query: Type.Object({
    state: Type.Optional(Type.Enum(jobStates, { default: 'dead' })),
    ...listQuery(['created_at', 'name'], 'names and errors'),
  }),
  response: json(Page(Job), { description: 'A page of jobs.' }),
});

export const adminJobs_replay = endpoint({
  id: 'adminJobs_replay',
  method: 'POST',
  path: '/v0.1/admin/jobs/{job_id}/replay',
  tag: 'administration',
  summary: 'Retry a dead letter, with a full set of attempts',
  access: 'admin',
  effect: 'change',
  params: Type.Object(JobPath),
  request: json(Type.Object({})),
  response: empty({ description: 'The job is queued and runs as soon as a worker is free.' }),
  errors: [404],
});

export const adminJobs_delete = endpoint({
  id: 'adminJobs_delete',
  method: 'DELETE',
  path: '/v0.1/admin/jobs/{job_id}',
  tag: 'administration',
  summary: 'Delete a dead letter',
  access: 'admin',
  effect: 'change',
  params: Type.Object(JobPath),
  response: empty({ description: 'The dead letter is deleted; its job will not run.' }),
  errors: [404],
});

export const adminLive_watch = endpoint({
  id: 'adminLive_watch',
  method: 'GET',
  path: '/v0.1/admin/live',
  tag: 'administration',
  summary: 'Watch jobs for changes, as server-sent events',
  access: 'admin',
  effect: 'read',
  query: Type.Object(LiveQuery),
  response: liveEvents(['jobs']),
});

export const adminServer_get = endpoint({
  id: 'adminServer_get',
  method: 'GET',
  path: '/v0.1/admin/server',
  tag: 'administration',
  summary: 'Get the program, database and settings of this server',
  description: 'Values of secrets are not included, only whether they are set.',
  access: 'admin',
  effect: 'read',
  response: json(
    Type.Object({
      version: Type.String(),
      node: Type.String(),
      started_at: Time,
      public_url: Type.String(),
      database: Type.Enum(['sqlite', 'postgres']),
      jobs: Type.Object({ waiting: Type.Integer(), running: Type.Integer(), dead: Type.Integer() }),
      settings: Type.Array(
        Type.Object({
          name: Type.String(),
          value: Type.Optional(Type.String({ description: 'Absent if not set.' })),
          is_secret: Type.Boolean(),
          description: Type.String(),
        }),
      ),
    }),
    { description: 'The state of this server.' },
  ),
});
