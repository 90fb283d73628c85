import { sql } from 'kysely';
import { isAmong, lockRows } from '../db/portable.ts';
import { insertInto, statement } from './uploads.tables.ts';

/** Returns nothing if the ID exists already. */
export const insertUpload = insertInto('uploads', (insert) =>
  insert.onConflict((c) => c.column('id').doNothing()).returningAll(),
);

export const findUploadRow = statement((q, p: { id: string }) =>
  q.selectFrom('uploads').selectAll().where('id', '=', p.id),
);

export const lockUploadRow = statement((q, p: { id: string }, dialect) =>
  lockRows(dialect, q.selectFrom('uploads').selectAll().where('id', '=', p.id)),
);

export const countOpenUploads = statement((q, p: { ownerId: string; purpose: string; now: number }) =>
  q
    .selectFrom('uploads')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_id', '=', p.ownerId)
    .where('purpose', '=', p.purpose)
    .where('state', '=', 'open')
    .where('expires_at', '>', p.now),
);

export const announceUpload = statement((q, p: { id: string; fileName: string; type: string; size: number }) =>
  q
    .updateTable('uploads')
    .set({ file_name: p.fileName, type: p.type, size: p.size })
    .where('id', '=', p.id)
    .where('state', '=', 'open')
    .returningAll(),
);

/** Succeeds once: of several concurrent callers, the first one wins. */
export const finishUploadRow = statement(
  (q, p: { id: string; key: string; size: number; sha256: string; fileName: string | null }) =>
    q
      .updateTable('uploads')
      .set({ state: 'finished', blob_key: p.key, size: p.size, sha256: p.sha256, file_name: p.fileName })
      .where('id', '=', p.id)
      .where('state', '=', 'open')
      .returningAll(),
);

export const cancelUploadRow = statement((q, p: { id: string }) =>
  q.updateTable('uploads').set({ state: 'cancelled' }).where('id', '=', p.id).where('state', '=', 'open'),
);

/** `userIds` is a JSON array. */
export const listBegunBy = statement((q, p: { userIds: string }, dialect) =>
  q
    .selectFrom('uploads')
    .select(['id', 'owner_id', 'begun_by'])
    .where(isAmong(dialect, 'begun_by', p.userIds))
    .where('state', '=', 'open')
    .orderBy('id'),
);

export const takeUploadRow = statement((q, p: { id: string }) =>
  q.updateTable('uploads').set({ state: 'taken' }).where('id', '=', p.id).where('state', '=', 'finished'),
);

export const listEndedUploads = statement((q, p: { now: number; limit: number }) =>
  q.selectFrom('uploads').selectAll().where('expires_at', '<=', p.now).orderBy('expires_at').limit(p.limit),
);

export const deleteUploadRow = statement((q, p: { id: string }) => q.deleteFrom('uploads').where('id', '=', p.id));

export const insertChunk = insertInto('upload_pieces');

export const completeChunk = statement(
  (q, p: { uploadId: string; name: string; attempt: string; size: number; sha256: string | null }) =>
    q
      .updateTable('upload_pieces')
      .set({ size: p.size, sha256: p.sha256 })
      .where('upload_id', '=', p.uploadId)
      .where('name', '=', p.name)
      .where('attempt', '=', p.attempt),
);

export const listChunks = statement((q, p: { uploadId: string }) =>
  q.selectFrom('upload_pieces').selectAll().where('upload_id', '=', p.uploadId).orderBy('attempt'),
);

/** All attempts of the chunk with this name. */
export const listNamedChunks = statement((q, p: { uploadId: string; name: string }) =>
  q.selectFrom('upload_pieces').selectAll().where('upload_id', '=', p.uploadId).where('name', '=', p.name),
);

export const listCompletedAt = statement((q, p: { uploadId: string; start: number | null }) =>
  q
    .selectFrom('upload_pieces')
    .select('size')
    .where('upload_id', '=', p.uploadId)
    .where('start', '=', p.start)
    .where('size', 'is not', null),
);

/** In the order of the file, starting at a byte; the last attempt first. */
export const listCompletedFrom = statement((q, p: { uploadId: string; start: number; limit: number }) =>
  q
    .selectFrom('upload_pieces')
    .select(['start', 'size'])
    .where('upload_id', '=', p.uploadId)
    .where('start', '>=', p.start)
    .where('size', '>', 0)
    .orderBy('start')
    .orderBy('attempt', 'desc')
    .limit(p.limit),
);

export const listPlacedFrom = statement((q, p: { uploadId: string; start: number; limit: number }) =>
  q
    .selectFrom('upload_pieces')
    .selectAll()
    .where('upload_id', '=', p.uploadId)
    .where('start', '>=', p.start)
    .where('placed', 'is not', null)
    .where('size', '>', 0)
    .orderBy('start')
    .limit(p.limit),
);

/** The last placed chunk that starts before a byte. Placed chunks never overlap. */
export const lastPlacedBefore = statement((q, p: { uploadId: string; end: number }) =>
  q
    .selectFrom('upload_pieces')
    .select(['start', 'placed'])
    .where('upload_id', '=', p.uploadId)
    .where('start', '<', p.end)
    .where('placed', 'is not', null)
    .orderBy('start', 'desc')
    .limit(1),
);

export const addToChunkTotals = statement((q, p: { id: string; chunks: number; bytes: number }) =>
  q
    .updateTable('uploads')
    .set((eb) => ({
      piece_count: eb('piece_count', '+', p.chunks),
      piece_bytes: eb('piece_bytes', '+', p.bytes),
    }))
    .where('id', '=', p.id),
);

export const saveReceived = statement((q, p: { id: string; received: number | null }) =>
  q.updateTable('uploads').set({ received: p.received }).where('id', '=', p.id),
);

export const deleteChunk = statement((q, p: { uploadId: string; name: string; attempt: string }) =>
  q
    .deleteFrom('upload_pieces')
    .where('upload_id', '=', p.uploadId)
    .where('name', '=', p.name)
    .where('attempt', '=', p.attempt),
);

export const deleteChunks = statement((q, p: { uploadId: string }) =>
  q.deleteFrom('upload_pieces').where('upload_id', '=', p.uploadId),
);

export const addDownload = insertInto('file_downloads', (insert) =>
  insert.onConflict((c) => c.column('key').doUpdateSet({ count: sql<number>`file_downloads.count + excluded.count` })),
);

export const saveBlocked = insertInto('file_downloads', (insert, p) =>
  insert.onConflict((c) => c.column('key').doUpdateSet({ is_blocked: p.is_blocked })),
);

export const findBlocked = statement((q, p: { key: string }) =>
  q.selectFrom('file_downloads').select('is_blocked').where('key', '=', p.key),
);

export const findDownloads = statement((q, p: { key: string }) =>
  q.selectFrom('file_downloads').select('count').where('key', '=', p.key),
);

export const deleteDownloads = statement((q, p: { key: string }) =>
  q.deleteFrom('file_downloads').where('key', '=', p.key),
);
