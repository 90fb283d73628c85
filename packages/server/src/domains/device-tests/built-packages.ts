import { createHash } from 'node:crypto';
import type { AppCtx, Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { defineJob, enqueue } from '../../jobs/index.ts';
import { refusalIn } from '../../kernel/errors.ts';
import { getAppRef } from '../apps/index.ts';
import { refuseOverQuota } from '../usage/index.ts';
import { copySuite, insertTestFile, saveRunFiles } from './files/test-files.store.ts';
import { finishRun } from './runs/run-ending.ts';
import { readParameters } from './runs/run-parameters.ts';
import { findRun, insertRun, listSeriesRunRows, lockRun, type RunRow } from './runs/test-runs.store.ts';
import { emptyRun, startRun } from './runs/test-runs.ts';
import { noteSeries } from './series/test-series.ts';
import { toSlug } from './slugs.ts';

/** A package of a build, and the test series whose suite should test it. */
export interface PackageToTest {
  appId: string;
  buildId: number;
  package: { key: string; name: string; size: number; sha256: string };
  series: string;
  selection: string;
}

type BuildTest = PackageToTest & { runId: string };

export const buildTest = defineJob<BuildTest>('build.test', { maxAttempts: 8 });

/** Call in the transaction that finishes the build. */
export const expectTests = async (ctx: Ctx, built: PackageToTest): Promise<void> => {
  await enqueue(ctx, buildTest, { ...built, runId: ctx.newId() });
};

const MAX_CHECKED_RUNS = 50;

/** The latest run of the series with a suite from a client. */
async function findSuite({ db }: Ctx, appId: string, series: string): Promise<RunRow | undefined> {
  const runs = await listSeriesRunRows.all(db, { appId, series, limit: MAX_CHECKED_RUNS });
  return runs.find(
    ({ source, framework, status }) => source === 'runner' && framework !== null && status !== 'created',
  );
}

/** Copies the package, because the build may be deleted before the run. Returns its SHA-1 too, which clients use. */
async function copyPackage(
  ctx: Ctx,
  { runId, package: built }: BuildTest,
): Promise<{ key: string; sha1: string } | undefined> {
  const blob = await ctx.blobs.get(built.key);
  if (!blob) return undefined;
  const key = `test_files/${runId}`;
  const sum = createHash('sha1');
  const summed = async function* () {
    for await (const chunk of blob.stream as AsyncIterable<Buffer>) {
      sum.update(chunk);
      yield chunk;
    }
  };
  await ctx.blobs.put(key, summed(), { type: 'application/octet-stream', maxBytes: built.size });
  return { key, sha1: sum.digest('hex') };
}

/** Ends a run that can't start; the list of runs shows the reason. */
const refuse = (ctx: AppCtx, id: string, failure: string) =>
  tx(ctx, async (ctx) => {
    const row = await lockRun.first(ctx.db, { id });
    if (row?.status === 'created') await finishRun(ctx, { ...row, failure });
  });

/** Creates and starts a run of the series' suite with this package. */
export async function testBuild(ctx: Ctx, job: BuildTest): Promise<void> {
  const { appId, runId, buildId, package: built } = job;
  const app = await getAppRef(ctx, appId);
  // Acts as a manager: the user who configured the branch had the permission.
  const inApp = { ...ctx, app, permission: 'manager' } as AppCtx;
  const suite = await findSuite(ctx, appId, toSlug(job.series));
  let refusal = suite
    ? undefined
    : `The series ${job.series} has no test run yet, so there is no suite to repeat. Start a test run in it first.`;
  if (!(await findRun.first(ctx.db, { appId, id: runId }))) {
    refusal ??= await refuseOverQuota(inApp, 'storage_bytes').then(() => undefined, refusalIn);
    const copy = refusal === undefined ? await copyPackage(ctx, job) : undefined;
    await tx(inApp, async (inApp) => {
      const series = await noteSeries(inApp, job.series);
      await insertRun.run(inApp.db, { ...emptyRun(inApp, appId), id: runId, series });
      if (!suite || !copy) return;
      const { sha256, size, name } = built;
      await insertTestFile.run(inApp.db, {
        id: runId,
        owner_id: app.ownerId,
        sha256,
        sha1: copy.sha1,
        size,
        blob_key: copy.key,
        used_at: inApp.clock.now(),
        is_dropped: 0,
      });
      await copySuite.run(inApp.db, { from: suite.id, to: runId });
      await saveRunFiles(inApp.db, [{ run_id: runId, type: 'app-file', path: name, checksum: sha256, file_id: runId }]);
    });
  }
  if (!suite || refusal !== undefined) return refuse(inApp, runId, refusal ?? '');
  try {
    await startRun(inApp, runId, {
      framework: suite.framework ?? '',
      selection: job.selection,
      locale: suite.locale ?? undefined,
      series: job.series,
      parameters: readParameters(inApp, suite),
      tested: { buildId },
    });
  } catch (error) {
    await refuse(inApp, runId, refusalIn(error));
  }
}
