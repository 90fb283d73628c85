import { setTimeout } from 'node:timers/promises';
import { ApiError } from '@mooring/contract';

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;

/** Repeats a request until it succeeds, the server rejects it for good, or the signal aborts. */
export async function retry<T>(send: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
    try {
      return await send();
    } catch (error) {
      const isFinal = error instanceof ApiError && error.status < 500 && error.status !== 429;
      if (isFinal || signal.aborted) throw error;
      await setTimeout(wait, undefined, { signal }).catch(() => undefined);
    }
  }
}
