import type { testRunResults } from '@mooring/contract';
import type { Ctx } from '../../context.ts';
import { publish } from '../../jobs/index.ts';
import { deleteReleaseBuild } from './package-releases.store.ts';
import {
  clearReleaseRow,
  copyPackageTestRow,
  deletePackageTestRow,
  findNewestTest,
  findTestedRow,
  insertPackageTest,
  nameBuild,
  nameRelease,
  setPackageResult,
} from './package-tests.store.ts';
import { packageTestEnded, packageTested } from './packages.events.ts';

type TestResult = (typeof testRunResults)[number];

/** The checksum of an uploaded package, or the release or build that the tester named. */
export interface TestedPackage {
  sha256?: string | undefined;
  releaseId?: number | undefined;
  buildId?: number | undefined;
}

/**
 * Records the start of tests, in the caller's transaction. Domains that know the package link it to its release or build.
 */
export async function beginPackageTest(ctx: Ctx, appId: string, runId: string, tested: TestedPackage): Promise<void> {
  const { sha256, releaseId, buildId } = tested;
  if (sha256 === undefined && releaseId === undefined && buildId === undefined) return;
  await insertPackageTest.run(ctx.db, {
    run_id: runId,
    app_id: appId,
    sha256: sha256 ?? null,
    release_id: releaseId ?? null,
    build_id: buildId ?? null,
    result: 'pending',
  });
  await publish(ctx, packageTested, {
    appId,
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(releaseId === undefined ? {} : { releaseId }),
    ...(buildId === undefined ? {} : { buildId }),
  });
}

/** Repeats the tests of the same package in another run. */
export const repeatPackageTest = async (ctx: Ctx, which: { from: string; to: string }): Promise<void> => {
  await copyPackageTestRow.run(ctx.db, which);
};

/** Records the end of tests, in the caller's transaction. */
export async function endPackageTest(ctx: Ctx, runId: string, result: TestResult): Promise<void> {
  const row = await setPackageResult.first(ctx.db, { runId, result });
  if (!row) return;
  const build = row.build_id === null ? {} : { buildId: Number(row.build_id) };
  await publish(ctx, packageTestEnded, { appId: row.app_id, runId, result, ...build });
}

/** Links the package with this checksum to its newest release. */
export const linkPackageRelease = async (ctx: Ctx, appId: string, sha256: string, releaseId: number) => {
  await nameRelease.run(ctx.db, { appId, sha256, releaseId });
};

export const linkPackageBuild = async (ctx: Ctx, appId: string, sha256: string, buildId: number) => {
  await nameBuild.run(ctx.db, { appId, sha256, buildId });
};

/** Removes the links, in the transaction that deletes the release. */
export const unlinkTestedRelease = async (ctx: Pick<Ctx, 'db'>, appId: string, releaseId: number) => {
  await clearReleaseRow.run(ctx.db, { appId, releaseId });
  await deleteReleaseBuild.run(ctx.db, { appId, releaseId });
};

/** Finds the result of the newest tests of a release, or that they still run; undefined without tests. */
export const findVerdict = async (
  { db }: Pick<Ctx, 'db'>,
  appId: string,
  { id, sha256 }: { id: number; sha256: string },
): Promise<{ runId: string; result: string } | undefined> => {
  const row = await findNewestTest.first(db, { appId, sha256, releaseId: id });
  return row && { runId: row.run_id, result: row.result };
};

/** Finds the release and build that a test run tested. */
export async function findTestedPackage({ db }: Pick<Ctx, 'db'>, appId: string, runId: string) {
  const row = await findTestedRow.first(db, { appId, runId });
  const numberIn = (value: number | null | undefined) => (value == null ? undefined : Number(value));
  return { releaseId: numberIn(row?.release_id), buildId: numberIn(row?.build_id) };
}

export const deletePackageTest = async (ctx: Ctx, runId: string): Promise<void> => {
  await deletePackageTestRow.run(ctx.db, { runId });
};
