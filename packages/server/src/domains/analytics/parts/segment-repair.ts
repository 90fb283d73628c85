import type { Ctx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { enqueue } from '../../../jobs/index.ts';
import { SECOND, toIso } from '../../../kernel/clock.ts';
import { type Day, fileKinds, getDayStart, type Part } from '../../../telemetry/index.ts';
import { checkErasures, listKnownErasures } from '../deletion/erasures.ts';
import { alone, mergeParts, stageBatches } from './compaction.ts';
import { usageLogs } from './consumer.ts';
import { filesFolder, repairFile, toBlobKey } from './files.ts';
import { getBatchRange, listParts, publishParts, type StoredPart, storePart } from './parts.ts';
import { dayRebuild, withParts } from './reading.ts';

/** Delay until the next attempt if another process has the lease. */
const LATER = 3 * SECOND;

/**
 * Repairs a day: files from their other copy, extracts of a segment from its logs, and logs from their batches if these are
 * still stored.
 */
export async function rebuildDay(ctx: Ctx, appId: string, day: Day): Promise<void> {
  const isDone = await alone(ctx, appId, async () => {
    const lost: StoredPart[] = [];
    for (const part of await listParts(ctx, appId, { from: day, to: day })) {
      const damaged = [];
      for (const kind of fileKinds) if (!(await repairFile(ctx, part, kind))) damaged.push(kind);
      if (damaged.includes('logs')) lost.push(part);
      else if (damaged.length > 0) await mergeParts(ctx, [part]);
    }
    const lostIds = new Set(lost.map(({ id }) => id));
    const intact = (await listParts(ctx, appId, { from: day, to: day })).filter(({ id }) => !lostIds.has(id));
    if (lost.length > 0) await remakeParts(ctx, { day, lost, intact });
  });
  await tx(ctx, async (ctx) => {
    if (!isDone) await enqueue(ctx, dayRebuild, { appId, day }, { runAt: ctx.clock.now() + LATER });
    // Logs that arrived in the meantime could not be added to this day.
    else await enqueue(ctx, usageLogs.job, { appId });
  });
}

const isLost = (day: Day, parts: readonly StoredPart[]) =>
  new Error(
    `Telemetry of ${toIso(getDayStart(day)).slice(0, 10)} is lost: its batches are no longer stored. Restore these files from a backup, then retry this job: ${parts.map((part) => toBlobKey(part, 'logs')).join(', ')}`,
  );

/** Rebuilds segments of a day from their batches. Omits logs that other segments of the day contain. */
async function remakeParts(
  ctx: Ctx,
  { day, lost, intact }: { day: Day; lost: readonly StoredPart[]; intact: readonly StoredPart[] },
): Promise<void> {
  const [{ appId } = { appId: '' }] = lost;
  const batches = getBatchRange(lost);
  if (!batches) throw isLost(day, lost);
  const folder = await filesFolder(ctx);
  const mostNames = ctx.config.analyticsEventNames;
  const begun = await listKnownErasures(ctx, appId);
  const drafts: StoredPart[] = [];
  for (let after = batches.first - 1; after < batches.last; ) {
    const { staged: staging, to, count } = await stageBatches(ctx, appId, after, batches.last);
    const staged = await staging;
    try {
      // Batch numbers have no gaps, and the oldest are deleted first.
      if (to === after || count < to - after) throw isLost(day, lost);
      const write = async (existing: readonly Part[]) => staged?.write(day, existing, folder, { mostNames });
      const written = await withParts(ctx, [...intact, ...drafts], ['logs'], write);
      const made = { first: after + 1, last: to };
      if (written) drafts.push(await storePart(ctx, appId, written, { batches: made }));
    } finally {
      await staged?.release();
    }
    after = to;
  }
  await tx(ctx, async (ctx) => {
    await publishParts(ctx, appId, drafts, lost);
    await checkErasures(ctx, appId, begun);
  });
}
