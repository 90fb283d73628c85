import { createHash } from 'node:crypto';
import { compose, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { SYMBOL_CHUNK_BYTES } from '@mooring/contract';
import { BlobTooLarge } from '../../../blobs/index.ts';
import type { Ctx, Deps } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { HOUR } from '../../../kernel/clock.ts';
import { badRequest, Failure, tooManyRequests, unavailable } from '../../../kernel/errors.ts';
import { getFreeBytes } from '../../../uploads/index.ts';
import type { OwnerAppsCtx } from '../../apps/index.ts';
import {
  completeChunk,
  deleteChunk,
  insertChunk,
  listChunks,
  listExpiredChunks,
  sumChunkSizes,
} from './chunks.store.ts';

/**
 * The user who sent a chunk, or the app of an app token. Others cannot assemble it, because a checksum would otherwise be
 * enough to get a file of another app.
 */
export interface ChunkHolder {
  ownerId: string;
  holderId: string;
}

export const getChunkHolder = (ownerId: string, actor: OwnerAppsCtx['actor']): ChunkHolder => ({
  ownerId,
  holderId: actor.kind === 'user' ? actor.user.id : actor.appId,
});

export const chunkKey = ({ ownerId, holderId }: ChunkHolder, sha1: string): string =>
  `symbols/chunks/${createHash('sha256')
    .update(JSON.stringify([ownerId, holderId, sha1]))
    .digest('hex')}`;

/** Chunks of one owner that are not assembled yet, in files of the maximum size. */
const MAX_PENDING_FILES = 4;

/** A chunk that is being received. */
export interface SentChunk {
  /** The SHA-1 of its content. */
  name: string;
  isCompressed: boolean;
  content: AsyncIterable<Buffer>;
}

/** Content of a chunk; throws at its end if the content is not the promised one, so that nothing is stored. */
async function* verified(content: AsyncIterable<Buffer>, sha1: string, onSize: (size: number) => void) {
  const sum = createHash('sha1');
  let size = 0;
  for await (const part of content) {
    size += part.length;
    if (size > SYMBOL_CHUNK_BYTES) {
      throw new Failure('PayloadTooLarge', `The chunk ${sha1} exceeds the limit of ${SYMBOL_CHUNK_BYTES} bytes.`);
    }
    sum.update(part);
    yield part;
  }
  const found = sum.digest('hex');
  if (found !== sha1) {
    throw badRequest(`The chunk ${sha1} has the SHA-1 ${found}. Its name must be the SHA-1 of its inflated content.`);
  }
  onSize(size);
}

async function* inflated(content: AsyncIterable<Buffer>, sha1: string): AsyncGenerator<Buffer> {
  const source = Readable.from(content, { objectMode: false });
  try {
    yield* compose(source, createGunzip()) as AsyncIterable<Buffer>;
  } catch (error) {
    if (error instanceof Failure || !String((error as { code?: string }).code).startsWith('Z_')) throw error;
    throw badRequest(`The chunk ${sha1} is not valid gzip. Send it in the field "file" if it is not compressed.`);
  }
}

async function discard(content: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of content);
}

async function storeChunk(ctx: Ctx, holder: ChunkHolder, { name: sha1, isCompressed, content }: SentChunk) {
  const { db, clock, config, blobs } = ctx;
  const now = clock.now();
  const [known] = await listChunks.all(db, { ...holder, sha1s: JSON.stringify([sha1]), now });
  // The row comes first, so that the sweep finds a blob whose request broke off.
  await tx(ctx, ({ db }) =>
    insertChunk.run(db, {
      owner_id: holder.ownerId,
      holder_id: holder.holderId,
      sha1,
      size: known?.size ?? null,
      expires_at: now + config.uploadHours * HOUR,
    }),
  );
  if (known) return discard(content);
  let size = 0;
  const plain = isCompressed ? inflated(content, sha1) : content;
  const stored = verified(plain, sha1, (found) => {
    size = found;
  });
  await blobs
    .put(chunkKey(holder, sha1), stored, { type: 'application/octet-stream', maxBytes: SYMBOL_CHUNK_BYTES })
    .catch((error) => {
      throw error instanceof BlobTooLarge
        ? new Failure('PayloadTooLarge', `The chunk ${sha1} exceeds the limit of ${SYMBOL_CHUNK_BYTES} bytes.`)
        : error;
    });
  await tx(ctx, ({ db }) => completeChunk.run(db, { ...holder, sha1, size }));
}

/** Stores the chunks of one request, one after the other. */
export async function receiveChunks(ctx: OwnerAppsCtx, chunks: AsyncIterable<SentChunk>): Promise<void> {
  const holder = getChunkHolder(ctx.owner.id, ctx.actor);
  const { sum } = (await sumChunkSizes.first(ctx.db, holder)) ?? {};
  const maxPending = ctx.config.uploadLimitMb * 2 ** 20 * MAX_PENDING_FILES;
  if (Number(sum ?? 0) > maxPending) {
    const message = `${ctx.owner.name} has more than ${maxPending} bytes of chunks that were not assembled. Assemble them, or wait until they expire.`;
    throw tooManyRequests(message, HOUR / 1000);
  }
  for await (const chunk of chunks) {
    if (!/^[0-9a-f]{40}$/.test(chunk.name)) {
      throw badRequest('The name of each file must be the SHA-1 of the chunk: 40 lower-case hexadecimal digits.');
    }
    if ((await getFreeBytes(ctx)) < SYMBOL_CHUNK_BYTES) {
      throw unavailable(
        "The server's disk has no space for this file. Ask an administrator to free space, then retry.",
      );
    }
    await storeChunk(ctx, holder, chunk);
  }
}

const BATCH = 1000;

/** Sizes of the chunks that have arrived. */
export async function findChunks(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  holder: ChunkHolder,
  sha1s: readonly string[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (let at = 0; at < sha1s.length; at += BATCH) {
    const some = JSON.stringify(sha1s.slice(at, at + BATCH));
    for (const { sha1, size } of await listChunks.all(db, { ...holder, sha1s: some, now: clock.now() }))
      found.set(sha1, Number(size));
  }
  return found;
}

/** Deletes expired chunks. Blobs first: after a crash, rows are found again, blobs would not be. */
export async function sweepChunks(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now();
  for (;;) {
    const rows = await listExpiredChunks.all(ctx.db, { now, limit: BATCH });
    for (const { owner_id: ownerId, holder_id: holderId, sha1 } of rows) {
      await ctx.blobs.delete(chunkKey({ ownerId, holderId }, sha1));
      await tx(ctx, ({ db }) => deleteChunk.run(db, { ownerId, holderId, sha1, now }));
    }
    if (rows.length < BATCH) return;
  }
}
