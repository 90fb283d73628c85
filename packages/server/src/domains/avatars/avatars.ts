import { AVATAR_MAX_PIXELS, avatarUpload } from '@mooring/contract';
import type { Ctx, Deps } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { cancelJob, defineJob, enqueue } from '../../jobs/index.ts';
import { answerUrl } from '../../kernel/answer-url.ts';
import { HOUR } from '../../kernel/clock.ts';
import { randomBase62 } from '../../kernel/crypto.ts';
import { badRequest, Failure, unavailable } from '../../kernel/errors.ts';
import { type ImageKind, imageTypes, readImage } from './images.ts';

/** A file as it was sent: its bytes, and what they are said to be. */
export interface ImageFile {
  type: string;
  bytes: Buffer;
}

/** An image that is stored, but that nobody refers to yet. */
export interface StoredAvatar {
  /** What to write where an address is kept: a path on this server. */
  path: string;
  discardJob: string;
}

export const avatarDiscard = defineJob<{ key: string }>('avatar.discard');

/** Types that claim nothing: what senders say who do not know, or have to say something. */
const noClaim = ['', 'application/octet-stream', 'text/plain'];
const aliases: Record<string, string> = { 'image/jpg': 'image/jpeg', 'image/pjpeg': 'image/jpeg' };

function checkImage({ type, bytes }: ImageFile): ImageKind {
  const image = readImage(bytes);
  if (!image) throw new Failure('UnsupportedMediaType', 'The avatar must be a PNG, JPEG, GIF or WebP image.');
  const actual = imageTypes[image.kind];
  const claimed = aliases[type] ?? type;
  if (claimed !== actual && !noClaim.includes(claimed)) {
    throw badRequest(`The avatar is said to be ${type}, but its content is ${actual}.`);
  }
  if (Math.max(image.width, image.height) > AVATAR_MAX_PIXELS) {
    const limit = `${AVATAR_MAX_PIXELS} × ${AVATAR_MAX_PIXELS}`;
    throw badRequest(`The avatar may have ${limit} pixels at most; it has ${image.width} × ${image.height}.`);
  }
  return image.kind;
}

/**
 * Stores an image before the transaction that will refer to it. Asks first for it to be discarded in an hour:
 * `keepAvatar` takes that back, so whatever happens in between, no image stays that nobody refers to.
 */
export async function storeAvatar(ctx: Ctx, file: ImageFile): Promise<StoredAvatar> {
  const kind = checkImage(file);
  const key = `avatars/${randomBase62(32)}.${kind}`;
  const runAt = ctx.clock.now() + HOUR;
  const discardJob = await tx(ctx, (ctx) => enqueue(ctx, avatarDiscard, { key }, { runAt }));
  await ctx.blobs.put(key, [file.bytes], { type: imageTypes[kind], maxBytes: avatarUpload.maxBytes });
  return { path: `/${key}`, discardJob };
}

/** In the transaction that refers to a stored image. */
export async function keepAvatar(ctx: Ctx, { discardJob }: StoredAvatar): Promise<void> {
  if (!(await cancelJob(ctx, discardJob))) throw unavailable('Storing the avatar took too long; send it again.');
}

const isUploaded = (url: string | undefined): url is string => url?.startsWith('/avatars/') ?? false;

/** In the transaction that ends the reference to an address: if it is of an image here, that goes too. */
export async function discardAvatar(ctx: Ctx, url: string | null | undefined): Promise<void> {
  if (isUploaded(url ?? undefined)) await enqueue(ctx, avatarDiscard, { key: String(url).slice(1) });
}

export const deleteAvatarBlob = (ctx: Pick<Deps, 'blobs'>, key: string): Promise<void> => ctx.blobs.delete(key);

/** An address as it is shown: a path on this server becomes whole, others are whole already. */
export const shownAvatar = (ctx: Parameters<typeof answerUrl>[0], url: string | undefined): string | undefined =>
  isUploaded(url) ? answerUrl(ctx) + url : url;

/** The same for others than the caller, such as readers of an email or a webhook. */
export const publicAvatar = ({ publicUrl }: Pick<Deps, 'publicUrl'>, url: string | undefined): string | undefined =>
  shownAvatar({ publicUrl }, url);

export const avatarSource = (url: string | undefined): 'uploaded' | 'url' | undefined =>
  url === undefined ? undefined : isUploaded(url) ? 'uploaded' : 'url';

const namePattern = /^[0-9A-Za-z]{32}\.(png|jpg|gif|webp)$/;

/** Where the image of `/avatars/<name>` is; its type is that of the name, which was chosen by its content. */
export function avatarAt(name: string): { key: string; type: string } | undefined {
  const kind = namePattern.exec(name)?.[1] as ImageKind | undefined;
  return kind && { key: `avatars/${name}`, type: imageTypes[kind] };
}
