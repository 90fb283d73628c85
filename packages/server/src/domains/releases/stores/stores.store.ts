import { insertInto, statement } from '../releases.tables.ts';

export const insertStore = insertInto('distribution_stores');

export const listStoreRows = statement((q, p: { appId: string }) =>
  q.selectFrom('distribution_stores').selectAll().where('app_id', '=', p.appId).orderBy('name_key'),
);

export const findStoreByName = statement((q, p: { appId: string; nameKey: string }) =>
  q.selectFrom('distribution_stores').selectAll().where('app_id', '=', p.appId).where('name_key', '=', p.nameKey),
);

export const findStoreById = statement((q, p: { appId: string; id: string }) =>
  q.selectFrom('distribution_stores').selectAll().where('app_id', '=', p.appId).where('id', '=', p.id),
);

export const saveStoreConnection = statement((q, p: { id: string; serviceConnectionId: string }) =>
  q.updateTable('distribution_stores').set({ service_connection_id: p.serviceConnectionId }).where('id', '=', p.id),
);

export const saveStoreCredentials = statement((q, p: { id: string; sealed: string }) =>
  q.updateTable('distribution_stores').set({ sealed_credentials: p.sealed }).where('id', '=', p.id),
);

export const clearStoreCredentials = statement((q, p: { appId: string }) =>
  q.updateTable('distribution_stores').set({ sealed_credentials: null }).where('app_id', '=', p.appId),
);

export const deleteStoreRow = statement((q, p: { id: string }) =>
  q.deleteFrom('distribution_stores').where('id', '=', p.id),
);

/** Lists the releases in a store, newest first. */
export const listStoreReleaseRows = statement((q, p: { appId: string; storeId: string }) =>
  q
    .selectFrom('release_stores')
    .select(['release_id', 'status', 'error', 'log', 'attempt'])
    .where('app_id', '=', p.appId)
    .where('store_id', '=', p.storeId)
    .orderBy('release_id', 'desc'),
);

export const findLatestStoreRelease = statement((q, p: { appId: string; storeId: string }) =>
  q
    .selectFrom('release_stores')
    .select('release_id')
    .where('app_id', '=', p.appId)
    .where('store_id', '=', p.storeId)
    .orderBy('release_id', 'desc')
    .limit(1),
);

export const findSilentPublishing = statement((q, p: { appId: string }) =>
  q
    .selectFrom('release_stores')
    .innerJoin('distribution_stores', 'distribution_stores.id', 'release_stores.store_id')
    .select('distribution_stores.type')
    .where('release_stores.app_id', '=', p.appId)
    .where('release_stores.status', '=', 'processing')
    .where('release_stores.error', 'is not', null)
    .orderBy('release_stores.release_id', 'desc')
    .orderBy('distribution_stores.name_key')
    .limit(1),
);

/** Starting again is a new attempt: updates of an earlier one are ignored. */
export const saveReleaseStore = insertInto('release_stores', (insert, p) =>
  insert.onConflict((c) =>
    c
      .columns(['app_id', 'release_id', 'store_id'])
      .doUpdateSet({ status: p.status, attempt: p.attempt, log: p.log, error: null, added_at: p.added_at }),
  ),
);

/** Lists stores by the user who created them, if that user can sign in. */
export const listStoresByCreator = statement((q, p: { userId: string }) =>
  q
    .selectFrom('distribution_stores')
    .select(['id', 'name', 'type'])
    .where('created_by', '=', p.userId)
    .where('sealed_credentials', 'is not', null)
    .orderBy('id'),
);

export interface Publishing {
  appId: string;
  releaseId: number;
  storeId: string;
}

export const findReleaseStore = statement((q, p: Publishing) =>
  q
    .selectFrom('release_stores')
    .selectAll()
    .where('app_id', '=', p.appId)
    .where('release_id', '=', p.releaseId)
    .where('store_id', '=', p.storeId),
);

/** Finds the release and store of a runner's job. */
export const findReleaseStoreByAttempt = statement((q, p: { appId: string; attempt: string }) =>
  q
    .selectFrom('release_stores')
    .select(['release_id', 'store_id'])
    .where('app_id', '=', p.appId)
    .where('attempt', '=', p.attempt),
);

export const listStoreAttempts = statement((q, p: { storeId: string }) =>
  q.selectFrom('release_stores').select('attempt').where('store_id', '=', p.storeId).orderBy('attempt'),
);

export const listReleaseAttempts = statement((q, p: { appId: string; releaseId: number }) =>
  q
    .selectFrom('release_stores')
    .select('attempt')
    .where('app_id', '=', p.appId)
    .where('release_id', '=', p.releaseId)
    .orderBy('attempt'),
);

/** Changes only the latest attempt, and only until it has ended. */
export const savePublishing = statement(
  (q, p: Publishing & { attempt: string; status: string; log: string; error: string | null }) =>
    q
      .updateTable('release_stores')
      .set({ status: p.status, log: p.log, error: p.error })
      .where('app_id', '=', p.appId)
      .where('release_id', '=', p.releaseId)
      .where('store_id', '=', p.storeId)
      .where('attempt', '=', p.attempt)
      .where('status', 'in', ['submitted', 'processing']),
);

export const deleteReleaseStore = statement((q, p: Publishing) =>
  q
    .deleteFrom('release_stores')
    .where('app_id', '=', p.appId)
    .where('release_id', '=', p.releaseId)
    .where('store_id', '=', p.storeId),
);

/** Releases of an app in its stores, newest first. */
export const listPublished = statement((q, p: { appId: string; limit: number }) =>
  q
    .selectFrom('release_stores')
    .innerJoin('distribution_stores', 'distribution_stores.id', 'release_stores.store_id')
    .select(['release_stores.store_id', 'distribution_stores.name'])
    .select(['release_stores.release_id', 'release_stores.status', 'release_stores.added_at'])
    .where('release_stores.app_id', '=', p.appId)
    .orderBy('release_stores.release_id', 'desc')
    .limit(p.limit),
);
