import { sql } from 'kysely';
import { lockRows } from '../db/portable.ts';
import { insertInto, statement } from './uploads.tables.ts';

/** Nothing comes back when there is one with that id. */
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

/** Only once: of several who finish it at the same time, the first decides. */
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

export const takeUploadRow = statement((q, p: { id: string }) =>
  q.updateTable('uploads').set({ state: 'taken' }).where('id', '=', p.id).where('state', '=', 'finished'),
);

export const listEndedUploads = statement((q, p: { now: number; limit: number }) =>
  q.selectFrom('uploads').selectAll().where('expires_at', '<=', p.now).orderBy('expires_at').limit(p.limit),
);

export const deleteUploadRow = statement((q, p: { id: string }) => q.deleteFrom('uploads').where('id', '=', p.id));

export const addPiece = insertInto('upload_pieces');

export const completePiece = statement(
  (q, p: { uploadId: string; name: string; attempt: string; size: number; sha256: string }) =>
    q
      .updateTable('upload_pieces')
      .set({ size: p.size, sha256: p.sha256 })
      .where('upload_id', '=', p.uploadId)
      .where('name', '=', p.name)
      .where('attempt', '=', p.attempt),
);

export const listPieces = statement((q, p: { uploadId: string }) =>
  q.selectFrom('upload_pieces').selectAll().where('upload_id', '=', p.uploadId).orderBy('attempt'),
);

export const deletePiece = statement((q, p: { uploadId: string; name: string; attempt: string }) =>
  q
    .deleteFrom('upload_pieces')
    .where('upload_id', '=', p.uploadId)
    .where('name', '=', p.name)
    .where('attempt', '=', p.attempt),
);

export const deletePieces = statement((q, p: { uploadId: string }) =>
  q.deleteFrom('upload_pieces').where('upload_id', '=', p.uploadId),
);

export const addDownload = insertInto('file_downloads', (insert) =>
  insert.onConflict((c) => c.column('key').doUpdateSet({ count: sql<number>`file_downloads.count + excluded.count` })),
);

export const deleteDownloads = statement((q, p: { key: string }) =>
  q.deleteFrom('file_downloads').where('key', '=', p.key),
);
