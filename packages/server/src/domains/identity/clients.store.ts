import { lockRows } from '../../db/portable.ts';
import { insertInto, type OauthClientsTable, statement } from './identity.tables.ts';

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

export const updateClientRow = statement((q, p: Omit<ClientRow, 'created_at'>) =>
  q
    .updateTable('oauth_clients')
    .set({ name: p.name, redirect_uris: p.redirect_uris, allows_implicit: p.allows_implicit })
    .where('id', '=', p.id),
);

export const deleteClientRow = statement((q, p: { id: string }) =>
  q.deleteFrom('oauth_clients').where('id', '=', p.id),
);
