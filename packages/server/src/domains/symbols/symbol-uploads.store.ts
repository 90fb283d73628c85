import type { Db } from '../../db/open.ts';
import { isAmong, lockRows } from '../../db/portable.ts';
import { insertInto, query, type SymbolType, statement, type UploadStatus, updateRow } from './symbols.tables.ts';

export const insertSymbolUpload = insertInto('symbol_uploads');
export const updateSymbolUpload = updateRow('symbol_uploads');

export const lockSymbolUpload = statement((q, p: { id: string; appId: string }, dialect) =>
  lockRows(dialect, q.selectFrom('symbol_uploads').selectAll().where('id', '=', p.id).where('app_id', '=', p.appId)),
);

export const findSymbolUpload = statement((q, p: { id: string }) =>
  q.selectFrom('symbol_uploads').selectAll().where('id', '=', p.id),
);

/** Uploads with these checksums; `sha1s` is a JSON array. */
export const listUploadsBySha1 = statement((q, p: { appId: string; sha1s: string }, dialect) =>
  q
    .selectFrom('symbol_uploads')
    .selectAll()
    .where('app_id', '=', p.appId)
    .where(isAmong(dialect, 'sha1', p.sha1s))
    .orderBy('created_at')
    .orderBy('id'),
);

export const forgetSha1 = statement((q, p: { id: string }) =>
  q.updateTable('symbol_uploads').set({ sha1: null }).where('id', '=', p.id),
);

export const deleteSymbolUploadRow = statement((q, p: { id: string }) =>
  q.deleteFrom('symbol_uploads').where('id', '=', p.id),
);

/** Includes the users who uploaded them; newest first. */
export const listSymbolUploadRows = (
  db: Db,
  {
    appId,
    id,
    type,
    statuses,
    limit,
  }: {
    appId: string;
    id?: string | undefined;
    type?: SymbolType | undefined;
    statuses?: readonly UploadStatus[] | undefined;
    limit: number;
  },
) =>
  query(db, (q) => {
    const select = q
      .selectFrom('symbol_uploads as upload')
      .leftJoin('owner_names', 'owner_names.id', 'upload.user_id')
      .selectAll('upload')
      .select('owner_names.display_name')
      .select((eb) =>
        eb.selectFrom('people').select('people.email').whereRef('people.id', '=', 'upload.user_id').as('email'),
      )
      .where('upload.app_id', '=', appId)
      .orderBy('upload.created_at', 'desc')
      .orderBy('upload.id', 'desc')
      .limit(limit);
    const ofId = id === undefined ? select : select.where('upload.id', '=', id);
    const ofType = type === undefined ? ofId : ofId.where('upload.type', '=', type);
    return statuses === undefined ? ofType : ofType.where('upload.status', 'in', statuses);
  });

export type SymbolUploadRow = Awaited<ReturnType<typeof listSymbolUploadRows>>[number];

export const listUploadSymbols = (db: Db, uploadIds: readonly string[]) =>
  query(db, (q) =>
    q
      .selectFrom('symbols')
      .select(['upload_id', 'symbol_id', 'arch', 'name'])
      .where('upload_id', 'in', uploadIds)
      .orderBy('symbol_id'),
  );

/** Uploads of deleted apps. */
export const listOrphanUploads = statement((q, p: { limit: number }) =>
  q
    .selectFrom('symbol_uploads')
    .select(['id', 'blob_key'])
    .where('app_id', 'not in', q.selectFrom('app_names').select('app_names.id'))
    .limit(p.limit),
);

/** Uploads that were started and never committed. */
export const listAbandonedUploads = statement((q, p: { before: number; limit: number }) =>
  q
    .selectFrom('symbol_uploads')
    .select('id')
    .where('status', '=', 'created')
    .where('created_at', '<', p.before)
    .limit(p.limit),
);

export const sumUploadSizes = statement((q, p: { appIds: string }, dialect) =>
  q
    .selectFrom('symbol_uploads')
    .select((eb) => ['app_id', eb.fn.sum<number | null>('size').as('sum')])
    .where(isAmong(dialect, 'app_id', p.appIds))
    .groupBy('app_id'),
);

/** Symbols count with their decompressed size; several of one file count once. */
export const sumSymbolSizes = statement((q, p: { appIds: string }, dialect) =>
  q
    .selectFrom((e) =>
      e
        .selectFrom('symbols')
        .select(['app_id', 'blob_key', (eb) => eb.fn.max('size').as('size')])
        .where(isAmong(dialect, 'app_id', p.appIds))
        .groupBy(['app_id', 'blob_key'])
        .as('files'),
    )
    .select((eb) => ['files.app_id', eb.fn.sum<number | null>('files.size').as('sum')])
    .groupBy('files.app_id'),
);
