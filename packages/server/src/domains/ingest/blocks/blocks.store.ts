import { insertInto, statement } from '../ingest.tables.ts';

export const insertBlock = insertInto('ingest_blocks', (insert) =>
  insert.onConflict((c) => c.columns(['app_id', 'install_id']).doNothing()),
);

export const deleteBlock = statement((q, p: { appId: string; installId: string }) =>
  q.deleteFrom('ingest_blocks').where('app_id', '=', p.appId).where('install_id', '=', p.installId),
);

export const findBlock = statement((q, p: { appId: string; installId: string }) =>
  q.selectFrom('ingest_blocks').select('app_id').where('app_id', '=', p.appId).where('install_id', '=', p.installId),
);

/** The empty ID, which blocks the whole app, comes first. */
export const findFirstBlock = statement((q, p: { appId: string }) =>
  q.selectFrom('ingest_blocks').select('install_id').where('app_id', '=', p.appId).orderBy('install_id').limit(1),
);
