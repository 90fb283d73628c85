import { jobResults, Type } from '@mooring/contract';
import { defineEvent } from '../../jobs/index.ts';

const which = { jobId: Type.String(), appId: Type.String(), kind: Type.String() };

/** A runner claimed a job. Published again if that runner is lost and another claims the job. */
export const jobTaken = defineEvent('runner_job.taken', Type.Object(which));

/** The runner of a job was lost, so that the job is queued again. */
export const jobReturned = defineEvent('runner_job.returned', Type.Object(which));

export const jobEnded = defineEvent(
  'runner_job.ended',
  Type.Object({
    ...which,
    result: Type.Enum([...jobResults]),
    reason: Type.Optional(Type.String()),
    found: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  }),
);

export const runnerEvents = [jobTaken, jobReturned, jobEnded];
