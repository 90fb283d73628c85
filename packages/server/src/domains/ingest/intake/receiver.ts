import { setImmediate } from 'node:timers/promises';
import type { Deps } from '../../../context.ts';
import { isReferenceGone } from '../../../db/portable.ts';
import { forbidden, unavailable } from '../../../kernel/errors.ts';
import type { Received, WriteDeps, WriteReceived } from './batch-writing.ts';

/** How long the first of a group waits at most while others come: they share one commit, and waiting for the disk is what costs. */
const GROUP_MS = 10;
const GROUP_SIZE = 500;
const GROUP_BYTES = 32 * 1024 * 1024;
const MOST_WAITING = 20_000;
/** One app that floods the server leaves room for what comes for others. */
const SHARE_OF_APP = 0.75;

export interface Receiver {
  /** Refuses before anything is done for a request of an app that could not be kept. */
  refuseIfFull(appId: string): void;
  /** Resolves once it is on the disk. */
  add(received: Received): Promise<void>;
}

interface Waiting extends PromiseWithResolvers<void> {
  received: Received;
  bytes: number;
}

/** What a request without a batch takes in memory. */
const SMALL = 1000;

/** Collects what comes to this process and writes it group by group, one at a time. */
export function createReceiver(deps: WriteDeps & Pick<Deps, 'config'>, write: WriteReceived): Receiver {
  /** By app, in the order of turns. */
  const waiting = new Map<string, Set<Waiting>>();
  const mostBytes = deps.config.ingestQueueMb * 1024 * 1024;
  /** What waits, of all and of each app. */
  const all = { bytes: 0, count: 0 };
  const byApp = new Map<string, typeof all>();
  let isBusy = false;

  function count({ received: { appId }, bytes }: Waiting, sign: 1 | -1): void {
    const ofApp = byApp.get(appId) ?? { bytes: 0, count: 0 };
    for (const sum of [all, ofApp]) {
      sum.bytes += sign * bytes;
      sum.count += sign;
    }
    if (ofApp.count > 0) byApp.set(appId, ofApp);
    else byApp.delete(appId);
  }

  /** As many as one transaction takes. Apps take turns, so that the logs of one do not delay the others. */
  function nextGroup(): Waiting[] {
    const group: Waiting[] = [];
    let bytes = 0;
    // An app that has more moves to the end, where this loop finds it again.
    for (const [appId, queue] of waiting) {
      const [one] = queue;
      const isGroupFull = group.length >= GROUP_SIZE || bytes + (one?.bytes ?? 0) > GROUP_BYTES;
      // The next group begins with it: a large request keeps its turn.
      if (group.length > 0 && isGroupFull) break;
      waiting.delete(appId);
      if (!one) continue;
      group.push(one);
      bytes += one.bytes;
      queue.delete(one);
      if (queue.size > 0) waiting.set(appId, queue);
    }
    return group;
  }

  async function settle(group: readonly Waiting[]): Promise<void> {
    try {
      await write(
        deps,
        group.map(({ received }) => received),
      );
      for (const { resolve } of group) resolve();
    } catch (error) {
      if (isReferenceGone(error)) return settleByApp(group);
      for (const { reject } of group) reject(error);
    }
  }

  /** An app was deleted meanwhile: what came for the others is kept. */
  async function settleByApp(group: readonly Waiting[]): Promise<void> {
    const byApp = [...Map.groupBy(group, ({ received }) => received.appId).values()];
    if (byApp.length === 1) {
      for (const { reject } of group) reject(forbidden('The app was deleted just now.'));
      return;
    }
    for (const ofApp of byApp) await settle(ofApp);
  }

  /** Until nothing more has come within a tick: a device that sends alone need not wait, and many are written together. */
  async function collect(): Promise<void> {
    const end = performance.now() + GROUP_MS;
    for (let seen = 0; seen < all.count && performance.now() < end; ) {
      seen = all.count;
      await setImmediate();
    }
  }

  async function drain(): Promise<void> {
    isBusy = true;
    while (waiting.size > 0) {
      await collect();
      const group = nextGroup();
      await settle(group);
      for (const one of group) count(one, -1);
    }
    isBusy = false;
  }

  const isFull = (sum: typeof all | undefined, share: number): boolean =>
    sum !== undefined && (sum.bytes >= share * mostBytes || sum.count >= share * MOST_WAITING);

  const refuseIfFull = (appId: string): void => {
    if (!isFull(all, 1) && !isFull(byApp.get(appId), SHARE_OF_APP)) return;
    throw unavailable('More comes than this server can write just now; send it again later.');
  };

  return {
    refuseIfFull,
    add(received) {
      const bytes = SMALL + (received.stored?.body.length ?? 0);
      const one: Waiting = { received, bytes, ...Promise.withResolvers<void>() };
      count(one, 1);
      const queue = waiting.get(received.appId) ?? new Set<Waiting>();
      waiting.set(received.appId, queue.add(one));
      if (!isBusy) void drain();
      return one.promise;
    },
  };
}
