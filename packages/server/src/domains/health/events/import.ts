import { setImmediate } from 'node:timers/promises';
import type { Ctx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { Failure } from '../../../kernel/errors.ts';
import { record } from '../../audit/index.ts';
import { type Publication, publishEvents } from './health-events.ts';

/** An event of a file, or why it cannot be one. */
export type ImportItem = {
  /** How far in the file it ends, and how long it is. */
  end: number;
  size: number;
} & ({ event: Publication } | { problem: Failure; trackingId: string | undefined });

export interface ImportFile {
  sha256: string;
  bytes: number;
  items: AsyncIterable<ImportItem>;
}

export interface ImportProgress {
  bytes: number;
  totalBytes: number;
  read: number;
  imported: number;
  replaced: number;
  unchanged: number;
  refusedCount: number;
}

export interface ImportReport extends ImportProgress {
  id: string;
  sha256: string;
  refused: { index: number; trackingId?: string; code: string; message: string }[];
}

/** Of one transaction: few enough that other writers soon have their turn, and that they fit in memory. */
const BATCH = { events: 200, bytes: 4_194_304 };
const MOST_TOLD = 1000;
/** Events between two pauses for other requests. */
const EVENTS_PER_TURN = 50;

type Waiting = Publication & { index: number };

/**
 * Publishes the events of a file, some hundred at a time. What is committed stays, whatever comes after; doing it again
 * changes nothing. The audit log says when it began and how it ended, and what was replaced one by one.
 */
export async function importEvents(
  ctx: Ctx,
  { sha256, bytes, items }: ImportFile,
  tell: (progress: ImportProgress) => void,
): Promise<ImportReport> {
  const id = ctx.newId();
  const subject = { kind: 'health_import', id } as const;
  const counts = { bytes: 0, totalBytes: bytes, read: 0, imported: 0, replaced: 0, unchanged: 0, refusedCount: 0 };
  const refused: ImportReport['refused'] = [];
  const refuse = (index: number, trackingId: string | undefined, { code, message }: Failure) => {
    counts.refusedCount += 1;
    if (refused.length < MOST_TOLD) refused.push({ index, ...(trackingId ? { trackingId } : {}), code, message });
  };

  async function publish(batch: Waiting[]): Promise<void> {
    const outcomes = await publishEvents(ctx, batch);
    for (const [at, outcome] of outcomes.entries()) {
      const { index, trackingId } = batch[at] as Waiting;
      if (outcome instanceof Failure) refuse(index, trackingId, outcome);
      else counts[outcome] += 1;
    }
    tell({ ...counts });
  }

  const recordEnd = () => {
    const { totalBytes: _, ...after } = counts;
    return tx(ctx, (ctx) => record(ctx, 'health_event.import_end', subject, { after }));
  };

  await tx(ctx, (ctx) => record(ctx, 'health_event.import', subject, { after: { sha256, bytes } }));
  try {
    let batch: Waiting[] = [];
    let held = 0;
    for await (const item of items) {
      const index = counts.read;
      counts.read += 1;
      counts.bytes = item.end;
      if ('problem' in item) refuse(index, item.trackingId, item.problem);
      else {
        batch.push({ ...item.event, index });
        held += item.size;
      }
      // Lines that are refused wait for nothing else, and a file has millions of them.
      if (counts.read % EVENTS_PER_TURN === 0) await setImmediate();
      if (batch.length < BATCH.events && held < BATCH.bytes) continue;
      await publish(batch);
      batch = [];
      held = 0;
    }
    counts.bytes = bytes;
    if (batch.length > 0) await publish(batch);
  } catch (error) {
    // Whatever ended it may also keep this from being written.
    await recordEnd().catch((err: unknown) =>
      ctx.log.error({ err, import: id }, 'the end of an import was not recorded'),
    );
    throw error;
  }
  await recordEnd();
  return { id, sha256, ...counts, refused: refused.sort((a, b) => a.index - b.index) };
}
