import type { Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { defineSchedule, enqueue } from '../../jobs/index.ts';
import { DAY, MINUTE, SECOND } from '../../kernel/clock.ts';
import { type Day, dayOf, fileKinds, type LogBatch, type Part, type Staged } from '../../telemetry/index.ts';
import { type BatchRange, listAppsWithNews, passBatches, readBatches } from '../ingest/index.ts';
import { usageLogs } from './consumer.ts';
import { filesFolder, localFiles, makeRoom, type PartRef } from './files.ts';
import {
  checkForgotten,
  type KnownForgotten,
  listKnownForgotten,
  releaseForgotten,
  withoutForgotten,
} from './forgotten.ts';
import { endLease, takeLease } from './leases.store.ts';
import { countCuts, forgetCuts } from './limits.ts';
import { listAppsWithParts, listDaysToMerge, listDaysToSeal, retireParts } from './parts.store.ts';
import { listParts, publishParts, type StoredPart, storePart, sweepParts } from './parts.ts';

export const partsTidy = defineSchedule('analytics_parts.tidy', 10 * MINUTE);

/** How long an app is held without a sign of life; nothing goes wrong when two hold it, but one works in vain. */
const LEASE = 2 * MINUTE;
/** When somebody else works on the app. */
const LATER = 3 * SECOND;
const MOST_PARTS = 8;
/** Logs are at most 25 days old and 3 days ahead when they come. */
const OPEN_DAYS = 28;
/** A day that is over still gets what devices kept back; it is merged when that has calmed down. */
const CALM = 10 * MINUTE;
const EVERY_DAY = 1_000_000_000;
/** Somebody may still read what was replaced. */
const KEPT_OLD = DAY;

/** Runs work on an app unless another process does; says whether it did. */
async function alone(ctx: Ctx, appId: string, work: (renew: () => Promise<void>) => Promise<void>): Promise<boolean> {
  const holder = ctx.newId();
  const take = () => {
    const now = ctx.clock.now();
    return tx(ctx, ({ db }) => takeLease.run(db, { appId, holder, now, until: now + LEASE }));
  };
  if (!(await take())) return false;
  try {
    await work(async () => void (await take()));
  } finally {
    await tx(ctx, ({ db }) => endLease.run(db, { appId, holder }));
  }
  return true;
}

/** Turns what came of an app into parts, until nothing is left. While some are written, the next are read. */
export async function compactApp(ctx: Ctx, appId: string): Promise<void> {
  const isDone = await alone(ctx, appId, async (renew) => {
    let next = stageBatches(ctx, appId);
    try {
      for (;;) {
        const current = await next;
        if (current.to === current.from) {
          await releaseForgotten(ctx, appId, current.to);
          break;
        }
        next = stageBatches(ctx, appId, current.to);
        // Whoever waits for it hears of it; until then it may fail.
        next.catch(() => undefined);
        await writeParts(ctx, current);
        await renew();
      }
    } finally {
      await next.then(
        ({ staged }) => staged?.release(),
        () => undefined,
      );
    }
    await mergeDays(ctx, appId, renew);
  });
  if (!isDone) await tx(ctx, (ctx) => enqueue(ctx, usageLogs.job, { appId }, { runAt: ctx.clock.now() + LATER }));
}

/** Batches that were read and are not written yet. */
interface StagedRange extends Pick<BatchRange, 'appId' | 'from' | 'to'> {
  /** Absent if there are none. */
  staged?: Staged;
  forgotten: KnownForgotten;
}

async function stageBatches(ctx: Ctx, appId: string, after?: number): Promise<StagedRange> {
  const { from, to, batches } = await readBatches(ctx, usageLogs, appId, { after });
  const forgotten = await listKnownForgotten(ctx, appId);
  if (to === from) return { appId, from, to, forgotten };
  const kept = batches.map(
    (batch): LogBatch => ({ installId: batch.installId, logs: withoutForgotten(batch, forgotten) }),
  );
  const { analyticsNameLength, analyticsProperties, analyticsPropertyLength } = ctx.config;
  const staged = await ctx.telemetry.stage(
    kept.filter(({ logs }) => logs.length > 0),
    { nameLength: analyticsNameLength, properties: analyticsProperties, propertyLength: analyticsPropertyLength },
  );
  return { appId, from, to, forgotten, staged };
}

async function writeParts(ctx: Ctx, { staged, forgotten, ...range }: StagedRange): Promise<void> {
  const { appId } = range;
  const drafts: PartRef[] = [];
  const mostNames = ctx.config.analyticsEventNames;
  let others = 0;
  try {
    for (const { day } of staged?.days ?? []) {
      const existing = await partsHere(ctx, await listParts(ctx, appId, { from: day, to: day }), ['logs']);
      const written = await staged?.write(day, existing, await filesFolder(ctx), { mostNames });
      if (written) drafts.push(await storePart(ctx, appId, written));
      if (mostNames > 0) others += written?.others ?? 0;
    }
  } finally {
    await staged?.release();
  }
  await tx(ctx, async (ctx) => {
    await publishParts(ctx, appId, drafts);
    await checkForgotten(ctx, appId, forgotten);
    if (staged) await countCuts(ctx, appId, { ...staged.cuts, others });
    await passBatches(ctx, usageLogs, range);
  });
}

/** The files of parts, on this machine. */
export async function partsHere(
  ctx: Parameters<typeof localFiles>[0],
  parts: readonly StoredPart[],
  kinds: Parameters<typeof localFiles>[2] = fileKinds,
): Promise<Part[]> {
  // What must not be seen of a device is only told by the logs.
  const isMarked = parts.some(({ forgotten }) => forgotten.some(({ kind }) => kind !== 'event'));
  const files = await localFiles(ctx, parts, isMarked ? fileKinds : kinds);
  return files.map((names, at) => ({ ...names, forgotten: parts[at]?.forgotten ?? [] }));
}

async function mergeDays(ctx: Ctx, appId: string, renew: () => Promise<void>): Promise<void> {
  const now = ctx.clock.now();
  const days = await listDaysToMerge(ctx.db, { appId, most: MOST_PARTS, today: dayOf(now), before: now - CALM });
  for (const { day } of days) {
    await mergeDay(ctx, appId, day);
    await renew();
  }
}

async function mergeDay(ctx: Ctx, appId: string, day: Day, { isSealed = false } = {}): Promise<void> {
  const parts = await listParts(ctx, appId, { from: day, to: day });
  const options = { isSealed: isSealed || parts.some((part) => part.isSealed) };
  const here = await partsHere(ctx, parts, ['logs']);
  const written = await ctx.telemetry.merge(day, here, await filesFolder(ctx), options);
  const draft = written && (await storePart(ctx, appId, written, options));
  await tx(ctx, (ctx) => publishParts(ctx, appId, draft ? [draft] : [], parts));
}

/** Whoever was told of news may have failed as often as it may. */
export async function compactRest(ctx: Ctx): Promise<void> {
  for (const appId of await listAppsWithNews(ctx, usageLogs)) await compactApp(ctx, appId);
}

/** Merges and seals days, lets go of those that are kept no longer, and deletes files that nobody reads. */
export async function tidyParts(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now();
  const today = dayOf(now);
  for (let after = ''; ; ) {
    const found = await listAppsWithParts.first(ctx.db, { after });
    if (!found) break;
    const { appId, kept } = found;
    const before = kept === null ? EVERY_DAY : today - ctx.config.analyticsRetentionDays;
    await tx(ctx, ({ db }) => retireParts.run(db, { appId, before, now }));
    if (kept !== null) {
      await alone(ctx, appId, async (renew) => {
        await mergeDays(ctx, appId, renew);
        for (const { day } of await listDaysToSeal.all(ctx.db, { appId, before: today - OPEN_DAYS })) {
          await mergeDay(ctx, appId, day, { isSealed: true });
          await renew();
        }
      });
    }
    after = appId;
  }
  await tx(ctx, forgetCuts);
  await sweepParts(ctx, now - KEPT_OLD);
  await makeRoom(ctx);
}
