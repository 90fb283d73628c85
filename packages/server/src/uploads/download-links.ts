import { hash } from 'node:crypto';
import type { Deps } from '../context.ts';
import { tx } from '../db/tx.ts';
import { MINUTE } from '../kernel/clock.ts';
import { signText, verifyText } from '../kernel/sealed.ts';
import { addDownload, deleteDownloads } from './uploads.store.ts';

const PURPOSE = 'download';

export interface LinkedFile {
  key: string;
  /** What it is saved as: the last segment of the address. */
  name: string;
}

const textOf = (end: string, { key, name }: LinkedFile): string => `${end}\n${key}\n${name}`;

/** An address at which anybody who has it can download a blob, until it expires. */
export function downloadLink(
  { secretKey, clock, config, publicUrl }: Deps,
  file: LinkedFile,
  { expiresAt = clock.now() + config.downloadMinutes * MINUTE } = {},
): string {
  const end = Math.floor(expiresAt).toString(36);
  const link = `${end}.${Buffer.from(file.key).toString('base64url')}.${signText(secretKey, PURPOSE, textOf(end, file))}`;
  return `${publicUrl()}/files/${link}/${encodeURIComponent(file.name)}`;
}

/** What a link leads to; nothing if any of it was changed, or if it has expired. */
export function readDownloadLink(
  { secretKey, clock }: Pick<Deps, 'secretKey' | 'clock'>,
  link: string,
  name: string,
): (LinkedFile & { etag: string }) | undefined {
  const [end = '', encoded = '', signature = ''] = link.split('.');
  const key = Buffer.from(encoded, 'base64url').toString();
  const isOurs = verifyText(secretKey, PURPOSE, textOf(end, { key, name }), signature);
  if (!isOurs || Number.parseInt(end, 36) <= clock.now()) return undefined;
  // A key never gets another content.
  return { key, name, etag: `"${hash('sha256', key, 'hex').slice(0, 32)}"` };
}

/** Beside the download, which does not wait for it. */
export function countDownload(ctx: Deps, key: string): void {
  tx(ctx, ({ db }) => addDownload.run(db, { key, count: 1 })).catch((err: unknown) =>
    ctx.log.warn({ err }, 'a download could not be counted'),
  );
}

/** Deletes a blob that was taken, and how often it was downloaded. */
export async function deleteTakenFile(ctx: Deps, key: string): Promise<void> {
  await ctx.blobs.delete(key);
  await tx(ctx, ({ db }) => deleteDownloads.run(db, { key }));
}
