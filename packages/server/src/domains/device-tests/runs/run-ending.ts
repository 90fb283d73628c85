import type { Ctx } from '../../../context.ts';
import { MINUTE } from '../../../kernel/clock.ts';
import { endPackageTest } from '../../packages/index.ts';
import type { Counts } from '../results/results.ts';
import type { CountedDevice } from '../results/results-work.ts';
import { announceRun } from './announcing.ts';
import { type CountedRun, countDevices } from './run-counts.ts';
import { isDone } from './run-events.ts';
import type { RunStats } from './run-stats.ts';
import {
  findDeviceByJob,
  listRunDevices,
  lockRun,
  type RunDeviceRow,
  type RunRow,
  saveOutcomes,
  saveRun,
  saveRunDevice,
} from './test-runs.store.ts';

const getMinutes = ({ started_at, finished_at }: RunDeviceRow): number =>
  started_at === null ? 0 : ((finished_at ?? started_at) - started_at) / MINUTE;

export const countRun = async (ctx: Pick<Ctx, 'db' | 'workers'>, devices: readonly RunDeviceRow[]): Promise<RunStats> =>
  statsFor(devices, (await countDevices(ctx, devices)).counts);

function statsFor(devices: readonly RunDeviceRow[], counts: Counts): RunStats {
  return {
    ...counts,
    devices: devices.length,
    devicesFinished: devices.filter(isDone).length,
    devicesFailed: devices.filter(({ state }) => state === 'failed').length,
    totalDeviceMinutes: Math.round(devices.reduce((sum, row) => sum + getMinutes(row), 0) * 100) / 100,
  };
}

function getResult(row: RunRow, devices: readonly RunDeviceRow[], { failed }: RunStats): RunRow['result'] {
  if (row.is_stopped) return 'stopped';
  if (row.failure !== null || devices.some(({ state }) => state === 'failed')) return 'error';
  return failed > 0 ? 'failed' : 'passed';
}

/** Finishes a run in the caller's transaction, which holds its lock. Accepts prepared counts. */
export async function finishRun(ctx: Ctx, row: RunRow, known?: CountedRun): Promise<RunRow> {
  const devices = await listRunDevices.all(ctx.db, { runId: row.id });
  const counted = known ?? (await countDevices(ctx, devices));
  const stats = statsFor(devices, counted.counts);
  const after: RunRow = {
    ...row,
    status: 'finished',
    result: getResult(row, devices, stats),
    stats: JSON.stringify(stats),
    finished_at: ctx.clock.now(),
  };
  await saveRun.run(ctx.db, after);
  for (const [index, { position }] of devices.entries()) {
    const outcomes = counted.devices[index]?.summaries ?? '[]';
    await saveOutcomes.run(ctx.db, { runId: row.id, position, outcomes });
  }
  await endPackageTest(ctx, after.id, after.result);
  // Runs that never started are not announced.
  if (after.started_at !== null)
    await announceRun(ctx, { row: after, stats, devices, failedTests: counted.failedTests });
  return after;
}

/** Updates a device, in the transaction that changes its job. */
async function changeDevice(
  ctx: Ctx,
  jobId: string,
  change: (device: RunDeviceRow, run: RunRow) => Promise<RunDeviceRow> | RunDeviceRow,
): Promise<void> {
  const found = await findDeviceByJob.first(ctx.db, { jobId });
  const run = found && (await lockRun.first(ctx.db, { id: found.run_id }));
  if (!found || !run || run.status === 'finished' || isDone(found)) return;
  await saveRunDevice.run(ctx.db, await change(found, run));
  const devices = await listRunDevices.all(ctx.db, { runId: run.id });
  if (devices.every(isDone)) {
    await finishRun(ctx, run);
    return;
  }
  const isBegun = devices.some(({ state }) => state !== 'pending');
  await saveRun.run(ctx.db, { ...run, status: isBegun ? 'running' : 'pending' });
}

export const startDevice = (ctx: Ctx, jobId: string): Promise<void> =>
  changeDevice(ctx, jobId, (device) => ({ ...device, state: 'running', started_at: ctx.clock.now() }));

export const returnDevice = (ctx: Ctx, jobId: string): Promise<void> =>
  changeDevice(ctx, jobId, (device) => ({ ...device, state: 'pending', started_at: null }));

export interface JobEnding {
  result: 'succeeded' | 'failed' | 'canceled';
  reason?: string | undefined;
}

const uncounted: CountedDevice = { total: 0, hasFailed: false, failure: undefined, summaries: '[]' };

/** Why the device failed to run the tests; null if it ran them, even if tests failed. */
function getFailure({ result, reason }: JobEnding, { total, hasFailed, failure }: CountedDevice): string | null {
  if (failure !== undefined) return failure;
  if (result === 'canceled') return reason ?? 'Test execution timed out.';
  if (result === 'failed' && (reason !== undefined || !hasFailed)) return reason ?? 'The test suite could not be run.';
  return total === 0 ? 'No tests ran: the suite is empty, or no test matched the selection.' : null;
}

export const endDevice = (ctx: Ctx, jobId: string, ending: JobEnding): Promise<void> =>
  changeDevice(ctx, jobId, async (device, run) => {
    const finished = { ...device, finished_at: ctx.clock.now() };
    if (ending.result === 'canceled' && run.is_stopped) return { ...finished, state: 'stopped' };
    const [counted = uncounted] = (await countDevices(ctx, [device])).devices;
    const failure = getFailure(ending, counted);
    return { ...finished, state: failure === null ? 'finished' : 'failed', failure };
  });

/** Ends a device that waited or ran for too long. Later results of its job are ignored. */
export const failDevice = (ctx: Ctx, jobId: string, failure: string): Promise<void> =>
  changeDevice(ctx, jobId, (device) => ({ ...device, state: 'failed', failure, finished_at: ctx.clock.now() }));
