import { createHash } from 'node:crypto';
import { BlobTooLarge } from '../blobs/index.ts';
import type { Deps } from '../context.ts';
import { tx } from '../db/tx.ts';
import { type CompletePiece, completePieces } from './arrived.ts';
import { notOpen, sums } from './piece-keeping.ts';
import { findUploadRow, finishUploadRow, listPieces, lockUploadRow } from './uploads.store.ts';
import {
  dropPieces,
  fileKey,
  pieceKey,
  placeKey,
  tooLarge,
  toUpload,
  type Upload,
  type UploadedFile,
} from './uploads.ts';

/** Somebody has sent a piece again, or finished the upload, while it was read. */
class PieceGone extends Error {}

async function* concatenated(ctx: Deps, pieces: readonly CompletePiece[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    const { start, size } = piece;
    const isPlaced = piece.placed !== null && start !== null && size > 0;
    const blob = isPlaced
      ? await ctx.blobs.get(placeKey(piece.upload_id), { start, end: start + size - 1 })
      : await ctx.blobs.get(pieceKey(piece));
    if (!blob) throw new PieceGone();
    yield* blob.stream as AsyncIterable<Buffer>;
  }
}

/** Sums up what passes. */
async function* summed(content: AsyncIterable<Buffer>, sum: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    sum.update(chunk);
    yield chunk;
  }
}

interface Joined {
  key: string;
  size: number;
  sha256: string;
}

/** The file as its pieces have made it, if each is in its place and nothing else is in it. */
async function asPlaced(ctx: Deps, { id }: Upload, pieces: readonly CompletePiece[]): Promise<Joined | undefined> {
  let size = 0;
  for (const piece of pieces) {
    if (piece.placed === null || piece.start !== size) return undefined;
    size += piece.size;
  }
  const key = placeKey(id);
  if ((await ctx.blobs.stat(key))?.size !== size) return undefined;
  const sha256 = await sums.sum(ctx, id, pieces);
  if (sha256 === undefined) throw new PieceGone();
  return { key, size, sha256 };
}

async function copied(ctx: Deps, upload: Upload, pieces: readonly CompletePiece[]): Promise<Joined> {
  const sum = createHash('sha256');
  const key = fileKey(upload.id);
  const options = { type: 'application/octet-stream', maxBytes: upload.maxBytes };
  const { size } = await ctx.blobs.put(key, summed(concatenated(ctx, pieces), sum), options).catch((error) => {
    throw error instanceof BlobTooLarge ? tooLarge(upload.maxBytes) : error;
  });
  return { key, size, sha256: sum.digest('hex') };
}

async function join(ctx: Deps, upload: Upload, pieces: readonly CompletePiece[], mayStay: boolean): Promise<Joined> {
  const [first] = pieces;
  if (first && pieces.length === 1 && first.placed === null) {
    return { key: pieceKey(first), size: first.size, sha256: first.sha256 ?? '' };
  }
  return (mayStay ? await asPlaced(ctx, upload, pieces) : undefined) ?? copied(ctx, upload, pieces);
}

type Choose = (pieces: Map<string, CompletePiece>) => readonly CompletePiece[];
const finishing = new Map<string, Promise<UploadedFile>>();

/** Unless a piece of it came again meanwhile, or somebody may still write into the file, who would change it later. */
const finishAs = (ctx: Deps, upload: Upload, joined: Joined, pieces: readonly CompletePiece[]) =>
  tx(ctx, async ({ db }) => {
    const row = await lockUploadRow.first(db, { id: upload.id });
    if (row?.state !== 'open') return 'ended';
    const held = await listPieces.all(db, { uploadId: upload.id });
    const there = new Set(held.map(({ attempt }) => attempt));
    if (!pieces.every(({ attempt }) => there.has(attempt))) return 'changed';
    const isWritten = held.some(({ placed, size }) => placed !== null && size === null);
    if (isWritten && joined.key === placeKey(upload.id)) return 'written';
    await finishUploadRow.first(db, { id: upload.id, fileName: upload.fileName ?? null, ...joined });
    return 'finished';
  });

async function joinAndFinish(ctx: Deps, upload: Upload, choose: Choose): Promise<UploadedFile> {
  let mayStay = true;
  for (;;) {
    const row = await findUploadRow.first(ctx.db, { id: upload.id });
    const now = row && toUpload(row);
    if (now?.file) return now.file;
    if (now?.state !== 'open') throw notOpen();
    const pieces = choose(await completePieces(ctx, upload));
    const joined = await join(ctx, upload, pieces, mayStay).catch((error) => {
      if (error instanceof PieceGone) return undefined;
      throw error;
    });
    if (!joined) continue;
    const outcome = await finishAs(ctx, upload, joined, pieces);
    if (outcome === 'written') mayStay = false;
    if (outcome !== 'finished') continue;
    sums.forget(upload.id);
    await dropPieces(ctx, upload.id, joined.key);
  }
}

/** Once for all who ask at the same time: putting a large file together twice would be a waste. */
export function finishWith(ctx: Deps, upload: Upload, choose: Choose): Promise<UploadedFile> {
  const known = finishing.get(upload.id);
  if (known) return known;
  const made = joinAndFinish(ctx, upload, choose).finally(() => finishing.delete(upload.id));
  finishing.set(upload.id, made);
  return made;
}
