import { hash } from 'node:crypto';
import type { Ctx, Deps } from '../context.ts';
import { tx } from '../db/tx.ts';
import { answerUrl } from '../kernel/answer-url.ts';
import { MINUTE } from '../kernel/clock.ts';
import { isSignedUntil, signUntil } from '../kernel/sealed.ts';
import { addDownload, deleteDownloads, findBlocked, findDownloads, saveBlocked } from './uploads.store.ts';

const PURPOSE = 'download';

/** A blob under a key that ends so is kept compressed, and downloaded as it was before. */
export const PACKED = '.zst';

export interface LinkedFile {
  key: string;
  /** What it is saved as: the last segment of the address. */
  name: string;
}

const textOf = ({ key, name }: LinkedFile, mark = ''): string => `${key}\n${name}${mark && `\n${mark}`}`;

/** Marks a link that also works while downloads of the file are blocked. */
const UNBLOCKED = 'all';

/** An address at which anybody who has it can download a blob, until it expires. */
export function downloadLink(
  ctx: Deps & Partial<Pick<Ctx, 'origin'>>,
  file: LinkedFile,
  { expiresAt = ctx.clock.now() + ctx.config.downloadMinutes * MINUTE, isUnblocked = false } = {},
): string {
  const mark = isUnblocked ? UNBLOCKED : '';
  const token = signUntil(ctx.secretKey, { purpose: PURPOSE, text: textOf(file, mark), expiresAt });
  const link = `${Buffer.from(file.key).toString('base64url')}.${token}${mark && `.${mark}`}`;
  return `${answerUrl(ctx)}/files/${link}/${encodeURIComponent(file.name)}`;
}

/** What a link leads to; nothing if any of it was changed, or if it has expired. */
export function readDownloadLink(
  { secretKey, clock }: Pick<Deps, 'secretKey' | 'clock'>,
  link: string,
  name: string,
): (LinkedFile & { etag: string; isUnblocked: boolean }) | undefined {
  const [encoded = '', end = '', signature = '', mark = ''] = link.split('.');
  const key = Buffer.from(encoded, 'base64url').toString();
  const signed = { purpose: PURPOSE, text: textOf({ key, name }, mark), token: `${end}.${signature}` };
  if (!isSignedUntil(secretKey, signed, clock.now())) return undefined;
  // A key never gets another content.
  return { key, name, etag: `"${hash('sha256', key, 'hex').slice(0, 32)}"`, isUnblocked: mark === UNBLOCKED };
}

/** Ends every link to a file, or lets them work again. In the caller's transaction. */
export const blockDownloads = async ({ db }: Pick<Deps, 'db'>, key: string, isBlocked: boolean): Promise<void> => {
  await saveBlocked.run(db, { key, count: 0, is_blocked: isBlocked ? 1 : 0 });
};

export const areDownloadsBlocked = async ({ db }: Pick<Deps, 'db'>, key: string): Promise<boolean> =>
  (await findBlocked.first(db, { key }))?.is_blocked === 1;

/** Beside the download, which does not wait for it. */
export function countDownload(ctx: Deps, key: string): void {
  tx(ctx, ({ db }) => addDownload.run(db, { key, count: 1 })).catch((err: unknown) =>
    ctx.log.warn({ err }, 'a download could not be counted'),
  );
}

/** A file takes the place of another: how often that one was downloaded counts on. In the caller's transaction. */
export async function carryDownloads({ db }: Pick<Deps, 'db'>, from: string, to: string): Promise<void> {
  const { count = 0 } = (await findDownloads.first(db, { key: from })) ?? {};
  if (count > 0) await addDownload.run(db, { key: to, count });
}

/** Deletes a blob that was taken, and how often it was downloaded. */
export async function deleteTakenFile(ctx: Deps, key: string): Promise<void> {
  await ctx.blobs.delete(key);
  await tx(ctx, ({ db }) => deleteDownloads.run(db, { key }));
}
