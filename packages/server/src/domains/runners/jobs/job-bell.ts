import type { Deps } from '../../../context.ts';
import { queueVersion } from './runner-jobs.ts';

const POLL_INTERVAL_MS = 500;

/** Resolves when a job is queued, the time is over, or the caller has disconnected. */
export type JobBell = (ms: number, signal: AbortSignal) => Promise<void>;

/** Reads the queue once for all waiting runners of this process, and not at all without any. */
export function createJobBell(deps: Deps): JobBell {
  const waiting = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let known: string | undefined;

  async function look(): Promise<void> {
    const version = await queueVersion(deps).catch((err: unknown) => {
      deps.log.warn({ err }, 'failed to read the runner queue');
      return known;
    });
    if (known !== undefined && version !== known) for (const wake of waiting) wake();
    known = version;
    timer = waiting.size > 0 ? setTimeout(look, POLL_INTERVAL_MS).unref() : undefined;
    if (timer === undefined) known = undefined;
  }

  return (ms, signal) =>
    new Promise((resolve) => {
      const end = setTimeout(() => wake(), ms).unref();
      const wake = () => {
        clearTimeout(end);
        signal.removeEventListener('abort', wake);
        waiting.delete(wake);
        resolve();
      };
      if (signal.aborted) return wake();
      signal.addEventListener('abort', wake, { once: true });
      waiting.add(wake);
      timer ??= setTimeout(look, 0).unref();
    });
}
