import { setImmediate } from 'node:timers/promises';
import type { Ctx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { Failure } from '../../../kernel/errors.ts';
import { record } from '../../audit/index.ts';
import { type Publication, publishEvents } from './health-events.ts';

/** An event in a file, or why it cannot be read. */
export type ImportItem = {
  /** Offset of its end in the file, and its length. */
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

/** Limits of one transaction: few enough events that other writers do not wait long, and that they fit in memory. */
const BATCH = { events: 200, bytes: 4_194_304 };
const MAX_REPORTED = 1000;
/** Events between two pauses for other requests. */
const EVENTS_PER_TURN = 50;

type Waiting = Publication & { index: number };

/**
 * Publishes the events of a file in batches. Committed batches stay even if the import fails later; importing a file again
 * changes nothing. The audit log records the start and end of the import, and each replaced event.
 */
export async function importEvents(
  ctx: Ctx,
  { sha256, bytes, items }: ImportFile,
  report: (progress: ImportProgress) => void,
): Promise<ImportReport> {
  const id = ctx.newId();
  const subject = { kind: 'health_import', id } as const;
  const counts = { bytes: 0, totalBytes: bytes, read: 0, imported: 0, replaced: 0, unchanged: 0, refusedCount: 0 };
  const refused: ImportReport['refused'] = [];
  const refuse = (index: number, trackingId: string | undefined, { code, message }: Failure) => {
    counts.refusedCount += 1;
    if (refused.length < MAX_REPORTED) refused.push({ index, ...(trackingId ? { trackingId } : {}), code, message });
  };

  async function publish(batch: Waiting[]): Promise<void> {
    const outcomes = await publishEvents(ctx, batch);
    for (const [at, outcome] of outcomes.entries()) {
      const { index, trackingId } = batch[at] as Waiting;
      if (outcome instanceof Failure) refuse(index, trackingId, outcome);
      else counts[outcome] += 1;
    }
    report({ ...counts });
  }

  const recordEnd = () => {
    const { totalBytes: _, ...after } = counts;
    return tx(ctx, (ctx) => record(ctx, 'health_event.import_end', subject, { after }));
  };

  await tx(ctx, (ctx) => record(ctx, 'health_event.import', subject, { after: { sha256, bytes } }));
  try {
    let batch: Waiting[] = [];
    let pendingBytes = 0;
    for await (const item of items) {
      const index = counts.read;
      counts.read += 1;
      counts.bytes = item.end;
      if ('problem' in item) refuse(index, item.trackingId, item.problem);
      else {
        batch.push({ ...item.event, index });
        pendingBytes += item.size;
      }
      // Refused lines never wait for the database, and a file may have millions of them.
      if (counts.read % EVENTS_PER_TURN === 0) await setImmediate();
      if (batch.length < BATCH.events && pendingBytes < BATCH.bytes) continue;
      await publish(batch);
      batch = [];
      pendingBytes = 0;
    }
    counts.bytes = bytes;
    if (batch.length > 0) await publish(batch);
  } catch (error) {
    // The failure of the import may also prevent this write.
    await recordEnd().catch((err: unknown) =>
      ctx.log.error({ err, import: id }, 'failed to record the end of an import'),
    );
    throw error;
  }
  await recordEnd();
  return { id, sha256, ...counts, refused: refused.sort((a, b) => a.index - b.index) };
}
