import { setTimeout } from 'node:timers/promises';
import { ApiError } from '@mooring/contract';
import { Unreachable } from './connection.ts';
import type { Output } from './output.ts';

const SECOND = 1000;

/** How long to wait before asking again, if that can help. */
function patienceFor(error: unknown): number | undefined {
  if (error instanceof Unreachable) return 0;
  if (!(error instanceof ApiError) || (error.status < 500 && error.status !== 429)) return undefined;
  return (error.retryAfter ?? 0) * SECOND;
}

interface Watch {
  /** Tells what is new. */
  look(): Promise<void>;
  interval: number;
  signal: AbortSignal;
  server: string;
  out: Output;
}

/** Looks again and again; a server that is away for a while is no reason to end. */
export async function keepLooking({ look, interval, signal, server, out }: Watch): Promise<never> {
  let isAway = false;
  for (let wait = interval; ; ) {
    await setTimeout(wait, undefined, { signal });
    try {
      await look();
      if (isAway) out.note(`${server} answers again.`);
      isAway = false;
      wait = interval;
    } catch (error) {
      const patience = patienceFor(error);
      if (patience === undefined) throw error;
      if (!isAway) out.note(`${(error as Error).message} Asking again until it answers.`);
      isAway = true;
      wait = Math.max(interval, patience);
    }
  }
}

/** Runs until it fails, or until somebody ends it; with its parent, also until that has ended, and standard input with it. */
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
