import {
  adminJobs_delete,
  adminJobs_list,
  adminJobs_replay,
  adminServer_get,
  type EndpointInput,
  type EndpointOutput,
  type jobStates,
} from '@mooring/contract';
import { call, useChange, usePages, useRead } from '../client.ts';
import { live, useLive } from '../live.ts';

export type Job = EndpointOutput<typeof adminJobs_list>['values'][number];
export type JobState = (typeof jobStates)[number];
export type JobsQuery = Pick<EndpointInput<typeof adminJobs_list>['query'], 'search' | 'sort' | 'order'>;
export type Server = EndpointOutput<typeof adminServer_get>;
export type Setting = EndpointOutput<typeof adminServer_get>['settings'][number];

const JOBS = ['admin', 'jobs'];
const SERVER = ['admin', 'server'];

export function useJobs(state: JobState, query: JobsQuery) {
  useLive(live.jobs, JOBS);
  return usePages<Job>([...JOBS, state, query], (cursor) =>
    call(adminJobs_list, { query: { ...query, state, cursor } }),
  );
}

export const useReplayJob = () =>
  useChange(({ id }: Job) => call(adminJobs_replay, { params: { job_id: id }, body: {} }), JOBS, SERVER);

export const useDeleteJob = () =>
  useChange(({ id }: Job) => call(adminJobs_delete, { params: { job_id: id } }), JOBS, SERVER);

/** How the server runs, for administrators. */
export const useServer = () => useRead(SERVER, () => call(adminServer_get));
