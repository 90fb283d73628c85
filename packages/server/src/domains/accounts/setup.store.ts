import { statement } from '../../db/statement.ts';
import type { ServerFactsTable } from '../../db/tables.ts';

export const findServerFact = statement((q, p: { name: string }) =>
  q.selectFrom('server_facts').select('value').where('name', '=', p.name),
);

export const saveServerFact = statement((q, p: ServerFactsTable) =>
  q
    .insertInto('server_facts')
    .values({ name: p.name, value: p.value })
    .onConflict((c) => c.column('name').doUpdateSet({ value: p.value })),
);

/** Nothing comes back when it was gone, or not that value. */
export const takeServerFact = statement((q, p: ServerFactsTable) =>
  q.deleteFrom('server_facts').where('name', '=', p.name).where('value', '=', p.value).returning('name'),
);
