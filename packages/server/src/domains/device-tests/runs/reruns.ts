import type { AppCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { badRequest, conflict } from '../../../kernel/errors.ts';
import { appSubject } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { repeatPackageTest } from '../../packages/index.ts';
import { deviceCodec } from '../devices/devices.ts';
import { copyRunFiles } from '../files/test-files.store.ts';
import { readReport } from '../results/report.ts';
import { workOnResults } from '../results/results-reading.ts';
import { readParameters, sealParameters } from './run-parameters.ts';
import { insertRun, type RunRow } from './test-runs.store.ts';
import { emptyRun, getRunRow, queueDevices, refuseIfBusy } from './test-runs.ts';

/** Runs the suite again on the same devices: all tests, or the failed ones. On devices that failed themselves, all tests. */
export async function rerun(ctx: AppCtx, id: string, { isOnlyFailed }: { isOnlyFailed: boolean }): Promise<RunRow> {
  const { run, devices } = await readReport(ctx, id);
  if (run.status !== 'finished')
    throw conflict("Can't rerun: this test run has not finished. Wait until it finishes, or stop it.");
  if (run.source === 'import') throw badRequest("Can't rerun an imported test run. Rerun it where it was run.");
  if (devices.length === 0) throw badRequest("Can't rerun: this test run had no device. Start a new run.");
  const failed = await workOnResults(ctx, 'listFailed', { devices: devices.map(({ events }) => events) });
  const isPartial = isOnlyFailed && devices.every(({ row }) => row.state === 'finished');
  if (isPartial && failed.every((tests) => tests.length === 0))
    throw badRequest("Can't rerun failed tests: none failed in this test run.");
  const only = isPartial ? [...new Set(failed.flat())] : undefined;
  const rerunDevices = isPartial ? devices.filter((_, index) => failed[index]?.length) : devices;
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
    const chosen = rerunDevices.map(({ row: { device } }) => deviceCodec.parse(device));
    await queueDevices(ctx, row, chosen);
    await record(ctx, 'test_run.start', appSubject(ctx.app), {
      after: { test_run: row.id, rerun_of: run.id, devices: chosen.length },
    });
    return getRunRow(ctx, row.id);
  });
}
