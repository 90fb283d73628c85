import type { Clock } from '../../kernel/clock.ts';
import { MINUTE, SECOND } from '../../kernel/clock.ts';

export interface Allowance {
  limit: number;
  remaining: number;
  /** Seconds until the count restarts. */
  reset: number;
  exceeded: boolean;
}

export interface RateLimitOptions {
  perMinute: number;
  clock: Clock;
  /**
   * For several processes that count together: adds to the count of a key in the window that started at a time, and
   * returns the new count. Without it this process counts alone.
   */
  take?: (key: string, window: number, amount: number) => Promise<number>;
}

/** Requests of one key that this process may admit, out of the count of all processes. */
interface Share {
  used: number;
  granted: number;
  /** Granted before the count in the database was increased. */
  credit: number;
  takenByAll: number;
  taking: Promise<void> | undefined;
}

/** A share is a twentieth of the limit, so that a busy key costs 20 writes per minute and a quiet one none. */
const SHARES = 20;

/** Below this limit, a share in advance would be too large. */
const CREDIT_FROM = 200;

/** Counts requests by key in windows of one minute. The old window is dropped as a whole, so memory stays bounded. */
export function createRateLimit({ perMinute, clock, take }: RateLimitOptions) {
  let window = 0;
  let shares = new Map<string, Share>();
  const size = take ? Math.max(1, Math.floor(perMinute / SHARES)) : perMinute;
  const credit = take && perMinute < CREDIT_FROM ? 0 : size;

  async function takeShare(key: string, share: Share, start: number): Promise<void> {
    const total = (await take?.(key, start, share.credit + size)) ?? perMinute;
    share.credit = 0;
    share.takenByAll = total;
    share.granted += Math.max(0, size - Math.max(0, total - perMinute));
  }

  function allowance(share: Share, mine: number, reset: number): Allowance {
    const used = Math.max(mine, share.takenByAll - Math.max(0, share.granted - mine));
    return { limit: perMinute, remaining: Math.max(0, perMinute - used), reset, exceeded: mine > share.granted };
  }

  async function awaitShare(key: string, share: Share, mine: number, start: number, reset: number): Promise<Allowance> {
    while (mine > share.granted && share.takenByAll < perMinute) {
      share.taking ??= takeShare(key, share, start).finally(() => {
        share.taking = undefined;
      });
      await share.taking;
    }
    return allowance(share, mine, reset);
  }

  return (key: string): Allowance | Promise<Allowance> | undefined => {
    if (perMinute === 0) return undefined;
    const now = clock.now();
    const start = now - (now % MINUTE);
    const reset = Math.ceil((start + MINUTE - now) / SECOND);
    if (start !== window) {
      window = start;
      shares = new Map();
    }
    let share = shares.get(key);
    if (!share) {
      share = { used: 0, granted: credit, credit, takenByAll: 0, taking: undefined };
      shares.set(key, share);
    }
    share.used += 1;
    if (share.used <= share.granted || !take) return allowance(share, share.used, reset);
    return awaitShare(key, share, share.used, start, reset);
  };
}
