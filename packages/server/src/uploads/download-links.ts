import { hash } from 'node:crypto';
import type { Ctx, Deps } from '../context.ts';
import { tx } from '../db/tx.ts';
import { MINUTE } from '../kernel/clock.ts';
import { isSignedUntil, signUntil } from '../kernel/crypto/sealed.ts';
import { getResponseUrl } from '../kernel/response-url.ts';
import { addDownload, deleteDownloads, findBlocked, findDownloads, saveBlocked } from './uploads.store.ts';

const PURPOSE = 'download';

/** Suffix of keys whose blobs are compressed, and downloaded uncompressed. */
export const PACKED = '.zst';

export interface LinkedFile {
  key: string;
  /** File name of the download: the last segment of the URL. */
  name: string;
}

const toSignedText = ({ key, name }: LinkedFile, mark = ''): string => `${key}\n${name}${mark && `\n${mark}`}`;

/** Marks a link that also works while downloads of the file are blocked. */
const UNBLOCKED = 'all';

/** A URL that downloads a blob without credentials, until it expires. */
export function downloadLink(
  ctx: Deps & Partial<Pick<Ctx, 'origin'>>,
  file: LinkedFile,
  { expiresAt = ctx.clock.now() + ctx.config.downloadMinutes * MINUTE, isUnblocked = false } = {},
): string {
  const mark = isUnblocked ? UNBLOCKED : '';
  const token = signUntil(ctx.secretKey, { purpose: PURPOSE, text: toSignedText(file, mark), expiresAt });
  const link = `${Buffer.from(file.key).toString('base64url')}.${token}${mark && `.${mark}`}`;
  return `${getResponseUrl(ctx)}/files/${link}/${encodeURIComponent(file.name)}`;
}

/** The file of a link; undefined if the link was changed or has expired. */
export function readDownloadLink(
  { secretKey, clock }: Pick<Deps, 'secretKey' | 'clock'>,
  link: string,
  name: string,
): (LinkedFile & { etag: string; isUnblocked: boolean }) | undefined {
  const [encoded = '', end = '', signature = '', mark = ''] = link.split('.');
  const key = Buffer.from(encoded, 'base64url').toString();
  const signed = { purpose: PURPOSE, text: toSignedText({ key, name }, mark), token: `${end}.${signature}` };
  if (!isSignedUntil(secretKey, signed, clock.now())) return undefined;
  // The content of a key never changes.
  return { key, name, etag: `"${hash('sha256', key, 'hex').slice(0, 32)}"`, isUnblocked: mark === UNBLOCKED };
}

/** Blocks all links to a file, or unblocks them. In the caller's transaction. */
export const blockDownloads = async ({ db }: Pick<Deps, 'db'>, key: string, isBlocked: boolean): Promise<void> => {
  await saveBlocked.run(db, { key, count: 0, is_blocked: isBlocked ? 1 : 0 });
};

export const areDownloadsBlocked = async ({ db }: Pick<Deps, 'db'>, key: string): Promise<boolean> =>
  (await findBlocked.first(db, { key }))?.is_blocked === 1;

/** Runs in the background, so that the download does not wait. */
export function countDownload(ctx: Deps, key: string): void {
  tx(ctx, ({ db }) => addDownload.run(db, { key, count: 1 })).catch((err: unknown) =>
    ctx.log.warn({ err }, 'failed to count a download'),
  );
}

/** Adds the download count of a replaced file to its replacement. In the caller's transaction. */
export async function carryDownloads({ db }: Pick<Deps, 'db'>, from: string, to: string): Promise<void> {
  const { count = 0 } = (await findDownloads.first(db, { key: from })) ?? {};
  if (count > 0) await addDownload.run(db, { key: to, count });
}

/** Deletes a blob that a domain took, and its download count. */
export async function deleteTakenFile(ctx: Deps, key: string): Promise<void> {
  await ctx.blobs.delete(key);
  await tx(ctx, ({ db }) => deleteDownloads.run(db, { key }));
}
