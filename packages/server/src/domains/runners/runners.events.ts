import { jobResults, Type, testRunResults } from '@mooring/contract';
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

const madeFile = { key: Type.String(), name: Type.String(), size: Type.Integer() };

/** A job has made a mapping, which belongs to the version of a package that it made, too. */
export const mappingMade = defineEvent(
  'mapping.made',
  Type.Object({
    appId: Type.String(),
    mapping: Type.Object(madeFile),
    package: Type.Object({ ...madeFile, sha256: Type.String() }),
  }),
);

/** A package that was built is to be tested, by the suite of a series of test runs. */
export const packageToTest = defineEvent(
  'package.to_test',
  Type.Object({
    appId: Type.String(),
    buildId: Type.Integer(),
    package: Type.Object({ ...madeFile, sha256: Type.String() }),
    series: Type.String(),
    selection: Type.String(),
  }),
);

/** Tests of a package begin: whoever knows it says which release, or build, that is. */
export const packageTested = defineEvent(
  'package.tested',
  Type.Object({
    appId: Type.String(),
    sha256: Type.Optional(Type.String()),
    releaseId: Type.Optional(Type.Integer()),
    buildId: Type.Optional(Type.Integer()),
  }),
);

/** They have ended. */
export const packageTestEnded = defineEvent(
  'package.test_ended',
  Type.Object({
    appId: Type.String(),
    runId: Type.String(),
    result: Type.Enum([...testRunResults]),
    buildId: Type.Optional(Type.Integer()),
  }),
);

export const runnerEvents = [
  jobTaken,
  jobReturned,
  jobEnded,
  packageMade,
  mappingMade,
  packageToTest,
  packageTested,
  packageTestEnded,
];
