import type { Ctx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { enqueue } from '../../../jobs/index.ts';
import { SECOND, toIso } from '../../../kernel/clock.ts';
import { type Day, fileKinds, type Part, startOfDay } from '../../../telemetry/index.ts';
import { checkForgotten, listKnownForgotten } from '../deletion/forgotten.ts';
import { alone, mergeParts, stageBatches } from './compaction.ts';
import { usageLogs } from './consumer.ts';
import { filesFolder, keyOf, mendFile } from './files.ts';
import { batchesOf, listParts, publishParts, type StoredPart, storePart } from './parts.ts';
import { dayMend, withParts } from './reading.ts';

/** When somebody else works on the app. */
const LATER = 3 * SECOND;

/**
 * Makes whole what is damaged of a day: a file from the other copy of it, the extracts of a part from its logs, and logs from
 * the batches that they came in, while those are kept.
 */
export async function mendDay(ctx: Ctx, appId: string, day: Day): Promise<void> {
  const isDone = await alone(ctx, appId, async () => {
    const lost: StoredPart[] = [];
    for (const part of await listParts(ctx, appId, { from: day, to: day })) {
      const damaged = [];
      for (const kind of fileKinds) if (!(await mendFile(ctx, part, kind))) damaged.push(kind);
      if (damaged.includes('logs')) lost.push(part);
      else if (damaged.length > 0) await mergeParts(ctx, [part]);
    }
    const lostIds = new Set(lost.map(({ id }) => id));
    const intact = (await listParts(ctx, appId, { from: day, to: day })).filter(({ id }) => !lostIds.has(id));
    if (lost.length > 0) await remakeParts(ctx, { day, lost, intact });
  });
  await tx(ctx, async (ctx) => {
    if (!isDone) await enqueue(ctx, dayMend, { appId, day }, { runAt: ctx.clock.now() + LATER });
    // What came meanwhile could not be added to the day.
    else await enqueue(ctx, usageLogs.job, { appId });
  });
}

const isLost = (day: Day, parts: readonly StoredPart[]) =>
  new Error(
    `Telemetry of ${toIso(startOfDay(day)).slice(0, 10)} is lost, and the batches that it came in are kept no longer. Restore these files from a backup, then run this job again: ${parts.map((part) => keyOf(part, 'logs')).join(', ')}`,
  );

/** Parts of one day anew from the batches that their logs came in. What other parts of the day have is left out, as always. */
async function remakeParts(
  ctx: Ctx,
  { day, lost, intact }: { day: Day; lost: readonly StoredPart[]; intact: readonly StoredPart[] },
): Promise<void> {
  const [{ appId } = { appId: '' }] = lost;
  const batches = batchesOf(lost);
  if (!batches) throw isLost(day, lost);
  const folder = await filesFolder(ctx);
  const mostNames = ctx.config.analyticsEventNames;
  const begun = await listKnownForgotten(ctx, appId);
  const drafts: StoredPart[] = [];
  for (let after = batches.first - 1; after < batches.last; ) {
    const { staged: staging, to, count } = await stageBatches(ctx, appId, after, batches.last);
    const staged = await staging;
    try {
      // They are numbered without gaps, and the oldest go first.
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
    await checkForgotten(ctx, appId, begun);
  });
}
