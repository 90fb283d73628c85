import { lockRows } from '../../../db/portable.ts';
import { insertInto, type OauthClientsTable, statement, updateRow } from '../identity.tables.ts';

export type ClientRow = OauthClientsTable;

export const findClientRow = statement((q, p: { id: string }) =>
  q.selectFrom('oauth_clients').selectAll().where('id', '=', p.id),
);

export const lockClientRow = statement((q, p: { id: string }, dialect) =>
  lockRows(dialect, q.selectFrom('oauth_clients').selectAll().where('id', '=', p.id)),
);

export const listClientRows = statement((q) => q.selectFrom('oauth_clients').selectAll().orderBy('id'));

export const countClients = statement((q) =>
  q.selectFrom('oauth_clients').select((e) => e.fn.countAll<number>().as('count')),
);

export const insertClient = insertInto('oauth_clients');

export const updateClientRow = updateRow('oauth_clients');

export const deleteClientRow = statement((q, p: { id: string }) =>
  q.deleteFrom('oauth_clients').where('id', '=', p.id),
);
