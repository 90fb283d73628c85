import type { Kysely } from 'kysely';
import { insertInto, statement, type Tables } from '../releases.tables.ts';

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

const selectPublishing = (q: Kysely<Tables>) =>
  q
    .selectFrom('release_stores')
    .innerJoin('distribution_stores', 'distribution_stores.id', 'release_stores.store_id')
    .select([
      'release_stores.release_id',
      'release_stores.status',
      'release_stores.error',
      'release_stores.log',
      'release_stores.attempt',
      'distribution_stores.id',
      'distribution_stores.name',
      'distribution_stores.type',
      'distribution_stores.track',
    ]);

/** Which stores have which releases of an app, the newest first. */
export const listReleaseStores = statement((q, p: { appId: string }) =>
  selectPublishing(q)
    .where('release_stores.app_id', '=', p.appId)
    .orderBy('release_stores.release_id', 'desc')
    .orderBy('distribution_stores.name_key'),
);

/** Whoever begins anew is another attempt: what an earlier one has to say no longer counts. */
export const saveReleaseStore = insertInto('release_stores', (insert, p) =>
  insert.onConflict((c) =>
    c
      .columns(['app_id', 'release_id', 'store_id'])
      .doUpdateSet({ status: p.status, attempt: p.attempt, log: p.log, error: null, added_at: p.added_at }),
  ),
);

/** Those that somebody made and that can sign in. */
export const listStoresOfPerson = statement((q, p: { userId: string }) =>
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

/** What a job of a runner is about. */
export const findReleaseStoreByAttempt = statement((q, p: { appId: string; attempt: string }) =>
  q
    .selectFrom('release_stores')
    .select(['release_id', 'store_id'])
    .where('app_id', '=', p.appId)
    .where('attempt', '=', p.attempt),
);

export const listAttemptsOfStore = statement((q, p: { storeId: string }) =>
  q.selectFrom('release_stores').select('attempt').where('store_id', '=', p.storeId).orderBy('attempt'),
);

export const listAttemptsOfRelease = statement((q, p: { appId: string; releaseId: number }) =>
  q
    .selectFrom('release_stores')
    .select('attempt')
    .where('app_id', '=', p.appId)
    .where('release_id', '=', p.releaseId)
    .orderBy('attempt'),
);

/** Only of the attempt that is the latest one, and only until it has ended. */
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
