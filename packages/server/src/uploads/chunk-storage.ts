import { BlobTooLarge } from '../blobs/index.ts';
import type { Deps } from '../context.ts';
import { tx } from '../db/tx.ts';
import type { IncomingFile } from '../http/kinds/incoming-file.ts';
import { badRequest, conflict } from '../kernel/errors.ts';
import { countReceived } from './completed-chunks.ts';
import { createRunningSums } from './running-sums.ts';
import {
  addToChunkTotals,
  completeChunk,
  deleteChunk,
  findUploadRow,
  insertChunk,
  lastPlacedBefore,
  listCompletedAt,
  listNamedChunks,
  lockUploadRow,
  saveReceived,
} from './uploads.store.ts';
import type { UploadPiecesTable } from './uploads.tables.ts';
import { checkDiskSpace, chunkKey, placeKey, refuseUnlessOpen, tooLarge, type Upload } from './uploads.ts';

export const MAX_CHUNKS = 50_000;

/** A file or chunk that is being received. */
export type Incoming = Pick<IncomingFile, 'content' | 'received' | 'sha256'> &
  Partial<Pick<IncomingFile, 'unsummed' | 'isOwned'>>;

interface Chunk {
  name: string;
  start?: number;
  /** Exact size in bytes, if known. */
  size?: number;
}

/**
 * Checks the size. Throws for a short chunk, so that a complete one is not replaced, and for a long one, so that it
 * does not overwrite the next.
 */
async function* measured(content: AsyncIterable<Buffer>, size: number | undefined): AsyncGenerator<Buffer> {
  let received = 0;
  for await (const chunk of content) {
    received += chunk.length;
    if (size !== undefined && received > size) {
      throw badRequest(`The chunk exceeds its size of ${size} bytes.`);
    }
    yield chunk;
  }
  if (size !== undefined && received !== size) {
    throw badRequest(`The chunk has ${received} bytes instead of ${size}. Send it again.`);
  }
}

export const notOpen = () => conflict('This upload is no longer open. Start a new one.');

/** True if no other chunk has these bytes of the file. */
async function isFree({ db }: Pick<Deps, 'db'>, uploadId: string, start: number, size: number): Promise<boolean> {
  const last = await lastPlacedBefore.first(db, { uploadId, end: start + size });
  return !last || (last.start ?? 0) + (last.placed ?? 0) <= start;
}

/**
 * Adds the row of a chunk before it arrives. A chunk whose place in the file is known and free is written there
 * directly. A repeated one gets its own blob, so that concurrent reads and writes stay consistent.
 */
const reserveChunk = (ctx: Deps, upload: Upload, chunk: Chunk) =>
  tx(ctx, async ({ db, newId, blobs }) => {
    const { id: uploadId, maxBytes } = upload;
    const { name, start, size } = chunk;
    // Keeps other requests from finishing the upload meanwhile.
    const row = await lockUploadRow.first(db, { id: uploadId });
    if (row?.state !== 'open') throw notOpen();
    if (row.piece_count >= MAX_CHUNKS)
      throw badRequest(`The upload has more than ${MAX_CHUNKS} chunks. Use larger chunks.`);
    const named = await listNamedChunks.all(db, { uploadId, name });
    const remainingBytes = maxBytes - row.piece_bytes + named.reduce((sum, other) => sum + (other.size ?? 0), 0);
    if (size !== undefined && size > remainingBytes) throw tooLarge(maxBytes);
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
    await insertChunk.run(db, expected);
    await addToChunkTotals.run(db, { id: uploadId, chunks: 1, bytes: 0 });
    return { expected, replaced: named.filter((other) => other.size !== null), remainingBytes };
  });

const toChunkId = ({ upload_id, name, attempt }: UploadPiecesTable) => ({ uploadId: upload_id, name, attempt });

/** Placed bytes are overwritten by the next chunk at their position. */
async function dropChunk(ctx: Deps, chunk: UploadPiecesTable): Promise<void> {
  if (chunk.placed === null) await ctx.blobs.delete(chunkKey(chunk));
  await tx(ctx, async ({ db }) => {
    const gone = await deleteChunk.run(db, toChunkId(chunk));
    if (gone > 0) await addToChunkTotals.run(db, { id: chunk.upload_id, chunks: -1, bytes: -(chunk.size ?? 0) });
  });
}

/** Drops a chunk whose upload was finished, cancelled or swept while it arrived. */
async function dropLate(ctx: Deps, chunk: UploadPiecesTable): Promise<void> {
  if (chunk.placed === null) return ctx.blobs.delete(chunkKey(chunk));
  const id = chunk.upload_id;
  const row = await findUploadRow.first(ctx.db, { id });
  if (row?.blob_key !== placeKey(id)) await ctx.blobs.delete(placeKey(id));
}

async function writeChunk(ctx: Deps, chunk: UploadPiecesTable, file: Incoming, maxBytes: number, size?: number) {
  const options = { type: 'application/octet-stream', maxBytes, isOwned: file.isOwned === true };
  if (chunk.placed === null || !ctx.blobs.putPart) {
    await ctx.blobs.put(chunkKey(chunk), measured(file.content, size), options);
    return file.sha256();
  }
  const place = { ...options, start: chunk.start ?? 0 };
  await ctx.blobs.putPart(placeKey(chunk.upload_id), measured(file.unsummed ?? file.content, size), place);
  return null;
}

/**
 * Marks a chunk as received. Returns the number of contiguous bytes from the start of the file; undefined if the upload
 * ended meanwhile.
 */
const markChunkCompleted = (ctx: Deps, chunk: UploadPiecesTable, size: number, sha256: string | null) =>
  tx(ctx, async ({ db }) => {
    const id = chunk.upload_id;
    const row = await lockUploadRow.first(db, { id });
    const updated = await completeChunk.run(db, { ...toChunkId(chunk), size, sha256 });
    if (!row || updated === 0) return undefined;
    await addToChunkTotals.run(db, { id, chunks: 0, bytes: size });
    // A chunk with a different size may shorten the contiguous bytes, or connect to other chunks.
    const isSame = (await listCompletedAt.all(db, { uploadId: id, start: chunk.start })).every(
      (other) => other.size === size,
    );
    const received = await countReceived({ db }, isSame ? row : { id, received: null });
    if (received !== row.received) await saveReceived.run(db, { id, received });
    return received;
  });

const isOpen = async ({ db }: Deps, { id }: Upload): Promise<boolean> =>
  (await findUploadRow.first(db, { id }))?.state === 'open';

/**
 * Stores a chunk; a repeated one replaces itself. Returns the number of contiguous bytes from the start of the file.
 */
export async function storeChunk(ctx: Deps, upload: Upload, chunk: Chunk, file: Incoming): Promise<number> {
  refuseUnlessOpen(upload);
  await checkDiskSpace(ctx, chunk.size ?? 0);
  const { expected, replaced, remainingBytes } = await reserveChunk(ctx, upload, chunk);
  const sha256 = await writeChunk(ctx, expected, file, remainingBytes, chunk.size).catch(async (error) => {
    await dropChunk(ctx, expected).catch(() => undefined);
    // The upload may have ended and removed the file before it was opened.
    if (!(await isOpen(ctx, upload))) throw notOpen();
    throw error instanceof BlobTooLarge ? tooLarge(upload.maxBytes) : error;
  });
  const received = await markChunkCompleted(ctx, expected, file.received, sha256);
  if (received === undefined) {
    await dropLate(ctx, expected);
    throw notOpen();
  }
  for (const one of replaced) await dropChunk(ctx, one);
  // Hashing runs in the background. If it fails, it is repeated when the upload is finished.
  if (expected.placed !== null) sums.follow(ctx, upload.id).catch(() => sums.discard(upload.id));
  return received;
}

export const sums = createRunningSums();
