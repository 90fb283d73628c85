import { statement } from '../../../db/statement.ts';
import type { ServerFactsTable } from '../../../db/tables.ts';

export const findServerFact = statement((q, p: { name: string }) =>
  q.selectFrom('server_facts').select('value').where('name', '=', p.name),
);

/** The first one stays. */
export const addServerFact = statement((q, p: ServerFactsTable) =>
  q
    .insertInto('server_facts')
    .values({ name: p.name, value: p.value })
    .onConflict((c) => c.column('name').doNothing()),
);
