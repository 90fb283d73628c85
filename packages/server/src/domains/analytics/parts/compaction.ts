import type { Ctx } from '../../../context.ts';
import { isReferenceGone } from '../../../db/portable.ts';
import { tx } from '../../../db/tx.ts';
import { defineSchedule, enqueue } from '../../../jobs/index.ts';
import { DAY, MINUTE, SECOND } from '../../../kernel/clock.ts';
import { type Day, type LogBatch, type Part, type Staged, toDay } from '../../../telemetry/index.ts';
import { type Batch, type BatchRange, listAppsWithNews, passBatches, streamBatches } from '../../ingest/index.ts';
import {
  checkErasures,
  excludeErased,
  type KnownErasures,
  listKnownErasures,
  releaseErasures,
} from '../deletion/erasures.ts';
import { retentionDays } from '../deletion/retention.ts';
import { countCuts, deleteOldCuts } from '../limits.ts';
import { usageLogs } from './consumer.ts';
import { evictCache, filesFolder } from './files.ts';
import { endLease, renewLease, takeLease } from './leases.store.ts';
import {
  listAppsWithParts,
  listDaysToMerge,
  listDaysToSeal,
  listDeletedAppsWithParts,
  retireParts,
} from './parts.store.ts';
import { dropCopies, getBatchRange, listParts, publishParts, type StoredPart, storePart, sweepParts } from './parts.ts';
import { withParts } from './reading.ts';

export const partsTidy = defineSchedule('analytics_parts.tidy', 10 * MINUTE);
export const deletionsFinish = defineSchedule('analytics_deletions.finish', MINUTE);

/** Expiry of a lease without renewal. Two holders are safe, but do the same work. */
const LEASE = 20 * SECOND;
const HEARTBEAT = 5 * SECOND;
/** Delay until the next attempt if another process has the lease. */
const LATER = 3 * SECOND;
const MAX_PARTS = 8;
/** Devices send logs that are at most 25 days old and at most 3 days ahead. */
const OPEN_DAYS = 28;
/** Delayed logs still arrive for a past day, so it is merged when none have arrived for this long. */
const CALM = 10 * MINUTE;
const ALL_DAYS_END = 1_000_000_000;
/** Queries may still read replaced segments. */
const OLD_RETENTION_MS = DAY;
/** A query that loses a copy is repeated. */
const COPY_RETENTION_MS = MINUTE;
/** On top of the maximum duration of a query, because files may be copied from a bucket first. */
const DELETED_RETENTION_MS = 2 * MINUTE;

async function withLease(ctx: Ctx, appId: string, work: () => Promise<void>): Promise<boolean> {
  const holder = ctx.newId();
  const lease = () => ({ appId, holder, now: ctx.clock.now(), until: ctx.clock.now() + LEASE });
  if (!(await tx(ctx, ({ db }) => takeLease.run(db, lease())))) return false;
  const beat = () =>
    tx(ctx, ({ db }) => renewLease.run(db, lease())).catch((err: unknown) =>
      ctx.log.error({ err, appId }, 'failed to renew the lease of an app'),
    );
  const beating = setInterval(beat, HEARTBEAT);
  try {
    await work();
  } finally {
    clearInterval(beating);
    await tx(ctx, ({ db }) => endLease.run(db, { appId, holder }));
  }
  return true;
}

/** Runs `work` unless another process holds the app's lease. Returns whether nothing is left to do. */
export async function alone(ctx: Ctx, appId: string, work: () => Promise<void>): Promise<boolean> {
  try {
    return await withLease(ctx, appId, work);
  } catch (error) {
    // The app was deleted.
    if (!isReferenceGone(error)) throw error;
    return true;
  }
}

/** Number of ranges in progress at the same time: one being read, one being written. */
const AHEAD = 2;

/** Turns all waiting batches of an app into segments. */
export async function compactApp(ctx: Ctx, appId: string): Promise<void> {
  const isDone = await alone(ctx, appId, async () => {
    const ahead: StagedRange[] = [];
    let after: number | undefined;
    try {
      for (;;) {
        while (ahead.length < AHEAD) {
          const next = await stageBatches(ctx, appId, after);
          if (next.to === next.from) break;
          ahead.push(next);
          after = next.to;
        }
        const [current] = ahead;
        if (!current) break;
        await writeParts(ctx, current);
        ahead.shift();
      }
    } finally {
      for (const { staged } of ahead) await staged.then((found) => found?.release()).catch(() => undefined);
    }
    await mergeDays(ctx, appId);
  });
  if (!isDone) await tx(ctx, (ctx) => enqueue(ctx, usageLogs.job, { appId }, { runAt: ctx.clock.now() + LATER }));
}

/** Batches that were read but not written yet. */
export interface StagedRange extends Pick<BatchRange, 'appId' | 'from' | 'to'> {
  /** Resolves once the engine has loaded the batches; undefined if there are none. */
  staged: Promise<Staged | undefined>;
  /** Number of batches. */
  count: number;
  erasures: KnownErasures;
}

/** Starts reading batches. */
export async function stageBatches(ctx: Ctx, appId: string, after?: number, last?: number): Promise<StagedRange> {
  const { from, to, count, batches } = await streamBatches(ctx, usageLogs, appId, { after, last });
  const erasures = await listKnownErasures(ctx, appId);
  const { analyticsNameLength, analyticsProperties, analyticsPropertyLength } = ctx.config;
  const limits = {
    nameLength: analyticsNameLength,
    properties: analyticsProperties,
    propertyLength: analyticsPropertyLength,
  };
  const stage = async () =>
    to === from ? undefined : ctx.telemetry.stage(counting(batches, erasures, analyticsNameLength), limits);
  const staged = stage();
  // Prevents an unhandled rejection; awaiting `staged` still throws.
  staged.catch(() => undefined);
  return { appId, from, to, erasures, staged, count };
}

/** Streams the logs that count. Decoding all batches together would take a hundred times their stored size. */
async function* counting(
  batches: AsyncIterable<Batch>,
  erasures: KnownErasures,
  nameLength: number,
): AsyncGenerator<LogBatch> {
  for await (const batch of batches) {
    const logs = excludeErased(batch, erasures, nameLength);
    if (logs.length > 0) yield { installId: batch.installId, logs };
  }
}

async function writeParts(ctx: Ctx, { staged: staging, erasures, appId, from, to }: StagedRange): Promise<void> {
  const staged = await staging;
  const batches = { first: from + 1, last: to };
  const drafts: StoredPart[] = [];
  const mostNames = ctx.config.analyticsEventNames;
  let others = 0;
  try {
    for (const { day } of staged?.days ?? []) {
      const parts = await listParts(ctx, appId, { from: day, to: day });
      const folder = await filesFolder(ctx);
      const options = { mostNames, hasSealed: parts.some(({ isSealed }) => isSealed) };
      const write = (existing: readonly Part[]) => staged?.write(day, existing, folder, options);
      const written = await withParts(ctx, parts, ['logs'], async (existing) => write(existing));
      if (written) drafts.push(await storePart(ctx, appId, written, { batches }));
      if (mostNames > 0) others += written?.others ?? 0;
    }
  } finally {
    await staged?.release();
  }
  await tx(ctx, async (ctx) => {
    await publishParts(ctx, appId, drafts);
    await checkErasures(ctx, appId, erasures);
    if (staged) await countCuts(ctx, appId, { ...staged.cuts, others });
    await passBatches(ctx, usageLogs, { appId, from, to });
  });
  await prepare(ctx, drafts);
}

/** Segments from this number of logs on are preloaded. */
const LARGE = 50_000;

/** Lets the engine load large segments before the first query. */
async function prepare(ctx: Ctx, parts: readonly StoredPart[]): Promise<void> {
  const large = parts.filter(({ logCount }) => logCount >= LARGE);
  if (!ctx.telemetry.prepare || large.length === 0) return;
  await withParts(ctx, large, ['logs'], async (here) => ctx.telemetry.prepare?.(here)).catch((err: unknown) =>
    ctx.log.warn({ err }, 'failed to preload large segments'),
  );
}

async function mergeDays(ctx: Ctx, appId: string): Promise<void> {
  const now = ctx.clock.now();
  const days = await listDaysToMerge(ctx.db, { appId, most: MAX_PARTS, today: toDay(now), before: now - CALM });
  for (const { day } of days) {
    await mergeDay(ctx, appId, day);
  }
}

async function mergeDay(ctx: Ctx, appId: string, day: Day, options?: { isSealed: boolean }): Promise<void> {
  await mergeParts(ctx, await listParts(ctx, appId, { from: day, to: day }), options);
}

/** Merges segments of a day into one, without erased logs. */
export async function mergeParts(ctx: Ctx, parts: readonly StoredPart[], { isSealed = false } = {}): Promise<void> {
  const [first] = parts;
  if (!first) return;
  const { appId, day } = first;
  const options = { isSealed: isSealed || parts.some((part) => part.isSealed), batches: getBatchRange(parts) };
  const folder = await filesFolder(ctx);
  const written = await withParts(ctx, parts, ['logs'], (here) => ctx.telemetry.merge(day, here, folder, options));
  const draft = written && (await storePart(ctx, appId, written, options));
  await tx(ctx, (ctx) => publishParts(ctx, appId, draft ? [draft] : [], parts));
  if (draft) await prepare(ctx, [draft]);
}

/** Catches up for apps whose compaction job has failed too often. */
export async function compactRest(ctx: Ctx): Promise<void> {
  for (const appId of await listAppsWithNews(ctx, usageLogs)) await compactApp(ctx, appId);
}

/** Deletes unused files, starting with those that contain erased logs. */
export async function finishDeletions(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now();
  for (const { appId } of await listDeletedAppsWithParts.all(ctx.db)) {
    await tx(ctx, ({ db }) => retireParts.run(db, { appId, before: ALL_DAYS_END, now }));
  }
  // Before the rows are deleted: an erasure is complete only when the engine's copies are deleted too.
  await dropCopies(ctx, now - COPY_RETENTION_MS);
  await sweepParts(ctx, now - OLD_RETENTION_MS, now - DELETED_RETENTION_MS - ctx.config.telemetryTimeout * SECOND);
  await releaseErasures(ctx);
}

/** Merges and seals days, removes expired days, and deletes unused files. */
export async function tidyParts(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now();
  const today = toDay(now);
  for (let after = ''; ; ) {
    const found = await listAppsWithParts.first(ctx.db, { after });
    if (!found) break;
    const { appId, kept: existingAppId } = found;
    const before = existingAppId === null ? ALL_DAYS_END : today - (await retentionDays(ctx, appId));
    await tx(ctx, ({ db }) => retireParts.run(db, { appId, before, now }));
    if (existingAppId !== null) {
      await alone(ctx, appId, async () => {
        await mergeDays(ctx, appId);
        for (const { day } of await listDaysToSeal.all(ctx.db, { appId, before: today - OPEN_DAYS })) {
          await mergeDay(ctx, appId, day, { isSealed: true });
        }
      });
    }
    after = appId;
  }
  await tx(ctx, deleteOldCuts);
  await finishDeletions(ctx);
  await evictCache(ctx);
}
