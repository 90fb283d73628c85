import { AVATAR_MAX_PIXELS, avatarUpload } from '@mooring/contract';
import type { Ctx, Deps } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { cancelJob, defineJob, enqueue } from '../../jobs/index.ts';
import { HOUR } from '../../kernel/clock.ts';
import { randomBase62 } from '../../kernel/crypto/crypto.ts';
import { badRequest, Failure, unavailable } from '../../kernel/errors.ts';
import { getResponseUrl } from '../../kernel/response-url.ts';
import { type ImageKind, imageTypes, readImage } from './images.ts';

/** An uploaded file: its bytes and declared type. */
export interface ImageFile {
  type: string;
  bytes: Buffer;
}

/** A stored image that no row refers to yet. */
export interface StoredAvatar {
  /** Value for columns with an avatar URL: a path on this server. */
  path: string;
  discardJob: string;
}

export const avatarDiscard = defineJob<{ key: string }>('avatar.discard');

/** Types without meaning, which clients send by default. */
const noClaim = ['', 'application/octet-stream', 'text/plain'];
const aliases: Record<string, string> = { 'image/jpg': 'image/jpeg', 'image/pjpeg': 'image/jpeg' };

function checkImage({ type, bytes }: ImageFile): ImageKind {
  const image = readImage(bytes);
  if (!image) throw new Failure('UnsupportedMediaType', 'The avatar must be a PNG, JPEG, GIF or WebP image.');
  const actual = imageTypes[image.kind];
  const claimed = aliases[type] ?? type;
  if (claimed !== actual && !noClaim.includes(claimed)) {
    throw badRequest(`The avatar was sent as ${type}, but its content is ${actual}. Send the matching content type.`);
  }
  if (Math.max(image.width, image.height) > AVATAR_MAX_PIXELS) {
    const limit = `${AVATAR_MAX_PIXELS} × ${AVATAR_MAX_PIXELS}`;
    throw badRequest(`The avatar has ${image.width} × ${image.height} pixels (max ${limit}). Send a smaller image.`);
  }
  return image.kind;
}

/**
 * Stores an image before the transaction that will refer to it. First enqueues a job that deletes the image in an hour;
 * `claimAvatar` cancels the job. So no unused image remains, even after a crash in between.
 */
export async function storeAvatar(ctx: Ctx, file: ImageFile): Promise<StoredAvatar> {
  const kind = checkImage(file);
  const key = `avatars/${randomBase62(32)}.${kind}`;
  const runAt = ctx.clock.now() + HOUR;
  const discardJob = await tx(ctx, (ctx) => enqueue(ctx, avatarDiscard, { key }, { runAt }));
  await ctx.blobs.put(key, [file.bytes], { type: imageTypes[kind], maxBytes: avatarUpload.maxBytes });
  return { path: `/${key}`, discardJob };
}

/** Call in the transaction that refers to the stored image. */
export async function claimAvatar(ctx: Ctx, { discardJob }: StoredAvatar): Promise<void> {
  if (!(await cancelJob(ctx, discardJob))) throw unavailable('Storing the avatar took too long. Upload it again.');
}

const isUploaded = (url: string | undefined): url is string => url?.startsWith('/avatars/') ?? false;

/** Call in the transaction that removes a reference. Deletes the image if it is on this server. */
export async function discardAvatar(ctx: Ctx, url: string | null | undefined): Promise<void> {
  if (isUploaded(url ?? undefined)) await enqueue(ctx, avatarDiscard, { key: String(url).slice(1) });
}

export const deleteAvatarBlob = (ctx: Pick<Deps, 'blobs'>, key: string): Promise<void> => ctx.blobs.delete(key);

/** Absolute URL of an avatar: completes paths on this server. */
export const shownAvatar = (ctx: Parameters<typeof getResponseUrl>[0], url: string | undefined): string | undefined =>
  isUploaded(url) ? getResponseUrl(ctx) + url : url;

/** Like `shownAvatar`, for readers other than the caller, such as those of an email or webhook. */
export const publicAvatar = ({ publicUrl }: Pick<Deps, 'publicUrl'>, url: string | undefined): string | undefined =>
  shownAvatar({ publicUrl }, url);

export const avatarSource = (url: string | undefined): 'uploaded' | 'url' | undefined =>
  url === undefined ? undefined : isUploaded(url) ? 'uploaded' : 'url';

const namePattern = /^[0-9A-Za-z]{32}\.(png|jpg|gif|webp)$/;

/** Blob key and type of the image `/avatars/<name>`. The extension was chosen by the content. */
export function avatarAt(name: string): { key: string; type: string } | undefined {
  const kind = namePattern.exec(name)?.[1] as ImageKind | undefined;
  return kind && { key: `avatars/${name}`, type: imageTypes[kind] };
}
