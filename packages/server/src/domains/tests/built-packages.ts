import { createHash } from 'node:crypto';
import type { AppCtx, Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { defineJob, enqueue } from '../../jobs/index.ts';
import { refusalIn } from '../../kernel/errors.ts';
import { getAppRef } from '../apps/index.ts';
import { refuseOverQuota } from '../usage/index.ts';
import { finishRun } from './run-ending.ts';
import { readParameters } from './run-parameters.ts';
import { slugOf } from './slugs.ts';
import { copySuite, insertTestFile, saveRunFiles } from './test-files.store.ts';
import { findRun, insertRun, listRunRowsOfSeries, lockRun, type RunRow } from './test-runs.store.ts';
import { emptyRun, startRun } from './test-runs.ts';
import { noteSeries } from './test-series.ts';

/** A package that was built here, and the series of test runs whose suite is to test it. */
export interface PackageToTest {
  appId: string;
  buildId: number;
  package: { key: string; name: string; size: number; sha256: string };
  series: string;
  selection: string;
}

type Asked = PackageToTest & { runId: string };

export const buildTest = defineJob<Asked>('build.test', { maxAttempts: 8 });

/** In the transaction in which it was built. */
export const expectTests = async (ctx: Ctx, built: PackageToTest): Promise<void> => {
  await enqueue(ctx, buildTest, { ...built, runId: ctx.newId() });
};

const MOST_LOOKED_AT = 50;

/** The newest run of the series whose suite came from a client. */
async function findSuite({ db }: Ctx, appId: string, series: string): Promise<RunRow | undefined> {
  const runs = await listRunRowsOfSeries.all(db, { appId, series, limit: MOST_LOOKED_AT });
  return runs.find(
    ({ source, framework, status }) => source === 'runner' && framework !== null && status !== 'created',
  );
}

/** A copy: the build may be deleted before the run. Says its other sum, by which clients name files. */
async function copyPackage(
  ctx: Ctx,
  { runId, package: built }: Asked,
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

/** A run that could not begin says why where runs are listed. */
const refuse = (ctx: AppCtx, id: string, failure: string) =>
  tx(ctx, async (ctx) => {
    const row = await lockRun.first(ctx.db, { id });
    if (row?.status === 'created') await finishRun(ctx, { ...row, failure });
  });

/** Makes a run of the suite with the package in its place, and starts it. */
export async function testBuild(ctx: Ctx, asked: Asked): Promise<void> {
  const { appId, runId, buildId, package: built } = asked;
  const app = await getAppRef(ctx, appId);
  // The server itself does what somebody asked for when they configured the branch.
  const inApp = { ...ctx, app, permission: 'manager' } as AppCtx;
  const suite = await findSuite(ctx, appId, slugOf(asked.series));
  let refusal = suite ? undefined : `The series ${asked.series} has no test run yet whose suite could be repeated.`;
  if (!(await findRun.first(ctx.db, { appId, id: runId }))) {
    refusal ??= await refuseOverQuota(inApp, 'storage_bytes').then(() => undefined, refusalIn);
    const copy = refusal === undefined ? await copyPackage(ctx, asked) : undefined;
    await tx(inApp, async (inApp) => {
      const series = await noteSeries(inApp, asked.series);
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
      selection: asked.selection,
      locale: suite.locale ?? undefined,
      series: asked.series,
      parameters: readParameters(inApp, suite),
      tested: { buildId },
    });
  } catch (error) {
    await refuse(inApp, runId, refusalIn(error));
  }
}
