import { hash } from 'node:crypto';
import type { Ctx } from '../../../context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { keyForSize } from '../../../uploads/index.ts';
import { getAppRef } from '../../apps/index.ts';
import { storageLeft } from '../../usage/index.ts';
import type { CrashAttachmentsTable } from '../crashes.tables.ts';
import {
  countAttached,
  deleteAttachments,
  findAttached,
  findSentAttachments,
  insertAttachments,
  listAttachments,
  markAttached,
} from './attachments.store.ts';
import { sentIdOf } from './parsed-report.ts';
import { type Fields, textOf } from './values.ts';

const ATTACHMENT_MAX_BYTES = 7 * 1024 * 1024;
/** Per report; SDKs send two or three. */
export const MAX_ATTACHMENTS = 20;

type Attachment = CrashAttachmentsTable;

/** Why there is no file of it. */
export const leftOutOf = ({ blob_key, size }: Pick<Attachment, 'blob_key' | 'size'>): string | undefined => {
  if (blob_key !== '') return undefined;
  return size > ATTACHMENT_MAX_BYTES
    ? `it has ${size} bytes, and only up to 7 MiB of each are kept`
    : `its report had ${MAX_ATTACHMENTS} attachments already, or the storage quota of the owner was used up when it came`;
};

/** Letters that base64 has; some senders write it with others, or with breaks. */
function bytesOf(data: unknown): Buffer {
  return typeof data === 'string' ? Buffer.from(data, 'base64') : Buffer.alloc(0);
}

const typeOf = (value: unknown): string => {
  const type = textOf(value, 100) ?? '';
  return /^[\w.+-]+\/[\w.+-]+(?:; ?[\w.=+-]+)?$/.test(type) ? type : 'application/octet-stream';
};

/** The same for what another device sent with the same id. */
export const otherId = (installId: string, sentId: string): string =>
  hash('sha256', `${installId} ${sentId}`, 'hex').slice(0, 32);

interface SentAttachment {
  batch: number | null;
  installId: string;
  at: number;
  log: Fields;
}

const unlessGone = (error: unknown): undefined => {
  if (!(error instanceof Failure && error.code === 'NotFound')) throw error;
};

/** Files, stored before the transaction that refers to them; those for which there is no room are left out. */
export async function storeAttachments(
  ctx: Ctx,
  appId: string,
  sent: readonly SentAttachment[],
): Promise<CrashAttachmentsTable[]> {
  if (sent.length === 0) return [];
  const app = await getAppRef(ctx, appId).catch(unlessGone);
  // The transaction that would refer to them notices the same.
  if (!app) return [];
  let left = await storageLeft({ ...ctx, app });
  const stored: CrashAttachmentsTable[] = [];
  const counts = await countsByReport(ctx, appId, sent);
  for (const one of sent) {
    const key = `${one.installId} ${errorIdOf(one.log)}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    // The first one beyond the limit is stored as omitted, the others are dropped.
    if (count > MAX_ATTACHMENTS + 1) continue;
    const attachment = await storeAttachment(ctx, appId, one, left > 0 && count <= MAX_ATTACHMENTS);
    if (attachment.blob_key !== '') left -= attachment.size;
    stored.push(attachment);
  }
  return stored;
}

const errorIdOf = (log: Fields): string => textOf(log.errorId, 64)?.trim().toLowerCase() ?? '';

/** Counts the attachments that reports already have, by installation and report. */
async function countsByReport(
  { db }: Ctx,
  appId: string,
  sent: readonly SentAttachment[],
): Promise<Map<string, number>> {
  const errorIds = [...new Set(sent.map(({ log }) => errorIdOf(log)))];
  const rows = await countAttached(db, appId, errorIds);
  return new Map(rows.map(({ install_id, error_id, count }) => [`${install_id} ${error_id}`, Number(count)]));
}

/** Under a key that is the same whenever it comes again: what is there already stays. */
async function storeAttachment(
  ctx: Ctx,
  appId: string,
  { batch, installId, at, log }: SentAttachment,
  hasRoom: boolean,
): Promise<Attachment> {
  const bytes = bytesOf(log.data);
  const sentId = sentIdOf(log);
  const blobKey = keyForSize(`crash-attachments/${appId}/${otherId(installId, sentId)}`, bytes.length);
  const isKept = bytes.length <= ATTACHMENT_MAX_BYTES && (hasRoom || (await ctx.blobs.stat(blobKey)) !== undefined);
  const type = typeOf(log.contentType);
  if (isKept) await ctx.blobs.put(blobKey, [bytes], { type, maxBytes: ATTACHMENT_MAX_BYTES });
  return {
    app_id: appId,
    id: sentId,
    sent_id: sentId,
    install_id: installId,
    error_id: errorIdOf(log),
    content_type: type,
    file_name: textOf(log.fileName, 256) ?? '',
    size: bytes.length,
    blob_key: isKept ? blobKey : '',
    created_at: at,
    batch,
  };
}

/** In the transaction that passes their batches: each once, whatever comes twice. */
export async function keepAttachments(
  { db }: Ctx,
  appId: string,
  stored: readonly Attachment[],
): Promise<readonly Attachment[]> {
  if (stored.length === 0) return [];
  const seen = new Map(
    (await findSentAttachments(db, appId, [...new Set(stored.map(({ sent_id }) => sent_id))])).map((one) => [
      JSON.stringify([one.install_id, one.sent_id]),
      one.id,
    ]),
  );
  const taken = new Set(seen.values());
  const fresh: Attachment[] = [];
  for (const one of stored) {
    const key = JSON.stringify([one.install_id, one.sent_id]);
    if (seen.has(key)) continue;
    const id = taken.has(one.sent_id) ? otherId(one.install_id, one.sent_id) : one.sent_id;
    seen.set(key, id);
    taken.add(id);
    fresh.push({ ...one, id });
  }
  await insertAttachments(db, fresh);
  for (const { error_id, install_id } of fresh) {
    await markAttached.run(db, { appId, sentId: error_id, installId: install_id, has: 1 });
  }
  return fresh;
}

/** Which of these reports something came with, before they did. */
export async function attachedOf(
  { db }: Pick<Ctx, 'db'>,
  appId: string,
  sentIds: readonly string[],
): Promise<(installId: string, sentId: string) => boolean> {
  const found = sentIds.length === 0 ? [] : await findAttached(db, appId, sentIds);
  const keys = new Set(found.map(({ install_id, error_id }) => `${install_id} ${error_id}`));
  return (installId, sentId) => keys.has(`${installId} ${sentId}`);
}

export const attachmentsOf = ({ db }: Pick<Ctx, 'db'>, appId: string, sentId: string, installId: string) =>
  listAttachments.all(db, { appId, errorId: sentId, installId });

/** Files first: a row that is left over is deleted again, a file without one never is. */
export async function deleteBlobs(
  { blobs }: Pick<Ctx, 'blobs'>,
  attachments: readonly Pick<Attachment, 'blob_key'>[],
): Promise<number> {
  let count = 0;
  for (const { blob_key } of attachments) {
    if (blob_key === '') continue;
    await blobs.delete(blob_key);
    count += 1;
  }
  return count;
}

export { deleteAttachments };
