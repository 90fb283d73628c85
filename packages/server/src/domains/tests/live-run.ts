import { setTimeout } from 'node:timers/promises';
import type { AppCtx } from '../../context.ts';
import { SECOND } from '../../kernel/clock.ts';
import { countRun } from './run-ending.ts';
import type { RunStats } from './run-stats.ts';
import { listRunDevices, type RunRow } from './test-runs.store.ts';
import { getRunRow, statsOf } from './test-runs.ts';

export interface RunNow {
  row: RunRow;
  stats: RunStats;
}

/** Of one that still runs, what is counted so far. */
export async function readRunNow(ctx: AppCtx, id: string): Promise<RunNow> {
  const row = await getRunRow(ctx, id);
  if (row.status === 'finished' || row.status === 'created') return { row, stats: statsOf(row) };
  return { row, stats: await countRun(ctx, await listRunDevices.all(ctx.db, { runId: id })) };
}

/** The run whenever it or what is counted of it changes; it ends with the run. */
export async function* watchRun(
  ctx: AppCtx,
  id: string,
  { seconds, signal }: { seconds: number; signal: AbortSignal },
): AsyncGenerator<RunNow> {
  let known = '';
  for (let left = seconds; !signal.aborted; left -= 1) {
    const now = await readRunNow(ctx, id);
    const version = JSON.stringify([now.row.version, now.stats]);
    if (version !== known) yield now;
    known = version;
    if (now.row.status === 'finished' || left <= 1) return;
    await setTimeout(SECOND, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
