import type { Deps } from '../context.ts';
import { listChunks, listCompletedFrom } from './uploads.store.ts';
import type { UploadPiecesTable, UploadsTable } from './uploads.tables.ts';
import type { Upload } from './uploads.ts';

export type CompletedChunk = UploadPiecesTable & { size: number };

/** The last received chunk of each name. */
export const listCompletedChunks = async (
  { db }: Pick<Deps, 'db'>,
  { id }: Pick<Upload, 'id'>,
): Promise<Map<string, CompletedChunk>> =>
  new Map(
    (await listChunks.all(db, { uploadId: id }))
      .filter((chunk): chunk is CompletedChunk => chunk.size !== null)
      .map((chunk) => [chunk.name, chunk]),
  );

/** The contiguous chunks from the start of the file. */
export function walk(chunks: Map<string, CompletedChunk>): { run: CompletedChunk[]; received: number } {
  const byStart = new Map<number | null, CompletedChunk>();
  for (const chunk of chunks.values()) {
    const existing = byStart.get(chunk.start);
    if (!existing || existing.attempt < chunk.attempt) byStart.set(chunk.start, chunk);
  }
  const run: CompletedChunk[] = [];
  let received = 0;
  for (let next = byStart.get(0); next && next.size > 0; next = byStart.get(received)) {
    run.push(next);
    received += next.size;
  }
  return { run, received };
}

const MIN_BATCH_SIZE = 16;

/** The same count as `walk`, continued from the last one, so that of thousands of chunks only new ones are read. */
export async function countReceived(
  ctx: Pick<Deps, 'db'>,
  { id, received }: Pick<UploadsTable, 'id' | 'received'>,
): Promise<number> {
  if (received === null) return walk(await listCompletedChunks(ctx, { id })).received;
  let at = received;
  for (let limit = MIN_BATCH_SIZE; ; limit *= 2) {
    const rows = await listCompletedFrom.all(ctx.db, { uploadId: id, start: at, limit });
    for (const { start, size } of rows) if (start === at) at += size ?? 0;
    if (rows.length < limit || (rows.at(-1)?.start ?? at) > at) return at;
  }
}
