import { setTimeout } from 'node:timers/promises';
import { ApiError } from '@mooring/contract';
import { Unreachable } from '../connection/connection.ts';
import type { Output } from '../terminal/output.ts';

const SECOND = 1000;

/** How long to wait before the next attempt; undefined if retrying is pointless. */
function getRetryDelay(error: unknown): number | undefined {
  if (error instanceof Unreachable) return 0;
  if (!(error instanceof ApiError) || (error.status < 500 && error.status !== 429)) return undefined;
  return (error.retryAfter ?? 0) * SECOND;
}

interface PollOptions {
  /** Prints the changes since the last call. */
  refresh(): Promise<void>;
  interval: number;
  signal: AbortSignal;
  server: string;
  out: Output;
}

/** Calls `refresh` repeatedly, and survives temporary outages of the server. */
export async function poll({ refresh, interval, signal, server, out }: PollOptions): Promise<never> {
  let isAway = false;
  for (let wait = interval; ; ) {
    await setTimeout(wait, undefined, { signal });
    try {
      await refresh();
      if (isAway) out.note(`${server} is reachable again.`);
      isAway = false;
      wait = interval;
    } catch (error) {
      const delay = getRetryDelay(error);
      if (delay === undefined) throw error;
      if (!isAway) out.note(`${(error as Error).message} Retrying until the server responds.`);
      isAway = true;
      wait = Math.max(interval, delay);
    }
  }
}

/**
 * Runs until it fails or the process is interrupted. With `withParent` it also stops when stdin closes, which happens when the
 * parent process ends.
 */
export async function untilStopped(
  work: (signal: AbortSignal) => Promise<void>,
  { withParent = false } = {},
): Promise<void> {
  const stop = new AbortController();
  const end = () => stop.abort();
  process.on('SIGINT', end).on('SIGTERM', end);
  if (withParent) process.stdin.on('close', end).resume();
  try {
    await work(stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
    if (withParent) process.stdin.off('close', end).destroy();
  }
}
