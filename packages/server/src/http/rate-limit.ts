import type { Clock } from '../kernel/clock.ts';
import { MINUTE, SECOND } from '../kernel/clock.ts';

export interface Allowance {
  limit: number;
  remaining: number;
  /** Seconds until the count starts anew. */
  reset: number;
  exceeded: boolean;
}

/** Counts requests by key in windows of one minute; the old window is dropped whole, so memory stays bounded. */
export function createRateLimit(perMinute: number, clock: Clock) {
  let window = 0;
  let counts = new Map<string, number>();

  return (key: string): Allowance | undefined => {
    if (perMinute === 0) return undefined;
    const now = clock.now();
    const start = now - (now % MINUTE);
    if (start !== window) {
      window = start;
      counts = new Map();
    }
    const used = (counts.get(key) ?? 0) + 1;
    counts.set(key, used);
    return {
      limit: perMinute,
      remaining: Math.max(0, perMinute - used),
      reset: Math.ceil((start + MINUTE - now) / SECOND),
      exceeded: used > perMinute,
    };
  };
}
