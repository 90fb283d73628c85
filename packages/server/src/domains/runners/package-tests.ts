import type { testRunResults } from '@mooring/contract';
import type { Ctx } from '../../context.ts';
import { publish } from '../../jobs/index.ts';
import {
  copyPackageTestRow,
  deletePackageTestRow,
  findNewestTest,
  forgetReleaseRow,
  insertPackageTest,
  nameBuild,
  nameRelease,
  setPackageResult,
} from './package-tests.store.ts';
import { packageTestEnded, packageTested } from './runners.events.ts';

type TestResult = (typeof testRunResults)[number];

/** By its sum, if the package was uploaded, or as whoever tested it says. */
export interface TestedPackage {
  sha256?: string | undefined;
  releaseId?: number | undefined;
  buildId?: number | undefined;
}

/** In the transaction in which the tests begin. Whoever knows the package says which release, or build, that is. */
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

/** The same package once more. */
export const repeatPackageTest = async (ctx: Ctx, which: { from: string; to: string }): Promise<void> => {
  await copyPackageTestRow.run(ctx.db, which);
};

/** In the transaction in which they end. */
export async function endPackageTest(ctx: Ctx, runId: string, result: TestResult): Promise<void> {
  const row = await setPackageResult.first(ctx.db, { runId, result });
  if (!row) return;
  const build = row.build_id === null ? {} : { buildId: Number(row.build_id) };
  await publish(ctx, packageTestEnded, { appId: row.app_id, runId, result, ...build });
}

/** The package with that sum is this release; the newest of those that have it. */
export const noteReleaseOfPackage = async (ctx: Ctx, appId: string, sha256: string, releaseId: number) => {
  await nameRelease.run(ctx.db, { appId, sha256, releaseId });
};

export const noteBuildOfPackage = async (ctx: Ctx, appId: string, sha256: string, buildId: number) => {
  await nameBuild.run(ctx.db, { appId, sha256, buildId });
};

/** In the transaction in which it is deleted. */
export const forgetTestedRelease = async (ctx: Pick<Ctx, 'db'>, appId: string, releaseId: number) => {
  await forgetReleaseRow.run(ctx.db, { appId, releaseId });
};

/** How the newest tests of a release went, or that they still run; nothing if there are none. */
export const findVerdict = async (
  { db }: Pick<Ctx, 'db'>,
  appId: string,
  { id, sha256 }: { id: number; sha256: string },
): Promise<{ runId: string; result: string } | undefined> => {
  const row = await findNewestTest.first(db, { appId, sha256, releaseId: id });
  return row && { runId: row.run_id, result: row.result };
};

export const deletePackageTest = async (ctx: Ctx, runId: string): Promise<void> => {
  await deletePackageTestRow.run(ctx.db, { runId });
};
