import { setTimeout } from 'node:timers/promises';
import type { AppCtx } from '../../context.ts';
import { SECOND } from '../../kernel/clock.ts';
import { readLog } from '../runners/index.ts';
import { type Build, getBuild } from './builds.ts';

export type LiveLog = { log: string; next: number } | { build: Build; next: number };

const EVERY = 500;

/** The log from an offset on, and the build whenever it changes; it ends with the build. */
export async function* watchBuild(
  ctx: AppCtx,
  id: number,
  { from, seconds, signal }: { from: number; seconds: number; signal: AbortSignal },
): AsyncGenerator<LiveLog> {
  const until = performance.now() + seconds * SECOND;
  let next = from;
  let changedAt = -1;
  while (!signal.aborted) {
    const build = await getBuild(ctx, id);
    for (
      let part = await readLog(ctx, build.row.job_id, next);
      part;
      part = await readLog(ctx, build.row.job_id, next)
    ) {
      next = part.next;
      yield { log: part.text, next };
    }
    if (build.row.changed_at !== changedAt) {
      changedAt = build.row.changed_at;
      yield { build, next };
    }
    if (build.row.status === 'completed' || performance.now() + EVERY > until) return;
    await setTimeout(EVERY, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
