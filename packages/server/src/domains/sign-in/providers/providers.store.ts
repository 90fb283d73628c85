import { lockRows } from '../../../db/portable.ts';
import { insertInto, statement, updateRow } from '../sign-in.tables.ts';

export const listProviderRows = statement((q) => q.selectFrom('identity_providers').selectAll().orderBy('name'));

export const findProviderRow = statement((q, p: { name: string }) =>
  q.selectFrom('identity_providers').selectAll().where('name', '=', p.name),
);

export const lockProviderRow = statement((q, p: { name: string }, dialect) =>
  lockRows(dialect, q.selectFrom('identity_providers').selectAll().where('name', '=', p.name)),
);

/** Inserts nothing if the name or the issuer is taken. */
export const insertProvider = insertInto('identity_providers', (insert) =>
  insert.onConflict((c) => c.doNothing()).returning('id'),
);

export const updateProviderRow = updateRow('identity_providers');

export const deleteProviderRow = statement((q, p: { id: string }) =>
  q.deleteFrom('identity_providers').where('id', '=', p.id),
);
