import type { Db } from '../../db/open.ts';
import { isAmong } from '../../db/portable.ts';
import { insertInto, query, statement } from './symbols.tables.ts';

/** Replaces existing symbols; does not delete blobs. */
export const upsertSymbol = insertInto('symbols', (insert) =>
  insert.onConflict((conflict) =>
    conflict.columns(['app_id', 'symbol_id']).doUpdateSet((eb) => ({
      upload_id: eb.ref('excluded.upload_id'),
      type: eb.ref('excluded.type'),
      format: eb.ref('excluded.format'),
      name: eb.ref('excluded.name'),
      arch: eb.ref('excluded.arch'),
      text_address: eb.ref('excluded.text_address'),
      version: eb.ref('excluded.version'),
      build: eb.ref('excluded.build'),
      blob_key: eb.ref('excluded.blob_key'),
      size: eb.ref('excluded.size'),
      has_lines: eb.ref('excluded.has_lines'),
      created_at: eb.ref('excluded.created_at'),
    })),
  ),
);

export const insertAlias = insertInto('symbol_aliases', (insert) => insert.onConflict((c) => c.doNothing()));

export const findBlobKey = statement((q, p: { appId: string; id: string }) =>
  q
    .selectFrom('symbols')
    .select(['blob_key', 'has_lines', 'upload_id'])
    .where('app_id', '=', p.appId)
    .where('symbol_id', '=', p.id),
);

export const isBlobUsed = statement((q, p: { key: string }) =>
  q.selectFrom('symbols').select('symbol_id').where('blob_key', '=', p.key).limit(1),
);

export const listSymbolRows = statement((q, p: { appId: string }) =>
  q
    .selectFrom('symbols')
    .selectAll()
    .where('app_id', '=', p.appId)
    .orderBy('created_at', 'desc')
    .orderBy('symbol_id')
    .limit(10_000),
);

export const findSymbolRow = statement((q, p: { appId: string; id: string }) =>
  q.selectFrom('symbols').selectAll().where('app_id', '=', p.appId).where('symbol_id', '=', p.id),
);

/** Symbols of these uploads; `uploadIds` is a JSON array. */
export const listUploadedSymbols = statement((q, p: { uploadIds: string }, dialect) =>
  q
    .selectFrom('symbols')
    .selectAll()
    .where(isAmong(dialect, 'upload_id', p.uploadIds))
    .orderBy('symbol_id'),
);

/** Finds symbols by ID or alias. */
export const findSymbolsByIds = (db: Db, appId: string, ids: readonly string[]) =>
  query(db, (q) =>
    q
      .selectFrom('symbols')
      .leftJoin('symbol_aliases as alias', (join) =>
        join.onRef('alias.app_id', '=', 'symbols.app_id').onRef('alias.symbol_id', '=', 'symbols.symbol_id'),
      )
      .selectAll('symbols')
      .select('alias.alias')
      .where('symbols.app_id', '=', appId)
      .where((eb) => eb.or([eb('symbols.symbol_id', 'in', ids), eb('alias.alias', 'in', ids)])),
  );

/** The newest symbols of each type for a version and build of the app. */
export const listVersionSymbols = statement((q, p: { appId: string; version: string; build: string }) =>
  q
    .selectFrom('symbols')
    .selectAll()
    .where('app_id', '=', p.appId)
    .where('version', '=', p.version)
    .where('build', '=', p.build)
    .where('type', 'in', ['AndroidProguard', 'JavaScript', 'Apple'])
    .orderBy('created_at', 'desc')
    .limit(100),
);

export const findSymbolsByName = statement((q, p: { appId: string; name: string }) =>
  q
    .selectFrom('symbols')
    .select(['symbol_id', 'version', 'build', 'arch', 'created_at'])
    .where('app_id', '=', p.appId)
    .where('name', '=', p.name)
    .orderBy('created_at', 'desc')
    .limit(5),
);

export const listAliases = (db: Db, appId: string, ids: readonly string[]) =>
  query(db, (q) =>
    q
      .selectFrom('symbol_aliases')
      .select(['symbol_id', 'alias'])
      .where('app_id', '=', appId)
      .where('symbol_id', 'in', ids)
      .orderBy('alias'),
  );

export const touchSymbols = (db: Db, appId: string, ids: readonly string[], now: number) =>
  query(db, (q) =>
    q.updateTable('symbols').set({ used_at: now }).where('app_id', '=', appId).where('symbol_id', 'in', ids),
  );

export const deleteUploadSymbols = statement((q, p: { uploadId: string }) =>
  q.deleteFrom('symbols').where('upload_id', '=', p.uploadId).returning(['app_id', 'symbol_id', 'blob_key']),
);

export const deleteSymbolRow = statement((q, p: { appId: string; id: string }) =>
  q.deleteFrom('symbols').where('app_id', '=', p.appId).where('symbol_id', '=', p.id),
);

export const deleteAliases = statement((q, p: { appId: string; id: string }) =>
  q.deleteFrom('symbol_aliases').where('app_id', '=', p.appId).where('symbol_id', '=', p.id),
);

export const listUnusedSymbols = statement((q, p: { before: number; limit: number }) =>
  q
    .selectFrom('symbols')
    .select(['app_id', 'symbol_id', 'blob_key', 'upload_id'])
    .where('used_at', '<', p.before)
    .orderBy('used_at')
    .limit(p.limit),
);

export const insertIgnored = insertInto('ignored_symbols', (insert) => insert.onConflict((c) => c.doNothing()));

export const deleteIgnored = statement((q, p: { appId: string; id: string }) =>
  q.deleteFrom('ignored_symbols').where('app_id', '=', p.appId).where('symbol_id', '=', p.id),
);

export const listIgnored = statement((q, p: { appId: string }) =>
  q.selectFrom('ignored_symbols').select('symbol_id').where('app_id', '=', p.appId),
);

export const findAppPath = statement((q, p: { appId: string }) =>
  q
    .selectFrom('app_names')
    .innerJoin('owner_names', 'owner_names.id', 'app_names.owner_id')
    .select(['app_names.name as appName', 'owner_names.name as ownerName'])
    .where('app_names.id', '=', p.appId),
);
