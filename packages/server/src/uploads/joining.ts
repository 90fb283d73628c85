import { createHash } from 'node:crypto';
import { BlobTooLarge } from '../blobs/index.ts';
import type { Deps } from '../context.ts';
import { tx } from '../db/tx.ts';
import { notOpen, sums } from './chunk-storage.ts';
import { type CompletedChunk, listCompletedChunks } from './completed-chunks.ts';
import { findUploadRow, finishUploadRow, listChunks, lockUploadRow } from './uploads.store.ts';
import {
  chunkKey,
  dropChunks,
  fileKey,
  placeKey,
  tooLarge,
  toUpload,
  type Upload,
  type UploadedFile,
} from './uploads.ts';

/** A chunk was replaced, or the upload finished, while its content was read. */
class ChunkMissing extends Error {}

async function* concatenated(ctx: Deps, chunks: readonly CompletedChunk[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) {
    const { start, size } = chunk;
    const isPlaced = chunk.placed !== null && start !== null && size > 0;
    const blob = isPlaced
      ? await ctx.blobs.get(placeKey(chunk.upload_id), { start, end: start + size - 1 })
      : await ctx.blobs.get(chunkKey(chunk));
    if (!blob) throw new ChunkMissing();
    yield* blob.stream as AsyncIterable<Buffer>;
  }
}

/** Hashes the content that passes through. */
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

/** The placed file, if it consists of exactly these chunks. */
async function asPlaced(ctx: Deps, { id }: Upload, chunks: readonly CompletedChunk[]): Promise<Joined | undefined> {
  let size = 0;
  for (const chunk of chunks) {
    if (chunk.placed === null || chunk.start !== size) return undefined;
    size += chunk.size;
  }
  const key = placeKey(id);
  if ((await ctx.blobs.stat(key))?.size !== size) return undefined;
  const sha256 = await sums.sum(ctx, id, chunks);
  if (sha256 === undefined) throw new ChunkMissing();
  return { key, size, sha256 };
}

async function copied(ctx: Deps, upload: Upload, chunks: readonly CompletedChunk[]): Promise<Joined> {
  const sum = createHash('sha256');
  const key = fileKey(upload.id);
  const options = { type: 'application/octet-stream', maxBytes: upload.maxBytes };
  const { size } = await ctx.blobs.put(key, summed(concatenated(ctx, chunks), sum), options).catch((error) => {
    throw error instanceof BlobTooLarge ? tooLarge(upload.maxBytes) : error;
  });
  return { key, size, sha256: sum.digest('hex') };
}

async function join(ctx: Deps, upload: Upload, chunks: readonly CompletedChunk[], mayStay: boolean): Promise<Joined> {
  const [first] = chunks;
  if (first && chunks.length === 1 && first.placed === null) {
    return { key: chunkKey(first), size: first.size, sha256: first.sha256 ?? '' };
  }
  return (mayStay ? await asPlaced(ctx, upload, chunks) : undefined) ?? copied(ctx, upload, chunks);
}

type Choose = (chunks: Map<string, CompletedChunk>) => readonly CompletedChunk[];
const finishing = new Map<string, Promise<UploadedFile>>();

/** Finishes the upload, unless a chunk was replaced meanwhile, or a request may still write to the placed file. */
const finishAs = (ctx: Deps, upload: Upload, joined: Joined, chunks: readonly CompletedChunk[]) =>
  tx(ctx, async ({ db }) => {
    const row = await lockUploadRow.first(db, { id: upload.id });
    if (row?.state !== 'open') return 'ended';
    const held = await listChunks.all(db, { uploadId: upload.id });
    const there = new Set(held.map(({ attempt }) => attempt));
    if (!chunks.every(({ attempt }) => there.has(attempt))) return 'changed';
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
    const chunks = choose(await listCompletedChunks(ctx, upload));
    const joined = await join(ctx, upload, chunks, mayStay).catch((error) => {
      if (error instanceof ChunkMissing) return undefined;
      throw error;
    });
    if (!joined) continue;
    const outcome = await finishAs(ctx, upload, joined, chunks);
    if (outcome === 'written') mayStay = false;
    if (outcome !== 'finished') continue;
    sums.discard(upload.id);
    await dropChunks(ctx, upload.id, joined.key);
  }
}

/** Concurrent callers share the work, because joining a large file twice would be a waste. */
export function finishWith(ctx: Deps, upload: Upload, choose: Choose): Promise<UploadedFile> {
  const running = finishing.get(upload.id);
  if (running) return running;
  const made = joinAndFinish(ctx, upload, choose).finally(() => finishing.delete(upload.id));
  finishing.set(upload.id, made);
  return made;
}
