import { setTimeout } from 'node:timers/promises';
import type { AppCtx } from '../../../context.ts';
import { SECOND } from '../../../kernel/clock.ts';
import { explainWaits } from '../../runners/index.ts';
import { countRun } from './run-ending.ts';
import type { RunStats } from './run-stats.ts';
import { listRunDevices, type RunRow } from './test-runs.store.ts';
import { getRunRow, parseStats } from './test-runs.ts';

export interface RunNow {
  row: RunRow;
  stats: RunStats;
  /** Why no device has started yet. */
  waiting?: string | undefined;
}

/** Why devices are still waiting; each reason is listed once. */
export async function explainWaiting(
  ctx: AppCtx,
  devices: readonly { state: string; job_id: string | null }[],
): Promise<string | undefined> {
  const jobs = devices.flatMap(({ state, job_id }) => (state === 'pending' && job_id !== null ? [job_id] : []));
  if (jobs.length === 0) return undefined;
  return [...new Set((await explainWaits(ctx, jobs)).values())].join(' ') || undefined;
}

export const explainRun = async (ctx: AppCtx, row: RunRow): Promise<string | undefined> =>
  row.status === 'pending' ? explainWaiting(ctx, await listRunDevices.all(ctx.db, { runId: row.id })) : undefined;

/** A run with its results so far. */
export async function readRunNow(ctx: AppCtx, id: string): Promise<RunNow> {
  const row = await getRunRow(ctx, id);
  if (row.status === 'finished' || row.status === 'created') return { row, stats: parseStats(row) };
  const devices = await listRunDevices.all(ctx.db, { runId: id });
  return { row, stats: await countRun(ctx, devices), waiting: await explainWaiting(ctx, devices) };
}

/** Yields the run after each change, until it finishes. */
export async function* watchRun(
  ctx: AppCtx,
  id: string,
  { seconds, signal }: { seconds: number; signal: AbortSignal },
): AsyncGenerator<RunNow> {
  let known = '';
  for (let left = seconds; !signal.aborted; left -= 1) {
    const now = await readRunNow(ctx, id);
    const version = JSON.stringify([now.row.version, now.stats, now.waiting]);
    if (version !== known) yield now;
    known = version;
    if (now.row.status === 'finished' || left <= 1) return;
    await setTimeout(SECOND, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
