import { personColumns } from '../../../db/rows/columns.ts';
import { insertInto, statement } from '../sign-in.tables.ts';

export const listUserPasskeys = statement((q, p: { userId: string }) =>
  q.selectFrom('passkeys').selectAll().where('user_id', '=', p.userId).orderBy('created_at').orderBy('id'),
);

/** Inserts nothing if the credential is registered. */
export const insertPasskey = insertInto('passkeys', (insert) =>
  insert.onConflict((c) => c.doNothing()).returning('id'),
);

export const findPasskeyUser = statement((q, p: { id: string }) =>
  q
    .selectFrom('passkeys')
    .innerJoin('people', 'people.id', 'passkeys.user_id')
    .select([
      ...personColumns,
      'people.is_disabled',
      'people.service_org_id',
      'passkeys.handle',
      'passkeys.public_key',
      'passkeys.sign_count',
    ])
    .where('passkeys.id', '=', p.id),
);

export const notePasskeyUse = statement((q, p: { id: string; now: number; count: number; isSynced: 0 | 1 }) =>
  q
    .updateTable('passkeys')
    .set({ last_used_at: p.now, sign_count: p.count, is_synced: p.isSynced })
    .where('id', '=', p.id),
);

export const renamePasskeyRow = statement((q, p: { userId: string; id: string; name: string }) =>
  q.updateTable('passkeys').set({ name: p.name }).where('user_id', '=', p.userId).where('id', '=', p.id).returningAll(),
);

export const deletePasskeyRow = statement((q, p: { userId: string; id: string }) =>
  q.deleteFrom('passkeys').where('user_id', '=', p.userId).where('id', '=', p.id).returning('name'),
);

export const deleteUserPasskeys = statement((q, p: { userId: string }) =>
  q.deleteFrom('passkeys').where('user_id', '=', p.userId),
);
