import { sql } from 'kysely';
import { lockRows } from '../../../db/portable.ts';
import { insertInto, type ReleaseUploadsTable, statement } from '../releases.tables.ts';

export const insertReleaseUpload = insertInto('release_uploads', (insert) =>
  insert.onConflict((c) => c.column('id').doNothing()),
);

export const findReleaseUpload = statement((q, p: { id: string }) =>
  q.selectFrom('release_uploads').selectAll().where('id', '=', p.id),
);

export const lockReleaseUpload = statement((q, p: { id: string }, dialect) =>
  lockRows(dialect, q.selectFrom('release_uploads').selectAll().where('id', '=', p.id)),
);

export const saveReleaseUpload = statement(
  (
    q,
    p: {
      id: string;
      status: ReleaseUploadsTable['status'];
      file: string | null;
      errorDetails: string | null;
      releaseId: number | null;
    },
  ) =>
    q
      .updateTable('release_uploads')
      .set({ status: p.status, file: p.file, error_details: p.errorDetails, release_id: p.releaseId })
      .where('id', '=', p.id),
);

/** Takes the next release ID of an app; locks the row until the release exists. */
export const takeReleaseId = insertInto('release_counters', (insert) =>
  insert
    .onConflict((c) => c.column('app_id').doUpdateSet({ last_id: sql<number>`release_counters.last_id + 1` }))
    .returning('last_id'),
);

export const insertRelease = insertInto('releases');
export const insertHash = insertInto('release_hashes', (insert) => insert.onConflict((c) => c.doNothing()));

export const deleteOldReleaseUploads = statement((q, p: { before: number; limit: number }) =>
  q
    .deleteFrom('release_uploads')
    .where(
      'id',
      'in',
      q
        .selectFrom('release_uploads as old')
        .select('old.id')
        .where('old.created_at', '<', p.before)
        .where('old.file', 'is', null)
        .limit(p.limit),
    ),
);
