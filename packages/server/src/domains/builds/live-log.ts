import { setTimeout } from 'node:timers/promises';
import type { AppCtx } from '../../context.ts';
import { SECOND } from '../../kernel/clock.ts';
import { readLog } from '../runners/index.ts';
import { type Build, getBuild } from './builds.ts';

export type LiveLog = { log: string; next: number } | { build: Build; next: number };

const POLL_INTERVAL_MS = 500;

/** Streams the log from an offset, and the build after each change, until the build ends. */
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
    if (build.row.status === 'completed' || performance.now() + POLL_INTERVAL_MS > until) return;
    await setTimeout(POLL_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
