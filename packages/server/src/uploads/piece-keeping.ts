import { BlobTooLarge } from '../blobs/index.ts';
import type { Deps } from '../context.ts';
import { tx } from '../db/tx.ts';
import type { IncomingFile } from '../http/kinds/incoming-file.ts';
import { badRequest, conflict } from '../kernel/errors.ts';
import { countReceived } from './arrived.ts';
import { createRunningSums } from './running-sums.ts';
import {
  addPiece,
  completePiece,
  countPieces,
  deletePiece,
  findUploadRow,
  lastPlacedBefore,
  listArrivedAt,
  listNamedPieces,
  lockUploadRow,
  saveReceived,
} from './uploads.store.ts';
import type { UploadPiecesTable } from './uploads.tables.ts';
import { checkRoom, pieceKey, placeKey, refuseUnlessOpen, tooLarge, type Upload } from './uploads.ts';

export const MOST_PIECES = 50_000;

/** A file, or part of one, on its way in. */
export type Incoming = Pick<IncomingFile, 'content' | 'received' | 'sha256'> &
  Partial<Pick<IncomingFile, 'unsummed' | 'isOwned'>>;

interface Piece {
  name: string;
  start?: number;
  /** Exactly so many bytes, if that is known. */
  size?: number;
}

/** What arrives short is not put, so that a piece which was whole stays; nothing is written over what comes after it. */
async function* measured(content: AsyncIterable<Buffer>, size: number | undefined): AsyncGenerator<Buffer> {
  let received = 0;
  for await (const chunk of content) {
    received += chunk.length;
    if (size !== undefined && received > size) {
      throw badRequest(`This part of the file has more than ${size} bytes; it must have ${size}.`);
    }
    yield chunk;
  }
  if (size !== undefined && received !== size) {
    throw badRequest(`This part of the file has ${received} bytes; it must have ${size}.`);
  }
}

export const notOpen = () => conflict('This upload is no longer open; begin a new one.');

/** Whether nobody has written, or writes, the bytes that it is to have in the file. */
async function isFree({ db }: Pick<Deps, 'db'>, uploadId: string, start: number, size: number): Promise<boolean> {
  const last = await lastPlacedBefore.first(db, { uploadId, end: start + size });
  return !last || (last.start ?? 0) + (last.placed ?? 0) <= start;
}

/**
 * Writes down that a piece is to come. One whose place in the file is known and free is written there at once; one that comes
 * again gets a blob of its own, so that what is read, or still written, at the same time stays as it is.
 */
const expectPiece = (ctx: Deps, upload: Upload, piece: Piece) =>
  tx(ctx, async ({ db, newId, blobs }) => {
    const { id: uploadId, maxBytes } = upload;
    const { name, start, size } = piece;
    // Nobody finishes it in between.
    const row = await lockUploadRow.first(db, { id: uploadId });
    if (row?.state !== 'open') throw notOpen();
    if (row.piece_count >= MOST_PIECES) throw badRequest(`A file may come in ${MOST_PIECES} parts at most.`);
    const named = await listNamedPieces.all(db, { uploadId, name });
    const room = maxBytes - row.piece_bytes + named.reduce((sum, other) => sum + (other.size ?? 0), 0);
    if (size !== undefined && size > room) throw tooLarge(maxBytes);
    const mayBePlaced = blobs.putPart !== undefined && start !== undefined && size !== undefined;
    const expected: UploadPiecesTable = {
      upload_id: uploadId,
      name,
      attempt: newId(),
      start: start ?? null,
      size: null,
      sha256: null,
      placed: mayBePlaced && (await isFree({ db }, uploadId, start, size)) ? size : null,
    };
    await addPiece.run(db, expected);
    await countPieces.run(db, { id: uploadId, pieces: 1, bytes: 0 });
    return { expected, former: named.filter((other) => other.size !== null), room };
  });

const whichOf = ({ upload_id, name, attempt }: UploadPiecesTable) => ({ uploadId: upload_id, name, attempt });

/** Bytes in the file are overwritten by whoever gets their place next. */
async function dropPiece(ctx: Deps, piece: UploadPiecesTable): Promise<void> {
  if (piece.placed === null) await ctx.blobs.delete(pieceKey(piece));
  await tx(ctx, async ({ db }) => {
    const gone = await deletePiece.run(db, whichOf(piece));
    if (gone > 0) await countPieces.run(db, { id: piece.upload_id, pieces: -1, bytes: -(piece.size ?? 0) });
  });
}

/** Finished, cancelled or swept while it arrived. */
async function dropLate(ctx: Deps, piece: UploadPiecesTable): Promise<void> {
  if (piece.placed === null) return ctx.blobs.delete(pieceKey(piece));
  const id = piece.upload_id;
  const row = await findUploadRow.first(ctx.db, { id });
  if (row?.blob_key !== placeKey(id)) await ctx.blobs.delete(placeKey(id));
}

async function storePiece(ctx: Deps, piece: UploadPiecesTable, file: Incoming, maxBytes: number, size?: number) {
  const options = { type: 'application/octet-stream', maxBytes, isOwned: file.isOwned === true };
  if (piece.placed === null || !ctx.blobs.putPart) {
    await ctx.blobs.put(pieceKey(piece), measured(file.content, size), options);
    return file.sha256();
  }
  const place = { ...options, start: piece.start ?? 0 };
  await ctx.blobs.putPart(placeKey(piece.upload_id), measured(file.unsummed ?? file.content, size), place);
  return null;
}

/** It has arrived. How much there is from the beginning without a gap; nothing if the upload ended meanwhile. */
const arrivePiece = (ctx: Deps, piece: UploadPiecesTable, size: number, sha256: string | null) =>
  tx(ctx, async ({ db }) => {
    const id = piece.upload_id;
    const row = await lockUploadRow.first(db, { id });
    const kept = await completePiece.run(db, { ...whichOf(piece), size, sha256 });
    if (!row || kept === 0) return undefined;
    await countPieces.run(db, { id, pieces: 0, bytes: size });
    // One of another size may end the run earlier, or lead on to other pieces.
    const isSame = (await listArrivedAt.all(db, { uploadId: id, start: piece.start })).every(
      (other) => other.size === size,
    );
    const received = await countReceived({ db }, isSame ? row : { id, received: null });
    if (received !== row.received) await saveReceived.run(db, { id, received });
    return received;
  });

const isOpen = async ({ db }: Deps, { id }: Upload): Promise<boolean> =>
  (await findUploadRow.first(db, { id }))?.state === 'open';

/** Keeps a piece; one that comes again replaces itself. How much there is from the beginning without a gap. */
export async function keepPiece(ctx: Deps, upload: Upload, piece: Piece, file: Incoming): Promise<number> {
  refuseUnlessOpen(upload);
  await checkRoom(ctx, piece.size ?? 0);
  const { expected, former, room } = await expectPiece(ctx, upload, piece);
  const sha256 = await storePiece(ctx, expected, file, room, piece.size).catch(async (error) => {
    await dropPiece(ctx, expected).catch(() => undefined);
    // Its file may have gone before it was opened.
    if (!(await isOpen(ctx, upload))) throw notOpen();
    throw error instanceof BlobTooLarge ? tooLarge(upload.maxBytes) : error;
  });
  const received = await arrivePiece(ctx, expected, file.received, sha256);
  if (received === undefined) {
    await dropLate(ctx, expected);
    throw notOpen();
  }
  for (const one of former) await dropPiece(ctx, one);
  // Beside what else arrives: nobody waits for it, and what goes wrong is done again when the file is finished.
  if (expected.placed !== null) sums.follow(ctx, upload.id).catch(() => sums.forget(upload.id));
  return received;
}

export const sums = createRunningSums();
