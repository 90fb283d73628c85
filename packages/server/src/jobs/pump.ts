import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';

/** How long work stays claimed without a heartbeat of its worker. */
export const LEASE = 20 * SECOND;
const HEARTBEAT = 5 * SECOND;
const POLL = SECOND;

export interface PumpOptions {
  log: Log;
  /** Claims due work. Returns the number of items. */
  take(): Promise<number>;
  /** Renews the leases of running work. */
  renew(): Promise<void>;
  /** Delay between two claims, to collect more work for the next one. */
  gatherMs?: number;
}

export interface Pump {
  start(): void;
  /** Signals that work may be due. Does nothing before `start`. */
  wake(): void;
  /** Stops claiming, and waits for running work. */
  stop(end: () => Promise<unknown>): Promise<void>;
}

/** Claims work when it is woken, and every second. */
export function createPump({ log, take, renew, gatherMs = 0 }: PumpOptions): Pump {
  const timers: NodeJS.Timeout[] = [];
  let isStarted = false;
  let isPumping = false;
  let isRequested = false;
  let pumping: Promise<void> = Promise.resolve();

  async function pump(): Promise<void> {
    isPumping = true;
    while (isRequested && isStarted) {
      isRequested = false;
      try {
        if ((await take()) > 0) isRequested = true;
      } catch (err) {
        log.error({ err }, 'failed to claim jobs');
      }
      if (gatherMs > 0) await sleep(gatherMs);
    }
    isPumping = false;
  }

  function wake(): void {
    if (!isStarted) return;
    isRequested = true;
    if (!isPumping) pumping = pump();
  }

  return {
    start() {
      isStarted = true;
      const beat = () => renew().catch((err: unknown) => log.error({ err }, 'failed to renew job leases'));
      timers.push(setInterval(wake, POLL).unref(), setInterval(beat, HEARTBEAT).unref());
      wake();
    },
    wake,
    async stop(end) {
      isStarted = false;
      await pumping;
      await end();
      timers.forEach(clearInterval);
    },
  };
}
