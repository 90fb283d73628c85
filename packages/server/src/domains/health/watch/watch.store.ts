import { lockRows } from '../../../db/portable.ts';
import { statement } from '../../../db/statement.ts';
import type { ServerFactsTable } from '../../../db/tables.ts';

export const lockServerFact = statement((q, p: { name: string }, dialect) =>
  lockRows(dialect, q.selectFrom('server_facts').select('value').where('name', '=', p.name)),
);

export const changeServerFact = statement((q, p: ServerFactsTable) =>
  q.updateTable('server_facts').set({ value: p.value }).where('name', '=', p.name),
);
