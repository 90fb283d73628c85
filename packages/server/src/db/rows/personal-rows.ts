import { sql } from 'kysely';
import type { Db } from '../open.ts';
import { accessTo } from '../statement.ts';
import { defineViews, type PersonalRows, type PersonKey } from '../tables.ts';

export { personalTables } from '../tables.ts';

/** Accesses every table by name. */
const { query } = accessTo(defineViews<Record<string, Record<string, unknown>>>());

/** Identifies a user's rows: the ID, and the email address in lower case if it is verified. */
export interface Person {
  userId: string;
  email: string | undefined;
}

const isTheirs = (column: string, holds: PersonKey, { userId, email }: Person) =>
  holds === 'email' ? sql<boolean>`lower(${sql.ref(column)}) = ${email}` : sql<boolean>`${sql.ref(column)} = ${userId}`;

/** The columns with a known value that identify the person's rows. */
const listPersonalColumns = ({ by }: PersonalRows<string>, { email }: Person) =>
  Object.entries(by).flatMap(([column, how]) => {
    if (how === undefined) return [];
    const found = typeof how === 'string' ? { holds: how, erase: undefined } : how;
    return found.holds === 'email' && email === undefined ? [] : [{ column, ...found }];
  });

/** One page of the person's rows of a table. */
export async function listPersonalRows(
  db: Db,
  table: string,
  personal: PersonalRows<string>,
  person: Person,
  { skip, limit }: { skip: number; limit: number },
): Promise<Record<string, unknown>[]> {
  const found = listPersonalColumns(personal, person).map(({ column, holds }) => isTheirs(column, holds, person));
  if (found.length === 0) return [];
  return query(db, (q) =>
    q
      .selectFrom(table)
      .selectAll()
      .where(({ or }) => or(found))
      // The first two columns identify a row, and an index has their order.
      .orderBy(sql`1, 2`)
      .limit(limit)
      .offset(skip),
  );
}

/** Deletes the person's rows, or overwrites the columns that identify them. */
export async function erasePersonalRows(
  db: Db,
  table: string,
  personal: PersonalRows<string>,
  person: Person,
  alias: string,
): Promise<void> {
  for (const { column, holds, erase } of listPersonalColumns(personal, person)) {
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
