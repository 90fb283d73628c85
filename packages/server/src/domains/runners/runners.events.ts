import { jobResults } from '@mooring/contract';
import Type from 'typebox';
import { defineEvent } from '../../jobs/index.ts';

const which = { jobId: Type.String(), appId: Type.String(), kind: Type.String() };

/** A runner has taken a job; after one was lost, for the second time. */
export const jobTaken = defineEvent('runner_job.taken', Type.Object(which));

/** The runner of a job was lost, so that it waits for another. */
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

/** A file that a job has made is to become a release. */
export const packageMade = defineEvent(
  'package.made',
  Type.Object({
    appId: Type.String(),
    /** Of the upload that it becomes. */
    uploadId: Type.String(),
    key: Type.String(),
    name: Type.String(),
    size: Type.Integer(),
    sha256: Type.String(),
    build: Type.Object({ branch_name: Type.String(), commit_hash: Type.String() }),
    buildNumber: Type.String(),
    notes: Type.Optional(Type.String()),
    isMandatory: Type.Boolean(),
    isTold: Type.Boolean(),
    destinations: Type.Array(Type.Object({ id: Type.String(), type: Type.Enum(['store', 'group', 'tester']) })),
  }),
);

export const runnerEvents = [jobTaken, jobReturned, jobEnded, packageMade];
