import type { Deps } from '../context.ts';
import { listArrivedFrom, listPieces } from './uploads.store.ts';
import type { UploadPiecesTable, UploadsTable } from './uploads.tables.ts';
import type { Upload } from './uploads.ts';

export type CompletePiece = UploadPiecesTable & { size: number };

/** By name, the last of each that has arrived. */
export const completePieces = async (
  { db }: Pick<Deps, 'db'>,
  { id }: Pick<Upload, 'id'>,
): Promise<Map<string, CompletePiece>> =>
  new Map(
    (await listPieces.all(db, { uploadId: id }))
      .filter((piece): piece is CompletePiece => piece.size !== null)
      .map((piece) => [piece.name, piece]),
  );

/** What has arrived from the beginning without a gap. */
export function walk(pieces: Map<string, CompletePiece>): { run: CompletePiece[]; received: number } {
  const byStart = new Map<number | null, CompletePiece>();
  for (const piece of pieces.values()) {
    const known = byStart.get(piece.start);
    if (!known || known.attempt < piece.attempt) byStart.set(piece.start, piece);
  }
  const run: CompletePiece[] = [];
  let received = 0;
  for (let next = byStart.get(0); next && next.size > 0; next = byStart.get(received)) {
    run.push(next);
    received += next.size;
  }
  return { run, received };
}

const FEWEST = 16;

/** As `walk` counts it, but on from where it was counted to: of thousands of pieces only those that are new are read. */
export async function countReceived(
  ctx: Pick<Deps, 'db'>,
  { id, received }: Pick<UploadsTable, 'id' | 'received'>,
): Promise<number> {
  if (received === null) return walk(await completePieces(ctx, { id })).received;
  let at = received;
  for (let limit = FEWEST; ; limit *= 2) {
    const rows = await listArrivedFrom.all(ctx.db, { uploadId: id, start: at, limit });
    for (const { start, size } of rows) if (start === at) at += size ?? 0;
    if (rows.length < limit || (rows.at(-1)?.start ?? at) > at) return at;
  }
}
