import { lockRowsForNoKeyUpdate } from '../../db/portable.ts';
import { insertInto, statement } from './sdk-keys.tables.ts';

/** Inserts nothing if another app has the ID. */
export const insertProject = insertInto('sdk_projects', (insert) =>
  insert.onConflict((c) => c.column('id').doNothing()),
);

export const insertKey = insertInto('sdk_keys');

export const findProject = statement((q, p: { appId: string }) =>
  q.selectFrom('sdk_projects').select('id').where('app_id', '=', p.appId),
);

/** Changes of the keys of an app wait for each other. */
export const lockProject = statement((q, p: { appId: string }, dialect) =>
  lockRowsForNoKeyUpdate(dialect, q.selectFrom('sdk_projects').select('id').where('app_id', '=', p.appId)),
);

/** The keys of an app that have not ended, newest first. */
export const listValidKeys = statement((q, p: { appId: string; now: number }) =>
  q
    .selectFrom('sdk_keys')
    .selectAll()
    .where('app_id', '=', p.appId)
    .where((eb) => eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', p.now)]))
    .orderBy('created_at', 'desc')
    .orderBy('public_key'),
);

export const deleteEndedKeys = statement((q, p: { appId: string; now: number }) =>
  q.deleteFrom('sdk_keys').where('app_id', '=', p.appId).where('ends_at', '<=', p.now),
);

export const updateKey = statement((q, p: { appId: string; publicKey: string; name: string; isEnabled: 0 | 1 }) =>
  q
    .updateTable('sdk_keys')
    .set({ name: p.name, is_enabled: p.isEnabled })
    .where('app_id', '=', p.appId)
    .where('public_key', '=', p.publicKey),
);

export const endKey = statement((q, p: { appId: string; publicKey: string; endsAt: number }) =>
  q
    .updateTable('sdk_keys')
    .set({ ends_at: p.endsAt })
    .where('app_id', '=', p.appId)
    .where('public_key', '=', p.publicKey),
);

export const deleteKey = statement((q, p: { appId: string; publicKey: string }) =>
  q.deleteFrom('sdk_keys').where('app_id', '=', p.appId).where('public_key', '=', p.publicKey),
);

export const findProjectApp = statement((q, p: { projectId: number }) =>
  q
    .selectFrom('sdk_projects')
    .innerJoin('app_names', 'app_names.id', 'sdk_projects.app_id')
    .innerJoin('owner_names', 'owner_names.id', 'app_names.owner_id')
    .select(['app_names.id', 'app_names.name', 'owner_names.id as owner_id', 'owner_names.name as owner_name'])
    .where('sdk_projects.id', '=', p.projectId),
);
