import { Type, testRunResults } from '@mooring/contract';
import { defineEvent } from '../../jobs/index.ts';

/** A build made a package that becomes a release. */
export const packageMade = defineEvent(
  'package.made',
  Type.Object({
    appId: Type.String(),
    /** ID of the upload that it becomes. */
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

/** A build made a mapping for a package of the same build. */
export const mappingMade = defineEvent(
  'mapping.made',
  Type.Object({
    appId: Type.String(),
    mapping: Type.Object(madeFile),
    package: Type.Object({ ...madeFile, sha256: Type.String() }),
  }),
);

/** A build requests tests of its package, with the suite of a series of test runs. */
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

/** A package became a release. The domain of builds links it to the build that made the package. */
export const packageReleased = defineEvent(
  'package.released',
  Type.Object({ appId: Type.String(), sha256: Type.String(), releaseId: Type.Integer() }),
);

/** Tests of a package begin. A domain that knows the package links it to its release or build. */
export const packageTested = defineEvent(
  'package.tested',
  Type.Object({
    appId: Type.String(),
    sha256: Type.Optional(Type.String()),
    releaseId: Type.Optional(Type.Integer()),
    buildId: Type.Optional(Type.Integer()),
  }),
);

/** Tests of a package ended. */
export const packageTestEnded = defineEvent(
  'package.test_ended',
  Type.Object({
    appId: Type.String(),
    runId: Type.String(),
    result: Type.Enum([...testRunResults]),
    buildId: Type.Optional(Type.Integer()),
  }),
);

export const packageEvents = [
  packageMade,
  mappingMade,
  packageToTest,
  packageReleased,
  packageTested,
  packageTestEnded,
];
