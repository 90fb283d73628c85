import type { Db } from '../../../db/open.ts';
import { isAmong } from '../../../db/portable.ts';
import { inChunks } from '../../../db/rows/chunks.ts';
import { type CrashAttachmentsTable, query, statement } from '../crashes.tables.ts';

export const findSentAttachments = (db: Db, appId: string, ids: readonly string[]) =>
  query(db, (q) =>
    q
      .selectFrom('crash_attachments')
      .select(['id', 'sent_id', 'install_id'])
      .where('app_id', '=', appId)
      .where('sent_id', 'in', ids),
  );

export const insertAttachments = (db: Db, rows: readonly CrashAttachmentsTable[]) =>
  inChunks(rows, (some) => query(db, (q) => q.insertInto('crash_attachments').values(some)));

/** The reports among these that have attachments. */
export const findAttached = (db: Db, appId: string, errorIds: readonly string[]) =>
  query(db, (q) =>
    q
      .selectFrom('crash_attachments')
      .select(['error_id', 'install_id'])
      .where('app_id', '=', appId)
      .where('error_id', 'in', errorIds),
  );

export const countAttached = (db: Db, appId: string, errorIds: readonly string[]) =>
  query(db, (q) =>
    q
      .selectFrom('crash_attachments')
      .select((eb) => ['error_id', 'install_id', eb.fn.countAll<number>().as('count')])
      .where('app_id', '=', appId)
      .where('error_id', 'in', errorIds)
      .groupBy(['error_id', 'install_id']),
  );

export const markAttached = statement((q, p: { appId: string; sentId: string; installId: string; has: 0 | 1 }) =>
  q
    .updateTable('crash_reports')
    .set({ has_attachments: p.has })
    .where('app_id', '=', p.appId)
    .where('sent_id', '=', p.sentId)
    .where('install_id', '=', p.installId),
);

export const listAttachments = statement((q, p: { appId: string; errorId: string; installId: string }) =>
  q
    .selectFrom('crash_attachments')
    .selectAll()
    .where('app_id', '=', p.appId)
    .where('error_id', '=', p.errorId)
    .where('install_id', '=', p.installId)
    .orderBy('created_at')
    .orderBy('id'),
);

export const deleteAttachments = (db: Db, appId: string, ids: readonly string[]) =>
  inChunks(ids, (some) =>
    query(db, (q) => q.deleteFrom('crash_attachments').where('app_id', '=', appId).where('id', 'in', some)),
  );

/** Attachments whose report never arrived or was deleted. */
export const listOldAttachments = statement((q, p: { appId: string; before: number; limit: number }) =>
  q
    .selectFrom('crash_attachments')
    .select(['id', 'blob_key'])
    .where('app_id', '=', p.appId)
    .where('created_at', '<', p.before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('crash_reports')
            .select('crash_reports.id')
            .where('crash_reports.app_id', '=', p.appId)
            .whereRef('crash_reports.sent_id', '=', 'crash_attachments.error_id')
            .whereRef('crash_reports.install_id', '=', 'crash_attachments.install_id'),
        ),
      ),
    )
    .limit(p.limit),
);

export const findAppWithAttachments = statement((q, p: { after: string }) =>
  q
    .selectFrom('crash_attachments')
    .leftJoin('app_names', 'app_names.id', 'crash_attachments.app_id')
    .select(['crash_attachments.app_id', 'app_names.id as kept'])
    .where('crash_attachments.app_id', '>', p.after)
    .orderBy('crash_attachments.app_id')
    .limit(1),
);

/** Omitted attachments have no blob. */
export const sumAttachmentSizes = statement((q, p: { appIds: string }, dialect) =>
  q
    .selectFrom('crash_attachments')
    .select((eb) => ['app_id', eb.fn.sum<number | null>('size').as('sum')])
    .where(isAmong(dialect, 'app_id', p.appIds))
    .where('blob_key', '!=', '')
    .groupBy('app_id'),
);

export const countLeftOut = statement((q, p: { appIds: string; from: number; until: number }, dialect) =>
  q
    .selectFrom('crash_attachments')
    .select((eb) => ['app_id', eb.fn.countAll<number>().as('sum')])
    .where(isAmong(dialect, 'app_id', p.appIds))
    .where('blob_key', '=', '')
    .where('created_at', '>=', p.from)
    .where('created_at', '<', p.until)
    .groupBy('app_id'),
);
