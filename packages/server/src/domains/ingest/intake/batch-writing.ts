import type { Deps } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { enqueue, type Job } from '../../../jobs/index.ts';
import { HOUR, MINUTE, SECOND } from '../../../kernel/clock.ts';
import { findAppOwner, insertBatches, MAX_AHEAD_MS, takeNumbers } from '../batches/batches.store.ts';
import { definedConsumers } from '../batches/consumers.ts';
import { type StoredBody, toStored } from '../batches/stored-body.ts';
import {
  addCounts,
  addToItems,
  addToMinute,
  type Counts,
  insertFirstDevice,
  insertInvalidLog,
  noCounts,
  saveSource,
} from '../counts.store.ts';
import type { ItemCount } from '../sentry/item-counts.ts';
import type { InvalidLog, Source } from '../validation/log-validation.ts';

/** The part of a request that is stored. */
export interface Received {
  appId: string;
  /** In lower case; empty if invalid. */
  installId: string;
  /** Absent if no log is stored. */
  stored?: StoredBody;
  /** Types of the logs, if known. */
  types?: ReadonlySet<string>;
  /** Imported from another server. */
  isHistory?: boolean;
  counts: Counts;
  invalid: readonly InvalidLog[];
  source?: Source | undefined;
  /** The items of an envelope, stored or dropped. */
  items?: readonly ItemCount[];
}

/** Logs are collected for this long before consumers are notified. */
const NEWS_AFTER = 3 * SECOND;
const MAX_APPS = 10_000;
/** Maximum number of sources of an app that are stored by name per hour; the rest are combined. */
const MAX_SOURCES = 200;
/** Maximum number of names of items of an app that are stored per hour; the rest are combined. */
const MAX_ITEM_NAMES = 200;
/** Invalid logs of an app that are stored per minute and per hour; all of them are counted. */
const MAX_INVALID_PER_MINUTE = 20;
const MAX_INVALID_PER_HOUR = 200;

const otherSource: Source = { sdk: 'other', sdkVersion: '', appVersion: '' };

/** Limits a count per app and period. */
function createQuota(most: number, period: number) {
  let until = 0;
  const taken = new Map<string, Set<string>>();
  return (now: number, appId: string, what: string): boolean => {
    if (now >= until || until - now > period || taken.size > MAX_APPS) {
      taken.clear();
      until = now + period;
    }
    const ofApp = taken.get(appId) ?? new Set();
    taken.set(appId, ofApp);
    if (ofApp.size >= most && !ofApp.has(what)) return false;
    ofApp.add(what);
    return true;
  };
}

/** Dependencies for writing, which are available in a separate thread. */
export type WriteDeps = Pick<Deps, 'db' | 'clock' | 'newId' | 'wakeJobs'>;

const consumerJobs = () => definedConsumers().map(({ job }) => job);

/** State of one process across groups of requests; `jobs` are notified of new logs. */
export function createWriting(jobs: () => readonly Job<{ appId: string }>[] = consumerJobs) {
  /** Time until which a notification job is pending, by app. */
  const notifiedUntil = new Map<string, number>();
  const haveDevices = new Set<string>();
  const mayName = createQuota(MAX_SOURCES, 60 * MINUTE);
  const mayNameItem = createQuota(MAX_ITEM_NAMES, 60 * MINUTE);
  const mayStoreInMinute = createQuota(MAX_INVALID_PER_MINUTE, MINUTE);
  const mayStoreInHour = createQuota(MAX_INVALID_PER_HOUR, 60 * MINUTE);

  async function enqueueConsumerJobs(ctx: WriteDeps, appId: string): Promise<void> {
    const now = ctx.clock.now();
    const until = notifiedUntil.get(appId);
    // Logs in the last moment, or after the clock was set back, cause another notification.
    if (until !== undefined && until - now > SECOND && until - now <= NEWS_AFTER) return;
    const runAt = now + NEWS_AFTER;
    const owner = (await findAppOwner.first(ctx.db, { appId }))?.owner_id ?? appId;
    for (const job of jobs()) await enqueue(ctx, job, { appId }, { runAt, owner });
    ctx.db.afterCommit(() => {
      if (notifiedUntil.size > MAX_APPS) notifiedUntil.clear();
      notifiedUntil.set(appId, runAt);
    });
  }

  async function addBatches(ctx: WriteDeps, appId: string, received: readonly Received[]): Promise<void> {
    const batches = received.flatMap(({ stored, ...of }) => (stored ? { ...of, stored } : []));
    const count = batches.length;
    if (count === 0) return;
    // Live views read by time, so each batch gets its own; history is not viewed live, so it shares one.
    const times = batches.every(({ isHistory }) => isHistory) ? 1 : count;
    const latest = ctx.clock.now() + times - 1;
    const taken = await takeNumbers.first(ctx.db, { appId, count, times, latest });
    if (!taken) throw new Error('no numbers were taken');
    const { last_number, last_received_at } = taken;
    const isShared = times === 1 || last_received_at >= latest + MAX_AHEAD_MS;
    const rows = batches.map(({ installId, counts, types, isHistory, stored: { size, encoding, body } }, at) => ({
      app_id: appId,
      number: last_number - count + 1 + at,
      received_at: isShared ? last_received_at : last_received_at - count + 1 + at,
      install_id: installId,
      log_count: counts.logs,
      size,
      encoding,
      types: types ? [...types].join(' ') : null,
      is_history: isHistory ? (1 as const) : (0 as const),
      body,
    }));
    await insertBatches(ctx.db, rows);
    await enqueueConsumerJobs(ctx, appId);
  }

  async function count({ db, clock }: WriteDeps, appId: string, received: readonly Received[]): Promise<void> {
    const now = clock.now();
    const sum = noCounts();
    const sources = new Map<string, { source: Source; logs: number }>();
    for (const { counts, source } of received) {
      addCounts(sum, counts);
      if (!source) continue;
      const name = JSON.stringify([source.sdk, source.sdkVersion, source.appVersion]);
      const isNamed = mayName(now, appId, name);
      const key = isNamed ? name : '';
      const seen = sources.get(key) ?? { source: isNamed ? source : otherSource, logs: 0 };
      seen.logs += counts.logs;
      sources.set(key, seen);
    }
    await addToMinute.run(db, { app_id: appId, minute: now - (now % MINUTE), ...sum });
    for (const { source, logs } of sources.values()) {
      const { sdk, sdkVersion, appVersion } = source;
      const row = { app_id: appId, sdk, sdk_version: sdkVersion, app_version: appVersion, logs, last_at: now };
      await saveSource.run(db, row);
    }
  }

  async function countItems({ db, clock }: WriteDeps, appId: string, received: readonly Received[]): Promise<void> {
    const now = clock.now();
    const sums = new Map<string, ItemCount>();
    for (const one of received.flatMap(({ items = [] }) => items)) {
      const name = JSON.stringify([one.item, one.outcome, one.reason]);
      const isNamed = mayNameItem(now, appId, name);
      const key = isNamed ? name : one.outcome;
      const sum = sums.get(key) ?? { ...(isNamed ? one : { ...one, item: 'other', reason: 'other' }), count: 0 };
      sum.count += one.count;
      sums.set(key, sum);
    }
    const hour = now - (now % HOUR);
    for (const key of [...sums.keys()].sort()) {
      const sum = sums.get(key);
      if (sum) await addToItems.run(db, { app_id: appId, hour, ...sum });
    }
  }

  /** The first device of an app is written once; each process then remembers that there is one. */
  async function noteDevice({ db, clock }: WriteDeps, appId: string, received: readonly Received[]): Promise<void> {
    if (haveDevices.has(appId)) return;
    const device = received.find(({ stored, source, isHistory }) => stored && source?.device && !isHistory)?.source
      ?.device;
    if (!device) return;
    await insertFirstDevice.run(db, { app_id: appId, ...device, received_at: clock.now() });
    db.afterCommit(() => {
      if (haveDevices.size > MAX_APPS) haveDevices.clear();
      haveDevices.add(appId);
    });
  }

  async function setAside(ctx: WriteDeps, appId: string, received: readonly Received[]): Promise<void> {
    const now = ctx.clock.now();
    for (const { installId, invalid } of received) {
      for (const { reason, log } of invalid) {
        const id = ctx.newId();
        if (!mayStoreInMinute(now, appId, id) || !mayStoreInHour(now, appId, id)) return;
        await insertInvalidLog.run(ctx.db, { app_id: appId, id, received_at: now, install_id: installId, reason, log });
      }
    }
  }

  /**
   * Writes requests in one transaction: durable when it resolves. Apps are written in a fixed order, so that two processes
   * never deadlock.
   */
  return (ctx: WriteDeps, received: readonly Received[]): Promise<void> =>
    tx(ctx, async (ctx) => {
      const byApp = Map.groupBy(received, ({ appId }) => appId);
      for (const appId of [...byApp.keys()].sort()) {
        const ofApp = byApp.get(appId) ?? [];
        await addBatches(ctx, appId, ofApp);
        await count(ctx, appId, ofApp);
        await noteDevice(ctx, appId, ofApp);
        await countItems(ctx, appId, ofApp);
        await setAside(ctx, appId, ofApp);
      }
    });
}

export type WriteReceived = ReturnType<typeof createWriting>;

/** Writes logs that do not come from devices. */
export const writeReceived = createWriting();

/** Adds logs that the server creates, of any age, as if an install had sent them. */
export async function addLogs(
  ctx: WriteDeps,
  { appId, installId, logs }: { appId: string; installId: string; logs: readonly object[] },
): Promise<void> {
  const stored = await toStored(Buffer.from(JSON.stringify({ logs })));
  const counts = { ...noCounts(), batches: 1, logs: logs.length, bytes: stored.size };
  await writeReceived(ctx, [{ appId, installId: installId.toLowerCase(), stored, counts, invalid: [] }]);
}
