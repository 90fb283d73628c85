import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';

/** How long something is held without a sign of life from whoever does it. */
export const LEASE = 20 * SECOND;
const HEARTBEAT = 5 * SECOND;
const POLL = SECOND;

export interface PumpOptions {
  log: Log;
  /** Takes what is due; says how much that was. */
  take(): Promise<number>;
  /** Tells the others that what was taken here is still being done. */
  renew(): Promise<void>;
  /** How long to wait between two turns, so that more comes together. */
  gatherMs?: number;
}

export interface Pump {
  start(): void;
  /** Says that something may be due; does nothing before `start`. */
  wake(): void;
  /** Takes no more, and lets what is under way come to its end. */
  stop(end: () => Promise<unknown>): Promise<void>;
}

/** Takes what is due as soon as it is told of it, and looks every second; what is under way stays its own. */
export function createPump({ log, take, renew, gatherMs = 0 }: PumpOptions): Pump {
  const timers: NodeJS.Timeout[] = [];
  let isStarted = false;
  let isPumping = false;
  let isWanted = false;
  let pumping: Promise<void> = Promise.resolve();

  async function pump(): Promise<void> {
    isPumping = true;
    while (isWanted && isStarted) {
      isWanted = false;
      try {
        if ((await take()) > 0) isWanted = true;
      } catch (err) {
        log.error({ err }, 'jobs could not be taken');
      }
      if (gatherMs > 0) await sleep(gatherMs);
    }
    isPumping = false;
  }

  function wake(): void {
    if (!isStarted) return;
    isWanted = true;
    if (!isPumping) pumping = pump();
  }

  return {
    start() {
      isStarted = true;
      const beat = () => renew().catch((err: unknown) => log.error({ err }, 'leases of jobs could not be renewed'));
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
