import type { Ctx } from '../../context.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { endPackageTest, type JobEvent, readEvents } from '../runners/index.ts';
import { announceRun } from './announcing.ts';
import { countTests, type DeviceResults, endResults, type Outcome, readResults, toSummary } from './results.ts';
import type { RunStats } from './run-stats.ts';
import {
  findDeviceOfJob,
  listRunDevices,
  lockRun,
  type RunDeviceRow,
  type RunRow,
  saveOutcomes,
  saveRun,
  saveRunDevice,
} from './test-runs.store.ts';

export const isDone = ({ state }: Pick<RunDeviceRow, 'state'>): boolean => state !== 'pending' && state !== 'running';

/** What is known of devices, wherever they ran. */
export async function readDevices(ctx: Pick<Ctx, 'db'>, rows: readonly RunDeviceRow[]) {
  const told = await readEvents(
    ctx,
    rows.flatMap(({ job_id }) => job_id ?? []),
  );
  return rows.map((row) => {
    const { attempt, events } =
      row.job_id === null
        ? { attempt: 0, events: JSON.parse(row.events ?? '[]') as JobEvent[] }
        : (told.get(row.job_id) ?? { attempt: 0, events: [] });
    const { outcomes, failure } = readResults(events);
    return { row, attempt, outcomes: isDone(row) ? endResults(outcomes) : outcomes, failure };
  });
}

const minutesOf = ({ started_at, finished_at }: RunDeviceRow): number =>
  started_at === null ? 0 : ((finished_at ?? started_at) - started_at) / MINUTE;

const readOutcomes = async (ctx: Pick<Ctx, 'db'>, devices: readonly RunDeviceRow[]): Promise<Outcome[][]> =>
  (await readDevices(ctx, devices)).map(({ outcomes }) => outcomes);

export const countRun = async (ctx: Pick<Ctx, 'db'>, devices: readonly RunDeviceRow[]): Promise<RunStats> =>
  statsFor(devices, await readOutcomes(ctx, devices));

export function statsFor(devices: readonly RunDeviceRow[], outcomes: readonly Outcome[][]): RunStats {
  return {
    ...countTests(outcomes),
    devices: devices.length,
    devicesFinished: devices.filter(isDone).length,
    devicesFailed: devices.filter(({ state }) => state === 'failed').length,
    totalDeviceMinutes: Math.round(devices.reduce((sum, row) => sum + minutesOf(row), 0) * 100) / 100,
  };
}

function resultOf(row: RunRow, devices: readonly RunDeviceRow[], { failed }: RunStats): RunRow['result'] {
  if (row.is_stopped) return 'stopped';
  if (row.failure !== null || devices.some(({ state }) => state === 'failed')) return 'error';
  return failed > 0 ? 'failed' : 'passed';
}

/** In the caller's transaction, which has locked it. */
export async function finishRun(ctx: Ctx, row: RunRow): Promise<RunRow> {
  const devices = await listRunDevices.all(ctx.db, { runId: row.id });
  const outcomes = await readOutcomes(ctx, devices);
  const stats = statsFor(devices, outcomes);
  const after: RunRow = {
    ...row,
    status: 'finished',
    result: resultOf(row, devices, stats),
    stats: JSON.stringify(stats),
    finished_at: ctx.clock.now(),
  };
  await saveRun.run(ctx.db, after);
  for (const [index, { position }] of devices.entries()) {
    const told = (outcomes[index] ?? []).map(toSummary);
    await saveOutcomes.run(ctx.db, { runId: row.id, position, outcomes: JSON.stringify(told) });
  }
  await endPackageTest(ctx, after.id, after.result);
  // Of one that was never started nobody waits for the end.
  if (after.started_at !== null) await announceRun(ctx, { row: after, stats, devices, outcomes: outcomes.flat() });
  return after;
}

/** A job of a device has changed: in the transaction in which it did. */
async function changeDevice(
  ctx: Ctx,
  jobId: string,
  change: (device: RunDeviceRow, run: RunRow) => Promise<RunDeviceRow> | RunDeviceRow,
): Promise<void> {
  const found = await findDeviceOfJob.first(ctx.db, { jobId });
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

/** Why a device could not do it; nothing if it did, whatever its tests have shown. */
function failureOf({ result, reason }: JobEnding, { outcomes, failure }: DeviceResults): string | null {
  if (failure !== undefined) return failure;
  if (result === 'canceled') return reason ?? 'Test execution timed out.';
  const isRed = outcomes.some(({ status }) => status === 'failed');
  if (result === 'failed' && (reason !== undefined || !isRed)) return reason ?? 'The suite could not be run.';
  return outcomes.length === 0 ? 'No tests ran: the suite has none, or none that was asked for.' : null;
}

export const endDevice = (ctx: Ctx, jobId: string, ending: JobEnding): Promise<void> =>
  changeDevice(ctx, jobId, async (device, run) => {
    const finished = { ...device, finished_at: ctx.clock.now() };
    if (ending.result === 'canceled' && run.is_stopped) return { ...finished, state: 'stopped' };
    const [known = { outcomes: [], failure: undefined }] = await readDevices(ctx, [device]);
    const failure = failureOf(ending, known);
    return { ...finished, state: failure === null ? 'finished' : 'failed', failure };
  });

/** It waited or ran for too long; what its job does after that counts no more. */
export const giveUpDevice = (ctx: Ctx, jobId: string, failure: string): Promise<void> =>
  changeDevice(ctx, jobId, (device) => ({ ...device, state: 'failed', failure, finished_at: ctx.clock.now() }));
