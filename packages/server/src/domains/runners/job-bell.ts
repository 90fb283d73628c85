import type { Deps } from '../../context.ts';
import { queueVersion } from './runner-jobs.ts';

const EVERY = 500;

/** Resolves when something was put into the queue, or the time is over, or the caller is gone. */
export type JobBell = (ms: number, signal: AbortSignal) => Promise<void>;

/** One look at the queue for all runners that wait in this process, and none while nobody does. */
export function createJobBell(deps: Deps): JobBell {
  const waiting = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;
  let known: string | undefined;

  async function look(): Promise<void> {
    const version = await queueVersion(deps).catch((err: unknown) => {
      deps.log.warn({ err }, 'the queue of runners could not be read');
      return known;
    });
    if (known !== undefined && version !== known) for (const wake of waiting) wake();
    known = version;
    timer = waiting.size > 0 ? setTimeout(look, EVERY).unref() : undefined;
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
