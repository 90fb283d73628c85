import type { Deps } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { enqueue, type Job } from '../../../jobs/index.ts';
import { MINUTE, SECOND } from '../../../kernel/clock.ts';
import { findAppOwner, insertBatches, MOST_AHEAD, takeNumbers } from '../batches/batches.store.ts';
import { definedConsumers } from '../batches/consumers.ts';
import { addCounts, addToMinute, type Counts, insertInvalidLog, noCounts, saveSender } from '../counts.store.ts';
import type { InvalidLog, Sender } from '../logs/judged-logs.ts';
import { type StoredBody, toStored } from '../logs/stored-body.ts';

/** What is to be kept of one request. */
export interface Received {
  appId: string;
  /** In lower case; empty if it was none. */
  installId: string;
  /** Absent if no log of it is kept. */
  stored?: StoredBody;
  /** Of the logs in there, if somebody has looked. */
  types?: ReadonlySet<string>;
  /** Somebody brought it along from elsewhere. */
  isHistory?: boolean;
  counts: Counts;
  invalid: readonly InvalidLog[];
  sender?: Sender | undefined;
}

/** How long news are collected before those are told who take them. */
const NEWS_AFTER = 3 * SECOND;
const MOST_APPS = 10_000;
/** So many different ones of an app are kept by name in an hour; the rest are one. */
const MOST_SENDERS = 200;
/** Invalid logs of an app that are stored per minute and per hour; all of them are counted. */
const MOST_INVALID = 20;
const MAX_INVALID_PER_HOUR = 200;

const otherSender: Sender = { sdk: 'other', sdkVersion: '', appVersion: '' };

/** Holds to a limit for each app, until some time has passed. */
function createQuota(most: number, period: number) {
  let until = 0;
  const taken = new Map<string, Set<string>>();
  return (now: number, appId: string, what: string): boolean => {
    if (now >= until || until - now > period || taken.size > MOST_APPS) {
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

/** What writing needs, so that it can be done in a thread of its own. */
export type WriteDeps = Pick<Deps, 'db' | 'clock' | 'newId' | 'wakeJobs'>;

const consumerJobs = () => definedConsumers().map(({ job }) => job);

/** What one process keeps in mind from one group of requests to the next; `jobs` are those that are told of news. */
export function createWriting(jobs: () => readonly Job<{ appId: string }>[] = consumerJobs) {
  /** Until when a job waits that tells of news, by app. */
  const told = new Map<string, number>();
  const mayName = createQuota(MOST_SENDERS, 60 * MINUTE);
  const mayKeepInMinute = createQuota(MOST_INVALID, MINUTE);
  const mayKeepInHour = createQuota(MAX_INVALID_PER_HOUR, 60 * MINUTE);

  async function tellNews(ctx: WriteDeps, appId: string): Promise<void> {
    const now = ctx.clock.now();
    const until = told.get(appId);
    // What comes in the last moment, or after the clock was set back, is told again.
    if (until !== undefined && until - now > SECOND && until - now <= NEWS_AFTER) return;
    const runAt = now + NEWS_AFTER;
    const owner = (await findAppOwner.first(ctx.db, { appId }))?.owner_id ?? appId;
    for (const job of jobs()) await enqueue(ctx, job, { appId }, { runAt, owner });
    ctx.db.afterCommit(() => {
      if (told.size > MOST_APPS) told.clear();
      told.set(appId, runAt);
    });
  }

  async function addBatches(ctx: WriteDeps, appId: string, received: readonly Received[]): Promise<void> {
    const kept = received.flatMap(({ stored, ...of }) => (stored ? { ...of, stored } : []));
    const count = kept.length;
    if (count === 0) return;
    // Whoever looks on goes by times, so each has its own; of the past nobody looks on, so it shares one, however much it is.
    const times = kept.every(({ isHistory }) => isHistory) ? 1 : count;
    const latest = ctx.clock.now() + times - 1;
    const taken = await takeNumbers.first(ctx.db, { appId, count, times, latest });
    if (!taken) throw new Error('no numbers were taken');
    const { last_number, last_received_at } = taken;
    const isShared = times === 1 || last_received_at >= latest + MOST_AHEAD;
    const rows = kept.map(({ installId, counts, types, isHistory, stored: { size, encoding, body } }, at) => ({
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
    await tellNews(ctx, appId);
  }

  async function count({ db, clock }: WriteDeps, appId: string, received: readonly Received[]): Promise<void> {
    const now = clock.now();
    const sum = noCounts();
    const senders = new Map<string, { sender: Sender; logs: number }>();
    for (const { counts, sender } of received) {
      addCounts(sum, counts);
      if (!sender) continue;
      const name = JSON.stringify([sender.sdk, sender.sdkVersion, sender.appVersion]);
      const isNamed = mayName(now, appId, name);
      const key = isNamed ? name : '';
      const seen = senders.get(key) ?? { sender: isNamed ? sender : otherSender, logs: 0 };
      seen.logs += counts.logs;
      senders.set(key, seen);
    }
    await addToMinute.run(db, { app_id: appId, minute: now - (now % MINUTE), ...sum });
    for (const { sender, logs } of senders.values()) {
      const { sdk, sdkVersion, appVersion } = sender;
      const row = { app_id: appId, sdk, sdk_version: sdkVersion, app_version: appVersion, logs, last_at: now };
      await saveSender.run(db, row);
    }
  }

  async function setAside(ctx: WriteDeps, appId: string, received: readonly Received[]): Promise<void> {
    const now = ctx.clock.now();
    for (const { installId, invalid } of received) {
      for (const { reason, log } of invalid) {
        const id = ctx.newId();
        if (!mayKeepInMinute(now, appId, id) || !mayKeepInHour(now, appId, id)) return;
        await insertInvalidLog.run(ctx.db, { app_id: appId, id, received_at: now, install_id: installId, reason, log });
      }
    }
  }

  /**
   * Writes what came in one transaction: durable when it resolves. Apps in one order, so that two processes never wait for
   * each other.
   */
  return (ctx: WriteDeps, received: readonly Received[]): Promise<void> =>
    tx(ctx, async (ctx) => {
      const byApp = Map.groupBy(received, ({ appId }) => appId);
      for (const appId of [...byApp.keys()].sort()) {
        const ofApp = byApp.get(appId) ?? [];
        await addBatches(ctx, appId, ofApp);
        await count(ctx, appId, ofApp);
        await setAside(ctx, appId, ofApp);
      }
    });
}

export type WriteReceived = ReturnType<typeof createWriting>;

/** For what does not come from devices. */
export const writeReceived = createWriting();

/** Logs that come from this server itself, of any age, as if an install had sent them. */
export async function addLogs(
  ctx: WriteDeps,
  { appId, installId, logs }: { appId: string; installId: string; logs: readonly object[] },
): Promise<void> {
  const stored = await toStored(Buffer.from(JSON.stringify({ logs })));
  const counts = { ...noCounts(), batches: 1, logs: logs.length, bytes: stored.size };
  await writeReceived(ctx, [{ appId, installId: installId.toLowerCase(), stored, counts, invalid: [] }]);
}
