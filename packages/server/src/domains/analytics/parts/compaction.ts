import type { Ctx } from '../../../context.ts';
import { isReferenceGone } from '../../../db/portable.ts';
import { tx } from '../../../db/tx.ts';
import { defineSchedule, enqueue } from '../../../jobs/index.ts';
import { DAY, MINUTE, SECOND } from '../../../kernel/clock.ts';
import { type Day, dayOf, type LogBatch, type Part, type Staged } from '../../../telemetry/index.ts';
import { type Batch, type BatchRange, listAppsWithNews, passBatches, streamBatches } from '../../ingest/index.ts';
import {
  checkForgotten,
  type KnownForgotten,
  listKnownForgotten,
  releaseForgotten,
  withoutForgotten,
} from '../deletion/forgotten.ts';
import { retentionDays } from '../deletion/retention.ts';
import { countCuts, forgetCuts } from '../limits.ts';
import { usageLogs } from './consumer.ts';
import { filesFolder, makeRoom } from './files.ts';
import { endLease, renewLease, takeLease } from './leases.store.ts';
import {
  listAppsWithParts,
  listDaysToMerge,
  listDaysToSeal,
  listDeletedAppsWithParts,
  retireParts,
} from './parts.store.ts';
import { batchesOf, dropCopies, listParts, publishParts, type StoredPart, storePart, sweepParts } from './parts.ts';
import { withParts } from './reading.ts';

export const partsTidy = defineSchedule('analytics_parts.tidy', 10 * MINUTE);
export const deletionsFinish = defineSchedule('analytics_deletions.finish', MINUTE);

/** How long an app is held without a sign of life; nothing goes wrong when two hold it, but one works in vain. */
const LEASE = 20 * SECOND;
const HEARTBEAT = 5 * SECOND;
/** When somebody else works on the app. */
const LATER = 3 * SECOND;
const MOST_PARTS = 8;
/** Logs are at most 25 days old and 3 days ahead when they come from devices. */
const OPEN_DAYS = 28;
/** A day that is over still gets what devices kept back; it is merged when that has calmed down. */
const CALM = 10 * MINUTE;
const EVERY_DAY = 1_000_000_000;
/** Somebody may still read what was replaced. */
const KEPT_OLD = DAY;
/** A question that loses what it reads from is asked again. */
const KEPT_COPIES = MINUTE;
/** So much longer than a question may take, whose files are copied from a bucket first. */
const KEPT_DELETED = 2 * MINUTE;

async function whileHeld(ctx: Ctx, appId: string, work: () => Promise<void>): Promise<boolean> {
  const holder = ctx.newId();
  const lease = () => ({ appId, holder, now: ctx.clock.now(), until: ctx.clock.now() + LEASE });
  if (!(await tx(ctx, ({ db }) => takeLease.run(db, lease())))) return false;
  const beat = () =>
    tx(ctx, ({ db }) => renewLease.run(db, lease())).catch((err: unknown) =>
      ctx.log.error({ err, appId }, 'the lease of an app could not be renewed'),
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

/** Runs work on an app unless another process does; says whether there is none left. */
export async function alone(ctx: Ctx, appId: string, work: () => Promise<void>): Promise<boolean> {
  try {
    return await whileHeld(ctx, appId, work);
  } catch (error) {
    // The app was deleted meanwhile.
    if (!isReferenceGone(error)) throw error;
    return true;
  }
}

/** One range of batches is read while another is taken in, and a third is written. */
const AHEAD = 2;

/** Turns what came of an app into parts, until nothing is left. */
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

/** Batches that are read and not written yet. */
export interface StagedRange extends Pick<BatchRange, 'appId' | 'from' | 'to'> {
  /** Once the engine has taken them in; undefined if there are none. */
  staged: Promise<Staged | undefined>;
  /** How many batches they came in. */
  count: number;
  forgotten: KnownForgotten;
}

/** Begins to read batches. */
export async function stageBatches(ctx: Ctx, appId: string, after?: number, last?: number): Promise<StagedRange> {
  const { from, to, count, batches } = await streamBatches(ctx, usageLogs, appId, { after, last });
  const forgotten = await listKnownForgotten(ctx, appId);
  const { analyticsNameLength, analyticsProperties, analyticsPropertyLength } = ctx.config;
  const limits = {
    nameLength: analyticsNameLength,
    properties: analyticsProperties,
    propertyLength: analyticsPropertyLength,
  };
  const stage = async () =>
    to === from ? undefined : ctx.telemetry.stage(counting(batches, forgotten, analyticsNameLength), limits);
  const staged = stage();
  // Whoever waits for it hears of it; until then it may fail.
  staged.catch(() => undefined);
  return { appId, from, to, forgotten, staged, count };
}

/** What counts of them, one after the other: all at once would be a hundred times what they are as they wait. */
async function* counting(
  batches: AsyncIterable<Batch>,
  forgotten: KnownForgotten,
  nameLength: number,
): AsyncGenerator<LogBatch> {
  for await (const batch of batches) {
    const logs = withoutForgotten(batch, forgotten, nameLength);
    if (logs.length > 0) yield { installId: batch.installId, logs };
  }
}

async function writeParts(ctx: Ctx, { staged: staging, forgotten, appId, from, to }: StagedRange): Promise<void> {
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
    await checkForgotten(ctx, appId, forgotten);
    if (staged) await countCuts(ctx, appId, { ...staged.cuts, others });
    await passBatches(ctx, usageLogs, { appId, from, to });
  });
  await prepare(ctx, drafts);
}

/** Fewer logs are taken in while somebody waits for an answer. */
const LARGE = 50_000;

/** What counts telemetry may take in what is large before anybody asks. */
async function prepare(ctx: Ctx, parts: readonly StoredPart[]): Promise<void> {
  const large = parts.filter(({ logCount }) => logCount >= LARGE);
  if (!ctx.telemetry.prepare || large.length === 0) return;
  await withParts(ctx, large, ['logs'], async (here) => ctx.telemetry.prepare?.(here)).catch((err: unknown) =>
    ctx.log.warn({ err }, 'large parts could not be prepared'),
  );
}

async function mergeDays(ctx: Ctx, appId: string): Promise<void> {
  const now = ctx.clock.now();
  const days = await listDaysToMerge(ctx.db, { appId, most: MOST_PARTS, today: dayOf(now), before: now - CALM });
  for (const { day } of days) {
    await mergeDay(ctx, appId, day);
  }
}

async function mergeDay(ctx: Ctx, appId: string, day: Day, options?: { isSealed: boolean }): Promise<void> {
  await mergeParts(ctx, await listParts(ctx, appId, { from: day, to: day }), options);
}

/** One part instead of several of a day, without what is forgotten. */
export async function mergeParts(ctx: Ctx, parts: readonly StoredPart[], { isSealed = false } = {}): Promise<void> {
  const [first] = parts;
  if (!first) return;
  const { appId, day } = first;
  const options = { isSealed: isSealed || parts.some((part) => part.isSealed), batches: batchesOf(parts) };
  const folder = await filesFolder(ctx);
  const written = await withParts(ctx, parts, ['logs'], (here) => ctx.telemetry.merge(day, here, folder, options));
  const draft = written && (await storePart(ctx, appId, written, options));
  await tx(ctx, (ctx) => publishParts(ctx, appId, draft ? [draft] : [], parts));
  if (draft) await prepare(ctx, [draft]);
}

/** Whoever was told of news may have failed as often as it may. */
export async function compactRest(ctx: Ctx): Promise<void> {
  for (const appId of await listAppsWithNews(ctx, usageLogs)) await compactApp(ctx, appId);
}

/** Deletes files that nobody reads any more, those first in which something was deleted. */
export async function finishDeletions(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now();
  for (const { appId } of await listDeletedAppsWithParts.all(ctx.db)) {
    await tx(ctx, ({ db }) => retireParts.run(db, { appId, before: EVERY_DAY, now }));
  }
  // Before their rows go: what was deleted is gone only when it is gone there, too.
  await dropCopies(ctx, now - KEPT_COPIES);
  await sweepParts(ctx, now - KEPT_OLD, now - KEPT_DELETED - ctx.config.telemetryTimeout * SECOND);
  await releaseForgotten(ctx);
}

/** Merges and seals days, lets go of those that are kept no longer, and deletes files that nobody reads. */
export async function tidyParts(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now();
  const today = dayOf(now);
  for (let after = ''; ; ) {
    const found = await listAppsWithParts.first(ctx.db, { after });
    if (!found) break;
    const { appId, kept } = found;
    const before = kept === null ? EVERY_DAY : today - (await retentionDays(ctx, appId));
    await tx(ctx, ({ db }) => retireParts.run(db, { appId, before, now }));
    if (kept !== null) {
      await alone(ctx, appId, async () => {
        await mergeDays(ctx, appId);
        for (const { day } of await listDaysToSeal.all(ctx.db, { appId, before: today - OPEN_DAYS })) {
          await mergeDay(ctx, appId, day, { isSealed: true });
        }
      });
    }
    after = appId;
  }
  await tx(ctx, forgetCuts);
  await finishDeletions(ctx);
  await makeRoom(ctx);
}
