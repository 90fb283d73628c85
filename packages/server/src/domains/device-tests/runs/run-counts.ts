import type { Ctx } from '../../../context.ts';
import { MINUTE } from '../../../kernel/clock.ts';
import { WorkerLimit } from '../../../workers/index.ts';
import { isSmall, workWithinLimits } from '../results/results-reading.ts';
import type { ResultsWork } from '../results/results-work.ts';
import { isDone, type LoadedDevice, loadEvents } from './run-events.ts';
import { findDeviceByJob, listRunDevices, type RunDeviceRow } from './test-runs.store.ts';

export type CountedRun = ReturnType<ResultsWork['count']>;
type CountCtx = Pick<Ctx, 'db' | 'workers'>;

/**
 * Counts of large results that a transaction will need. Another process makes them, and a transaction must not wait for it:
 * on SQLite every other writer would wait, too.
 */
const prepared = new Map<string, CountedRun>();
const MAX_PREPARED = 20;

/** Events of an attempt are only appended, so their sizes identify them. */
const keyFor = (devices: readonly LoadedDevice[]): string =>
  JSON.stringify(
    devices.map(({ row, attempt, events }) => [
      row.run_id,
      row.position,
      attempt,
      events.isDone,
      events.events.map(({ length }) => length),
    ]),
  );

const toInput = (devices: readonly LoadedDevice[]) => ({ devices: devices.map(({ events }) => events) });

const noCounts = { total: 0, passed: 0, failed: 0, skipped: 0, steps: 0, peakMemory: 0, peakDuration: 0 };

/** Results that can't be counted end the run as an error; otherwise it would never end. */
const uncountable = (devices: readonly LoadedDevice[], reason: string): CountedRun => ({
  counts: noCounts,
  devices: devices.map(() => ({
    total: 0,
    hasFailed: false,
    failure: `The results of this run are too large to count. ${reason}`,
    summaries: '[]',
  })),
  failedTests: [],
});

async function count(ctx: CountCtx, devices: readonly LoadedDevice[]): Promise<CountedRun> {
  try {
    return await workWithinLimits(ctx, 'count', toInput(devices));
  } catch (error) {
    if (!(error instanceof WorkerLimit)) throw error;
    return uncountable(devices, error.message);
  }
}

export async function countDevices(ctx: CountCtx, rows: readonly RunDeviceRow[]): Promise<CountedRun> {
  const devices = await loadEvents(ctx, rows);
  return prepared.get(keyFor(devices)) ?? count(ctx, devices);
}

async function prepare(ctx: CountCtx, rows: readonly RunDeviceRow[]): Promise<void> {
  const devices = await loadEvents(ctx, rows);
  if (isSmall(toInput(devices))) return;
  const key = keyFor(devices);
  prepared.set(key, await count(ctx, devices));
  const [oldest] = prepared.keys();
  if (prepared.size > MAX_PREPARED && oldest !== undefined) prepared.delete(oldest);
  setTimeout(() => prepared.delete(key), MINUTE).unref();
}

/** Prepares the counts of a run that finishes when these devices end; does nothing if others are still running. */
export async function prepareRunEnd(
  ctx: CountCtx,
  runId: string,
  ends: (device: RunDeviceRow) => boolean,
): Promise<void> {
  const rows = await listRunDevices.all(ctx.db, { runId });
  if (!rows.every((row) => isDone(row) || ends(row))) return;
  await prepare(
    ctx,
    rows.map((row) => (isDone(row) ? row : { ...row, state: 'finished' })),
  );
}

/** Prepares the counts of a device whose job ends, and of its run if that finishes with it. */
export async function prepareDeviceEnd(ctx: CountCtx, jobId: string): Promise<void> {
  const device = await findDeviceByJob.first(ctx.db, { jobId });
  if (!device || isDone(device)) return;
  await prepare(ctx, [device]);
  await prepareRunEnd(ctx, device.run_id, ({ position }) => position === device.position);
}
