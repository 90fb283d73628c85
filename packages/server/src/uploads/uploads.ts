import type { Actor, Ctx, Deps } from '../context.ts';
import { lock } from '../db/locks.ts';
import { tx } from '../db/tx.ts';
import { answerUrl } from '../kernel/answer-url.ts';
import { HOUR } from '../kernel/clock.ts';
import { badRequest, conflict, Failure, forbidden, notFound, tooManyRequests, unavailable } from '../kernel/errors.ts';
import { cleanFileName } from './file-names.ts';
import { isUploadToken, uploadToken } from './upload-tokens.ts';
import {
  announceUpload,
  cancelUploadRow,
  countOpenUploads,
  deletePieces,
  deleteUploadRow,
  findUploadRow,
  insertUpload,
  listBegunBy,
  listEndedUploads,
  listPieces,
  lockUploadRow,
  takeUploadRow,
} from './uploads.store.ts';
import type { UploadPiecesTable, UploadsTable } from './uploads.tables.ts';

const MIB = 1024 * 1024;

/** What files are uploaded for. The domain that takes them defines it. */
export interface UploadPurpose {
  readonly name: string;
  readonly maxBytes: number;
}

const purposes = new Set<string>();

export function defineUploadPurpose(name: string, { maxBytes = Number.POSITIVE_INFINITY } = {}): UploadPurpose {
  if (purposes.has(name)) throw new Error(`The purpose ${name} of uploads is defined twice.`);
  purposes.add(name);
  return { name, maxBytes };
}

/** A file that has arrived. */
export interface UploadedFile {
  /** Where it is among the blobs. */
  key: string;
  size: number;
  /** In hexadecimal. */
  sha256: string;
  /** Without a path; `file` if the sender did not say. */
  name: string;
}

export interface Upload {
  id: string;
  state: UploadsTable['state'];
  fileName: string | undefined;
  /** As it was announced. */
  size: number | undefined;
  maxBytes: number;
  expiresAt: number;
  /** Once it is finished, until it is taken. */
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

/** Where the pieces are put together. */
export const fileKey = (uploadId: string): string => `uploads/${uploadId}/file`;
/** Where they are written to at once, each in its place, if the store can. */
export const placeKey = (uploadId: string): string => `uploads/${uploadId}/whole`;
export const pieceKey = (piece: Pick<UploadPiecesTable, 'upload_id' | 'name' | 'attempt'>): string =>
  `uploads/${piece.upload_id}/${piece.name}-${piece.attempt}`;

export const tooLarge = (maxBytes: number): Failure =>
  new Failure('PayloadTooLarge', `The file is larger than ${maxBytes} bytes, which is the most that is taken here.`);

/** Bytes of room on the disk above the reserve; a bucket has no end. */
export async function roomLeft({ blobs, config }: Pick<Deps, 'blobs' | 'config'>): Promise<number> {
  const free = await blobs.free();
  return free === undefined ? Number.POSITIVE_INFINITY : Math.max(0, free - config.diskReserveMb * MIB);
}

/** Refuses what would fill the disk; a bucket has no end. */
export async function checkRoom({ blobs, config }: Pick<Deps, 'blobs' | 'config'>, size: number): Promise<void> {
  const free = await blobs.free();
  if (free !== undefined && free - size < config.diskReserveMb * MIB) {
    throw unavailable('The disk of this server has no room for this file; ask whoever runs it to make some.');
  }
}

export interface NewUpload {
  /** Whose limit of uploads in flight it counts against, most often an app. */
  ownerId: string;
  fileName?: string | undefined;
  size?: number | undefined;
  /** Chosen by the sender, so that to begin again is to continue. */
  id?: string | undefined;
}

function checkSize(size: number | undefined, maxBytes: number): void {
  if (size !== undefined && size > maxBytes) throw tooLarge(maxBytes);
  if (size === 0) throw badRequest('The file is empty.');
}

const nameOf = (fileName: string): string => {
  const clean = cleanFileName(fileName);
  if (clean === undefined) throw badRequest(`"${fileName.slice(0, 100)}" cannot be the name of a file.`);
  return clean;
};

/** A token stands for the account that created it. */
const readAccount = (actor: Actor | undefined): string | null => {
  if (actor?.kind === 'user') return actor.user.id;
  return actor?.kind === 'app' ? actor.createdBy.id : null;
};

/** Begins an upload, in the caller's transaction if there is one. */
export async function beginUpload(
  ctx: Deps & { actor?: Actor },
  purpose: UploadPurpose,
  input: NewUpload,
): Promise<Upload> {
  const { ownerId, size } = input;
  const { config, clock } = ctx;
  const maxBytes = Math.min(purpose.maxBytes, config.uploadLimitMb * MIB);
  checkSize(size, maxBytes);
  await checkRoom(ctx, size ?? 0);
  const now = clock.now();
  return tx(ctx, async (ctx) => {
    await lock(ctx, 'limits', `uploads ${ownerId}`);
    const open = await countOpenUploads.first(ctx.db, { ownerId, purpose: purpose.name, now });
    if (Number(open?.count ?? 0) >= config.uploadsInFlight) {
      const message = `There are ${config.uploadsInFlight} uploads that were begun and not finished; finish or cancel one, or wait until they expire.`;
      throw tooManyRequests(message, HOUR / 1000);
    }
    const row = await insertUpload.first(ctx.db, {
      id: input.id ?? ctx.newId(),
      purpose: purpose.name,
      owner_id: ownerId,
      begun_by: readAccount(ctx.actor),
      state: 'open',
      file_name: input.fileName === undefined ? null : nameOf(input.fileName),
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
    if (!row) throw conflict('There is an upload with that id already.');
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

/** Makes a finished file the caller's own, in their transaction: from then on its blob is theirs to delete. */
export const takeUpload = (ctx: Deps, purpose: UploadPurpose, which: Which): Promise<UploadedFile> =>
  tx(ctx, async (ctx) => {
    const row = await lockUploadRow.first(ctx.db, { id: which.id });
    if (!isOurs(row, purpose, which)) throw notFound('upload', which.id);
    const { file, state } = toUpload(row);
    if (state === 'taken') throw conflict('This upload was used already.');
    if (!file) throw badRequest('The upload is not finished: not all of the file has arrived.');
    // Its blob may be deleted at this very moment.
    if (row.expires_at <= ctx.clock.now()) throw conflict('This upload has expired; begin a new one.');
    await takeUploadRow.run(ctx.db, { id: which.id });
    return file;
  });

/** The upload that a token is for, as clients of the file host show it. */
export async function openUpload(ctx: Deps, id: string, token: string): Promise<Upload> {
  const row = isUploadToken(ctx, id, token) ? await findUploadRow.first(ctx.db, { id }) : undefined;
  if (!row) throw forbidden('The token is not one of this upload, or has expired; begin the upload again.');
  return toUpload(row);
}

export function refuseUnlessOpen({ state }: Upload): void {
  if (state === 'cancelled') throw conflict('This upload was cancelled; begin a new one.');
  if (state !== 'open') throw conflict('This upload is finished; begin a new one for another file.');
}

/** Says what is going to come. */
export async function announceFile(
  ctx: Deps,
  upload: Upload,
  { fileName, size }: { fileName: string; size: number },
): Promise<Upload> {
  refuseUnlessOpen(upload);
  checkSize(size, upload.maxBytes);
  await checkRoom(ctx, size);
  const announced = { id: upload.id, fileName: nameOf(fileName), type: 'application/octet-stream', size };
  const row = await tx(ctx, ({ db }) => announceUpload.first(db, announced));
  if (!row) throw conflict('This upload is no longer open; begin a new one.');
  return toUpload(row);
}

/** Where clients of each dialect send the file, and what they show for it. */
export function uploadAddresses(ctx: Ctx, upload: Pick<Upload, 'id' | 'expiresAt'>) {
  const token = uploadToken(ctx, upload);
  const base = answerUrl(ctx);
  return {
    /** For the file host's clients. */
    domain: base,
    token,
    /** Takes a form with the file in its field `ipa`. */
    formUrl: `${base}/upload/form/${upload.id}?token=${token}`,
    /** Speaks the blob dialect: one PUT, or blocks and their list. */
    blobUrl: `${base}/upload/${upload.id}?token=${token}`,
  };
}

/** Ends an upload that is not wanted; whether it did: one that was finished stays. */
export async function cancelUpload(ctx: Deps, upload: Pick<Upload, 'id'>): Promise<boolean> {
  const cancelled = await tx(ctx, ({ db }) => cancelUploadRow.run(db, { id: upload.id }));
  if (cancelled > 0) await dropPieces(ctx, upload.id);
  return cancelled > 0;
}

/** Cancels the open uploads of these accounts that `mayContinue` refuses; the sweep removes what has arrived. */
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

/** Blobs first: a row that is left behind by a crash is found again, a blob would not be. */
export async function dropPieces(ctx: Deps, uploadId: string, kept?: string): Promise<void> {
  const pieces = await listPieces.all(ctx.db, { uploadId });
  const keys = new Set(pieces.map((piece) => (piece.placed === null ? pieceKey(piece) : placeKey(uploadId))));
  // Also of one that broke off, which has no row.
  if (ctx.blobs.putPart) keys.add(placeKey(uploadId));
  if (kept !== undefined) keys.delete(kept);
  await deleteBlobs(ctx, [...keys]);
  await tx(ctx, ({ db }) => deletePieces.run(db, { uploadId }));
}

const AT_ONCE = 16;

/** Some at once: whoever finished the upload waits for it, and a bucket is far away. */
async function deleteBlobs({ blobs }: Pick<Deps, 'blobs'>, keys: readonly string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += AT_ONCE) {
    await Promise.all(keys.slice(at, at + AT_ONCE).map((key) => blobs.delete(key)));
  }
}

const BATCH = 100;

/** Removes what was not finished, or not taken, in time. */
export async function sweepUploads(ctx: Deps): Promise<void> {
  for (;;) {
    const rows = await listEndedUploads.all(ctx.db, { now: ctx.clock.now(), limit: BATCH });
    for (const row of rows) {
      const kept = row.state === 'taken' ? (row.blob_key ?? undefined) : undefined;
      await dropPieces(ctx, row.id, kept);
      // Also what was written by somebody who came too late.
      const left = new Set([fileKey(row.id), placeKey(row.id), ...(row.blob_key === null ? [] : [row.blob_key])]);
      for (const key of left) if (key !== kept) await ctx.blobs.delete(key);
      await tx(ctx, ({ db }) => deleteUploadRow.run(db, { id: row.id }));
    }
    if (rows.length < BATCH) return;
  }
}
