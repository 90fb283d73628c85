import type { Actor, Ctx, Deps } from '../context.ts';
import { lock } from '../db/locks.ts';
import { tx } from '../db/tx.ts';
import { HOUR } from '../kernel/clock.ts';
import { badRequest, conflict, Failure, forbidden, notFound, tooManyRequests, unavailable } from '../kernel/errors.ts';
import { getResponseUrl } from '../kernel/response-url.ts';
import { cleanFileName } from './file-names.ts';
import { isUploadToken, uploadToken } from './upload-tokens.ts';
import {
  announceUpload,
  cancelUploadRow,
  countOpenUploads,
  deleteChunks,
  deleteUploadRow,
  findUploadRow,
  insertUpload,
  listBegunBy,
  listChunks,
  listEndedUploads,
  lockUploadRow,
  takeUploadRow,
} from './uploads.store.ts';
import type { UploadPiecesTable, UploadsTable } from './uploads.tables.ts';

const MIB = 1024 * 1024;

/** Purpose of uploads, defined by the domain that takes the files. */
export interface UploadPurpose {
  readonly name: string;
  readonly maxBytes: number;
}

const purposes = new Set<string>();

export function defineUploadPurpose(name: string, { maxBytes = Number.POSITIVE_INFINITY } = {}): UploadPurpose {
  if (purposes.has(name)) throw new Error(`The upload purpose ${name} is defined twice.`);
  purposes.add(name);
  return { name, maxBytes };
}

/** A file that was received completely. */
export interface UploadedFile {
  /** Key of the blob. */
  key: string;
  size: number;
  /** In hexadecimal. */
  sha256: string;
  /** Without a path; `file` if the client sent no name. */
  name: string;
}

export interface Upload {
  id: string;
  state: UploadsTable['state'];
  fileName: string | undefined;
  /** Announced size. */
  size: number | undefined;
  maxBytes: number;
  expiresAt: number;
  /** Set once the upload is finished, until it is taken. */
  file: UploadedFile | undefined;
}

export const toUpload = (row: UploadsTable): Upload => ({
  id: row.id,
  state: row.state,
  fileName: row.file_name ?? undefined,
  size: row.size ?? undefined,
  maxBytes: row.max_bytes,
  expiresAt: row.expires_at,
  file:
    row.blob_key === null || row.state !== 'finished'
      ? undefined
      : { key: row.blob_key, size: row.size ?? 0, sha256: row.sha256 ?? '', name: row.file_name ?? 'file' },
});

/** Key of a joined file. */
export const fileKey = (uploadId: string): string => `uploads/${uploadId}/file`;
/** Key of a placed file, which chunks are written to directly if the store supports it. */
export const placeKey = (uploadId: string): string => `uploads/${uploadId}/whole`;
export const chunkKey = (chunk: Pick<UploadPiecesTable, 'upload_id' | 'name' | 'attempt'>): string =>
  `uploads/${chunk.upload_id}/${chunk.name}-${chunk.attempt}`;

export const tooLarge = (maxBytes: number): Failure =>
  new Failure('PayloadTooLarge', `The file exceeds the limit of ${maxBytes} bytes.`);

/** Free bytes above the reserve; unlimited for a bucket. */
export async function getFreeBytes({ blobs, config }: Pick<Deps, 'blobs' | 'config'>): Promise<number> {
  const free = await blobs.free();
  return free === undefined ? Number.POSITIVE_INFINITY : Math.max(0, free - config.diskReserveMb * MIB);
}

/** Refuses a file that would fill the disk. A bucket is unlimited. */
export async function checkDiskSpace({ blobs, config }: Pick<Deps, 'blobs' | 'config'>, size: number): Promise<void> {
  const free = await blobs.free();
  if (free !== undefined && free - size < config.diskReserveMb * MIB) {
    throw unavailable("The server's disk has no space for this file. Ask an administrator to free space, then retry.");
  }
}

export interface NewUpload {
  /** Owner whose limit of unfinished uploads it counts against, usually an app. */
  ownerId: string;
  fileName?: string | undefined;
  size?: number | undefined;
  /** Chosen by the client, so that starting again continues the upload. */
  id?: string | undefined;
}

function checkSize(size: number | undefined, maxBytes: number): void {
  if (size !== undefined && size > maxBytes) throw tooLarge(maxBytes);
  if (size === 0) throw badRequest('The file is empty.');
}

const toFileName = (fileName: string): string => {
  const clean = cleanFileName(fileName);
  if (clean === undefined) throw badRequest(`"${fileName.slice(0, 100)}" is not a valid file name.`);
  return clean;
};

/** For a token, the account that created it. */
const readAccount = (actor: Actor | undefined): string | null => {
  if (actor?.kind === 'user') return actor.user.id;
  return actor?.kind === 'app' ? actor.createdBy.id : null;
};

/** Starts an upload, in the caller's transaction if there is one. */
export async function beginUpload(
  ctx: Deps & { actor?: Actor },
  purpose: UploadPurpose,
  input: NewUpload,
): Promise<Upload> {
  const { ownerId, size } = input;
  const { config, clock } = ctx;
  const maxBytes = Math.min(purpose.maxBytes, config.uploadLimitMb * MIB);
  checkSize(size, maxBytes);
  await checkDiskSpace(ctx, size ?? 0);
  const now = clock.now();
  return tx(ctx, async (ctx) => {
    await lock(ctx, 'limits', `uploads ${ownerId}`);
    const open = await countOpenUploads.first(ctx.db, { ownerId, purpose: purpose.name, now });
    if (Number(open?.count ?? 0) >= config.uploadsInFlight) {
      const message = `Too many unfinished uploads (${config.uploadsInFlight}). Finish or cancel one, or wait until they expire.`;
      throw tooManyRequests(message, HOUR / 1000);
    }
    const row = await insertUpload.first(ctx.db, {
      id: input.id ?? ctx.newId(),
      purpose: purpose.name,
      owner_id: ownerId,
      begun_by: readAccount(ctx.actor),
      state: 'open',
      file_name: input.fileName === undefined ? null : toFileName(input.fileName),
      type: 'application/octet-stream',
      size: size ?? null,
      max_bytes: maxBytes,
      blob_key: null,
      sha256: null,
      created_at: now,
      expires_at: now + config.uploadHours * HOUR,
      piece_count: 0,
      piece_bytes: 0,
      received: 0,
    });
    if (!row) throw conflict('An upload with this ID already exists. Use another ID.');
    return toUpload(row);
  });
}

interface Which {
  id: string;
  ownerId: string;
}

const isOurs = (row: UploadsTable | undefined, { name }: UploadPurpose, { ownerId }: Which): row is UploadsTable =>
  row?.purpose === name && row.owner_id === ownerId;

export async function findUpload(
  ctx: Pick<Deps, 'db'>,
  purpose: UploadPurpose,
  which: Which,
): Promise<Upload | undefined> {
  const row = await findUploadRow.first(ctx.db, { id: which.id });
  return isOurs(row, purpose, which) ? toUpload(row) : undefined;
}

/** Takes a finished file, in the caller's transaction: from then on the caller owns its blob. */
export const takeUpload = (ctx: Deps, purpose: UploadPurpose, which: Which): Promise<UploadedFile> =>
  tx(ctx, async (ctx) => {
    const row = await lockUploadRow.first(ctx.db, { id: which.id });
    if (!isOurs(row, purpose, which)) throw notFound('upload', which.id);
    const { file, state } = toUpload(row);
    if (state === 'taken') throw conflict('This upload was already used.');
    if (!file) throw badRequest('The upload is not finished: parts of the file are missing. Send them first.');
    // The sweep may be deleting its blob.
    if (row.expires_at <= ctx.clock.now()) throw conflict('This upload has expired. Start a new one.');
    await takeUploadRow.run(ctx.db, { id: which.id });
    return file;
  });

/** Finds the upload of a token. */
export async function openUpload(ctx: Deps, id: string, token: string): Promise<Upload> {
  const row = isUploadToken(ctx, id, token) ? await findUploadRow.first(ctx.db, { id }) : undefined;
  if (!row) throw forbidden('The upload token is invalid or has expired. Start the upload again.');
  return toUpload(row);
}

export function refuseUnlessOpen({ state }: Upload): void {
  if (state === 'cancelled') throw conflict('This upload was canceled. Start a new one.');
  if (state !== 'open') throw conflict('This upload is already finished. Start a new one for another file.');
}

/** Sets the name and size of the file before it arrives. */
export async function announceFile(
  ctx: Deps,
  upload: Upload,
  { fileName, size }: { fileName: string; size: number },
): Promise<Upload> {
  refuseUnlessOpen(upload);
  checkSize(size, upload.maxBytes);
  await checkDiskSpace(ctx, size);
  const announced = { id: upload.id, fileName: toFileName(fileName), type: 'application/octet-stream', size };
  const row = await tx(ctx, ({ db }) => announceUpload.first(db, announced));
  if (!row) throw conflict('This upload is no longer open. Start a new one.');
  return toUpload(row);
}

/** URLs and token for each upload protocol. */
export function uploadAddresses(ctx: Ctx, upload: Pick<Upload, 'id' | 'expiresAt'>) {
  const token = uploadToken(ctx, upload);
  const base = getResponseUrl(ctx);
  return {
    /** For clients of the file host. */
    domain: base,
    token,
    /** Accepts a form with the file in the field `ipa`. */
    formUrl: `${base}/upload/form/${upload.id}?token=${token}`,
    /** Accepts the blob protocol: one PUT, or blocks and their list. */
    blobUrl: `${base}/upload/${upload.id}?token=${token}`,
  };
}

/** Cancels an upload. Returns false if it was already finished. */
export async function cancelUpload(ctx: Deps, upload: Pick<Upload, 'id'>): Promise<boolean> {
  const cancelled = await tx(ctx, ({ db }) => cancelUploadRow.run(db, { id: upload.id }));
  if (cancelled > 0) await dropChunks(ctx, upload.id);
  return cancelled > 0;
}

/** Cancels the open uploads of these accounts that `mayContinue` refuses. The sweep deletes their chunks. */
export async function cancelUploadsBegunBy(
  { db }: Pick<Deps, 'db'>,
  userIds: readonly string[],
  mayContinue: (upload: { ownerId: string; userId: string }) => Promise<boolean>,
): Promise<void> {
  for (const { id, owner_id: ownerId, begun_by } of await listBegunBy.all(db, { userIds: JSON.stringify(userIds) })) {
    if (begun_by === null || (await mayContinue({ ownerId, userId: begun_by }))) continue;
    await cancelUploadRow.run(db, { id });
  }
}

/** Deletes blobs first: a crash then leaves rows, which are found again, instead of blobs, which would not be. */
export async function dropChunks(ctx: Deps, uploadId: string, retainedKey?: string): Promise<void> {
  const chunks = await listChunks.all(ctx.db, { uploadId });
  const keys = new Set(chunks.map((chunk) => (chunk.placed === null ? chunkKey(chunk) : placeKey(uploadId))));
  // Also for an interrupted chunk, which has no row.
  if (ctx.blobs.putPart) keys.add(placeKey(uploadId));
  if (retainedKey !== undefined) keys.delete(retainedKey);
  await deleteBlobs(ctx, [...keys]);
  await tx(ctx, ({ db }) => deleteChunks.run(db, { uploadId }));
}

const CONCURRENCY = 16;

/** In parallel, because the client waits, and a bucket has high latency. */
async function deleteBlobs({ blobs }: Pick<Deps, 'blobs'>, keys: readonly string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += CONCURRENCY) {
    await Promise.all(keys.slice(at, at + CONCURRENCY).map((key) => blobs.delete(key)));
  }
}

const BATCH = 100;

/** Deletes uploads that were not finished or not taken in time. */
export async function sweepUploads(ctx: Deps): Promise<void> {
  for (;;) {
    const rows = await listEndedUploads.all(ctx.db, { now: ctx.clock.now(), limit: BATCH });
    for (const row of rows) {
      const retainedKey = row.state === 'taken' ? (row.blob_key ?? undefined) : undefined;
      await dropChunks(ctx, row.id, retainedKey);
      // Also files that a late request has written.
      const left = new Set([fileKey(row.id), placeKey(row.id), ...(row.blob_key === null ? [] : [row.blob_key])]);
      for (const key of left) if (key !== retainedKey) await ctx.blobs.delete(key);
      await tx(ctx, ({ db }) => deleteUploadRow.run(db, { id: row.id }));
    }
    if (rows.length < BATCH) return;
  }
}
