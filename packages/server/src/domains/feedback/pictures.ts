import { buffer } from 'node:stream/consumers';
import { feedbackPictures } from '@mooring/contract';
import { type AppCtx, type Ctx, workOwner } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { cancelJob, defineJob, enqueue } from '../../jobs/index.ts';
import { HOUR } from '../../kernel/clock.ts';
import { createFairPool } from '../../kernel/concurrency/fair-pool.ts';
import { randomBase62 } from '../../kernel/crypto/crypto.ts';
import { badRequest, Failure, notFound } from '../../kernel/errors.ts';
import { runInProcess } from '../../workers/one-process.ts';
import { Unreadable } from '../../workers/unreadable.ts';
import type { AppRef } from '../apps/index.ts';
import { imageTypes, readImage } from '../avatars/index.ts';
import { storageLeft } from '../usage/index.ts';
import { findFeedback } from './feedback.store.ts';
import type { FeedbackPicturesTable } from './feedback.tables.ts';
import { countPictures, findPicture, insertPicture, listPictures, updatePicture } from './pictures.store.ts';
import { MAX_PIXELS, type Redrawn } from './redraw-picture.ts';

/** A picture as it was sent. */
export interface SentPicture {
  /** Identifies it within its message. */
  sentId: string;
  bytes: Uint8Array;
}

/** A stored picture that no row refers to yet, or why it was not stored. */
export interface StoredPicture extends Pick<FeedbackPicturesTable, 'note' | 'type' | 'size'> {
  sentId: string;
  key: string;
  discardJob: string | undefined;
}

export const pictureRedraw = defineJob<{ id: string; key: string }>('feedback_picture.redraw', { maxAttempts: 5 });
export const picturesDiscard = defineJob<{ keys: string[] }>('feedback_picture.discard');

const NO_SPACE = "The owner's storage quota is used up.";

/** Refuses files that are no pictures, or far too large, by their first bytes. The content is checked when it is drawn. */
export function checkPictures(files: readonly { bytes: Uint8Array }[]): void {
  for (const { bytes } of files) {
    const image = readImage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    if (!image) throw new Failure('UnsupportedMediaType', 'Pictures must be PNG, JPEG, GIF or WebP.');
    if (image.width * image.height > MAX_PIXELS) {
      throw badRequest(`A picture has more than ${MAX_PIXELS} pixels. Send a smaller one.`);
    }
  }
}

/**
 * Stores pictures before the transaction that will refer to them. First enqueues a job that deletes each in an hour;
 * `claimPictures` cancels it.
 */
export async function storePictures(ctx: Ctx, app: AppRef, pictures: readonly SentPicture[]): Promise<StoredPicture[]> {
  let left = pictures.length === 0 ? 0 : await storageLeft({ ...ctx, app });
  const stored: StoredPicture[] = [];
  for (const { sentId, bytes } of pictures) {
    const image = readImage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    const type = image ? imageTypes[image.kind] : 'application/octet-stream';
    if (left <= 0) {
      stored.push({ sentId, key: '', type, size: 0, note: NO_SPACE, discardJob: undefined });
      continue;
    }
    left -= bytes.length;
    const key = `feedback-pictures/${app.id}/${randomBase62(32)}`;
    const runAt = ctx.clock.now() + HOUR;
    const discardJob = await tx(ctx, (ctx) => enqueue(ctx, picturesDiscard, { keys: [key] }, { runAt }));
    await ctx.blobs.put(key, [bytes], { type, maxBytes: feedbackPictures.maxBytes });
    stored.push({ sentId, key, type, size: bytes.length, note: '', discardJob });
  }
  return stored;
}

/** Adds stored pictures to feedback, in its transaction. Those beyond the limit and repeated ones are deleted later. */
export async function claimPictures(
  ctx: Ctx,
  { appId, feedbackId }: { appId: string; feedbackId: string },
  pictures: readonly StoredPicture[],
): Promise<void> {
  let count = Number((await countPictures.first(ctx.db, { feedbackId }))?.count ?? 0);
  for (const { sentId, key, type, size, note, discardJob } of pictures) {
    if (count >= feedbackPictures.maxFiles) return;
    if (discardJob !== undefined && !(await cancelJob(ctx, discardJob))) continue;
    const added = await insertPicture.first(ctx.db, {
      id: ctx.newId(),
      app_id: appId,
      feedback_id: feedbackId,
      sent_id: sentId,
      state: key === '' ? 'refused' : 'waiting',
      note,
      blob_key: key,
      type,
      width: 0,
      height: 0,
      size,
      created_at: ctx.clock.now(),
    });
    if (key === '') continue;
    if (!added) {
      await enqueue(ctx, picturesDiscard, { keys: [key] });
      continue;
    }
    count += 1;
    await enqueue(ctx, pictureRedraw, { id: added.id, key });
  }
}

const drawnKey = (key: string): string => `${key}.drawn`;

/** Each process that draws takes up to 400 MiB. */
const pool = createFairPool({ slots: 1 });
const module = new URL('./redraw-picture.ts', import.meta.url);
const limits = { seconds: 30, memoryMb: 400 };

/** Draws a picture again, so that nothing but its pixels remains. */
export async function drawPicture(ctx: Ctx, key: string): Promise<Redrawn> {
  const blob = await ctx.blobs.get(key);
  if (!blob) throw new Unreadable('The picture no longer exists.');
  const bytes = await buffer(blob.stream);
  return pool(workOwner(ctx), () =>
    runInProcess<Redrawn>(module, { bytes }, limits).catch((error: unknown) => {
      if (error instanceof Unreadable) throw error;
      ctx.log.error({ err: error, picture: key }, 'failed to draw a picture');
      throw new Unreadable('The picture could not be read.');
    }),
  );
}

/** Replaces a picture by one that the server drew, and deletes the one that was sent. */
export async function redrawPicture(ctx: Ctx, { id, key }: { id: string; key: string }): Promise<void> {
  const row = await findPicture.first(ctx.db, { id });
  if (row?.state === 'waiting') {
    const change = await drawPicture(ctx, key).then(
      async ({ type, bytes, width, height }) => {
        await ctx.blobs.put(drawnKey(key), [bytes], { type, maxBytes: 64 * 1024 * 1024 });
        return { state: 'ready' as const, blob_key: drawnKey(key), type, width, height, size: bytes.length };
      },
      (error: unknown) => {
        if (!(error instanceof Unreadable)) throw error;
        return { state: 'refused' as const, note: error.message, blob_key: '', size: 0 };
      },
    );
    await tx(ctx, ({ db }) => updatePicture.run(db, { id, ...change }));
  }
  const now = await findPicture.first(ctx.db, { id });
  // The feedback may have been deleted meanwhile.
  if (!now) await ctx.blobs.delete(drawnKey(key));
  await ctx.blobs.delete(key);
}

/** Deletes the files of pictures after the transaction that deletes their rows. */
export async function discardPictures(ctx: Ctx, feedbackId: string): Promise<void> {
  const keys = (await listPictures.all(ctx.db, { feedbackId })).flatMap(({ blob_key }) => blob_key || []);
  if (keys.length > 0) await enqueue(ctx, picturesDiscard, { keys });
}

export async function deletePictureBlobs({ blobs }: Pick<Ctx, 'blobs'>, { keys }: { keys: string[] }): Promise<void> {
  for (const key of keys) await blobs.delete(key);
}

/** A picture that was drawn again; others are never served. */
export async function getPicture(ctx: AppCtx, feedbackId: string, id: string): Promise<{ key: string; type: string }> {
  const feedback = await findFeedback.first(ctx.db, { appId: ctx.app.id, id: feedbackId });
  const picture = feedback && (await findPicture.first(ctx.db, { id }));
  if (picture?.feedback_id !== feedback?.id || picture?.state !== 'ready') throw notFound('picture', id);
  return { key: picture.blob_key, type: picture.type };
}
