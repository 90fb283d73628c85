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
import { getSentId } from './processing/parsed-report.ts';
import { type Fields, toText } from './values.ts';

const ATTACHMENT_MAX_BYTES = 7 * 1024 * 1024;
/** Per report; SDKs send two or three. */
export const MAX_ATTACHMENTS = 20;

type Attachment = CrashAttachmentsTable;

/** The reason why the content was not stored, if so. */
export const getOmissionReason = ({ blob_key, size }: Pick<Attachment, 'blob_key' | 'size'>): string | undefined => {
  if (blob_key !== '') return undefined;
  return size > ATTACHMENT_MAX_BYTES
    ? `it has ${size} bytes (max 7 MiB)`
    : `its report already had ${MAX_ATTACHMENTS} attachments, or the owner's storage quota was used up`;
};

/** Accepts line breaks and other characters between base64 letters, which some senders add. */
function decodeBase64(data: unknown): Buffer {
  return typeof data === 'string' ? Buffer.from(data, 'base64') : Buffer.alloc(0);
}

const toContentType = (value: unknown): string => {
  const type = toText(value, 100) ?? '';
  return /^[\w.+-]+\/[\w.+-]+(?:; ?[\w.=+-]+)?$/.test(type) ? type : 'application/octet-stream';
};

/** A stable ID for a record whose ID another device already used. */
export const otherId = (installId: string, sentId: string): string =>
  hash('sha256', `${installId} ${sentId}`, 'hex').slice(0, 32);

interface SentAttachment {
  batch: number | null;
  installId: string;
  at: number;
  log: Fields;
}

const ignoreNotFound = (error: unknown): undefined => {
  if (!(error instanceof Failure && error.code === 'NotFound')) throw error;
};

/** Stores files before the transaction that refers to them. Omits content that exceeds the storage quota. */
export async function storeAttachments(
  ctx: Ctx,
  appId: string,
  sent: readonly SentAttachment[],
): Promise<CrashAttachmentsTable[]> {
  if (sent.length === 0) return [];
  const app = await getAppRef(ctx, appId).catch(ignoreNotFound);
  // The app was deleted; the transaction will fail for the same reason.
  if (!app) return [];
  let left = await storageLeft({ ...ctx, app });
  const stored: CrashAttachmentsTable[] = [];
  const counts = await countsByReport(ctx, appId, sent);
  for (const one of sent) {
    const key = `${one.installId} ${getErrorId(one.log)}`;
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

const getErrorId = (log: Fields): string => toText(log.errorId, 64)?.trim().toLowerCase() ?? '';

/** Counts the stored attachments of reports, by install and report. */
async function countsByReport(
  { db }: Ctx,
  appId: string,
  sent: readonly SentAttachment[],
): Promise<Map<string, number>> {
  const errorIds = [...new Set(sent.map(({ log }) => getErrorId(log)))];
  const rows = await countAttached(db, appId, errorIds);
  return new Map(rows.map(({ install_id, error_id, count }) => [`${install_id} ${error_id}`, Number(count)]));
}

/** The key is derived from the attachment, so repeated uploads do not create further blobs. */
async function storeAttachment(
  ctx: Ctx,
  appId: string,
  { batch, installId, at, log }: SentAttachment,
  hasQuotaLeft: boolean,
): Promise<Attachment> {
  const bytes = decodeBase64(log.data);
  const sentId = getSentId(log);
  const blobKey = keyForSize(`crash-attachments/${appId}/${otherId(installId, sentId)}`, bytes.length);
  const isStored =
    bytes.length <= ATTACHMENT_MAX_BYTES && (hasQuotaLeft || (await ctx.blobs.stat(blobKey)) !== undefined);
  const type = toContentType(log.contentType);
  if (isStored) await ctx.blobs.put(blobKey, [bytes], { type, maxBytes: ATTACHMENT_MAX_BYTES });
  return {
    app_id: appId,
    id: sentId,
    sent_id: sentId,
    install_id: installId,
    error_id: getErrorId(log),
    content_type: type,
    file_name: toText(log.fileName, 256) ?? '',
    size: bytes.length,
    blob_key: isStored ? blobKey : '',
    created_at: at,
    batch,
  };
}

/** Saves attachments in the transaction that advances past their batches. Ignores repeated ones. */
export async function saveAttachments(
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

/** Checks which reports have attachments that arrived before them. */
export async function createAttachedCheck(
  { db }: Pick<Ctx, 'db'>,
  appId: string,
  sentIds: readonly string[],
): Promise<(installId: string, sentId: string) => boolean> {
  const found = sentIds.length === 0 ? [] : await findAttached(db, appId, sentIds);
  const keys = new Set(found.map(({ install_id, error_id }) => `${install_id} ${error_id}`));
  return (installId, sentId) => keys.has(`${installId} ${sentId}`);
}

export const findReportAttachments = ({ db }: Pick<Ctx, 'db'>, appId: string, sentId: string, installId: string) =>
  listAttachments.all(db, { appId, errorId: sentId, installId });

/** Deletes files before rows: a remaining row is deleted later, but an orphaned file never would be. */
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
