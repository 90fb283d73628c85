import type { AppCtx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { badRequest, conflict } from '../../kernel/errors.ts';
import { appSubject } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import { repeatPackageTest } from '../runners/index.ts';
import type { KnownDevice } from './devices.ts';
import { readReport } from './report.ts';
import { workOnResults } from './results-reading.ts';
import { readParameters, sealParameters } from './run-parameters.ts';
import { copyRunFiles } from './test-files.store.ts';
import { insertRun, type RunRow } from './test-runs.store.ts';
import { emptyRun, getRunRow, queueDevices, refuseIfBusy } from './test-runs.ts';

/** The same suite on the same devices: all of it, or the tests that failed. Where a device could not do it, all of it. */
export async function rerun(ctx: AppCtx, id: string, { isOnlyFailed }: { isOnlyFailed: boolean }): Promise<RunRow> {
  const { run, devices } = await readReport(ctx, id);
  if (run.status !== 'finished') throw conflict('This test run has not finished; wait for it, or stop it.');
  if (run.source === 'import') throw badRequest('This test run was imported; run it again where it ran.');
  if (devices.length === 0) throw badRequest('This test run had no device; make a new one.');
  const failed = await workOnResults(ctx, 'listFailed', { devices: devices.map(({ events }) => events) });
  const isPartial = isOnlyFailed && devices.every(({ row }) => row.state === 'finished');
  if (isPartial && failed.every((tests) => tests.length === 0)) throw badRequest('Nothing failed in this test run.');
  const only = isPartial ? [...new Set(failed.flat())] : undefined;
  const wanted = isPartial ? devices.filter((_, index) => failed[index]?.length) : devices;
  return tx(ctx, async (ctx) => {
    await refuseIfBusy(ctx);
    const row: RunRow = {
      ...emptyRun(ctx, ctx.app.id),
      series: run.series,
      rerun_of: run.id,
      status: 'pending',
      framework: run.framework,
      platform: run.platform,
      app_version: run.app_version,
      locale: run.locale,
      sealed_parameters: sealParameters(ctx, readParameters(ctx, run)),
      only_tests: only === undefined ? null : JSON.stringify(only),
      started_at: ctx.clock.now(),
    };
    await insertRun.run(ctx.db, row);
    await copyRunFiles.run(ctx.db, { from: run.id, to: row.id });
    await repeatPackageTest(ctx, { from: run.id, to: row.id });
    const chosen = wanted.map(({ row: { device } }) => JSON.parse(device) as KnownDevice);
    await queueDevices(ctx, row, chosen);
    await record(ctx, 'test_run.start', appSubject(ctx.app), {
      after: { test_run: row.id, rerun_of: run.id, devices: chosen.length },
    });
    return getRunRow(ctx, row.id);
  });
}
