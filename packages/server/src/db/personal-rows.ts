import { sql } from 'kysely';
import type { Db } from './open.ts';
import { accessTo } from './statement.ts';
import { defineViews, type PersonalRows, type PersonKey } from './tables.ts';

export { personalTables } from './tables.ts';

/** Every table, whatever it means. */
const { query } = accessTo(defineViews<Record<string, Record<string, unknown>>>());

/** What a row may hold of a person; the e-mail in lower case, and only if it is known to be theirs. */
export interface Person {
  userId: string;
  email: string | undefined;
}

const isTheirs = (column: string, holds: PersonKey, { userId, email }: Person) =>
  holds === 'email' ? sql<boolean>`lower(${sql.ref(column)}) = ${email}` : sql<boolean>`${sql.ref(column)} = ${userId}`;

/** The columns by which rows are found, with what is known of the person. */
const columnsOf = ({ by }: PersonalRows<string>, { email }: Person) =>
  Object.entries(by).flatMap(([column, how]) => {
    if (how === undefined) return [];
    const found = typeof how === 'string' ? { holds: how, erase: undefined } : how;
    return found.holds === 'email' && email === undefined ? [] : [{ column, ...found }];
  });

/** Their rows of a table, a page at a time. */
export async function listPersonalRows(
  db: Db,
  table: string,
  personal: PersonalRows<string>,
  person: Person,
  { skip, limit }: { skip: number; limit: number },
): Promise<Record<string, unknown>[]> {
  const found = columnsOf(personal, person).map(({ column, holds }) => isTheirs(column, holds, person));
  if (found.length === 0) return [];
  return query(db, (q) =>
    q
      .selectFrom(table)
      .selectAll()
      .where(({ or }) => or(found))
      // Whatever identifies a row is in there: with the first columns the order is that of an index.
      .orderBy(sql`1, 2`)
      .limit(limit)
      .offset(skip),
  );
}

/** Deletes their rows, or what in them says who it was. */
export async function erasePersonalRows(
  db: Db,
  table: string,
  personal: PersonalRows<string>,
  person: Person,
  alias: string,
): Promise<void> {
  for (const { column, holds, erase } of columnsOf(personal, person)) {
    if (erase === undefined) continue;
    const theirs = isTheirs(column, holds, person);
    if (erase === 'row') {
      await query(db, (q) => q.deleteFrom(table).where(theirs));
      continue;
    }
    const values = Object.entries(erase).map(([name, how]) => [name, how === 'alias' ? alias : null]);
    await query(db, (q) => q.updateTable(table).set(Object.fromEntries(values)).where(theirs));
  }
}
