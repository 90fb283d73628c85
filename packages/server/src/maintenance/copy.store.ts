import { sql } from 'kysely';
import type { Db, SnapshotDb } from '../db/open.ts';
import { continueNumbers, insertJson, numberedColumns } from '../db/portable.ts';
import { accessTo } from '../db/statement.ts';
import { defineViews, traitsOf } from '../db/tables.ts';

export { bytesToText } from '../db/portable.ts';
export { copiedTables } from '../db/tables.ts';

/** Every table, whatever it means. */
const { query } = accessTo(defineViews<Record<string, Record<string, unknown>>>());

/** Few at a time: a row can be as large as a request. */
const PAGE_ROWS = 200;
const PAGE_ROWS_OF_BYTES = 4;

/** How many rows a table has. */
export async function countRows(db: Pick<Db, 'dialect' | 'query'>, table: string): Promise<number> {
  const [row] = await query(db, (q) => q.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('count')));
  return Number(row?.count ?? 0);
}

const bytesOf = (table: string): readonly string[] => traitsOf(table)?.bytes ?? [];
const pageRows = (table: string): number => (bytesOf(table).length > 0 ? PAGE_ROWS_OF_BYTES : PAGE_ROWS);

export const pagesOf = (db: SnapshotDb, table: string): AsyncIterable<Record<string, unknown>[]> =>
  db.pages((q) => ({ compile: () => sql`select * from ${sql.table(table)}`.compile(q) }), pageRows(table));

/** `json` is an array of objects with these keys. */
export const insertRows = (db: Db, table: string, columns: readonly string[], json: string) =>
  db.query((q) => ({
    compile: () => insertJson(db.dialect, table, { columns, bytes: bytesOf(table), json }).compile(q),
  }));

export const deleteRows = (db: Db, table: string) => query(db, (q) => q.deleteFrom(table));

/** Numbers that rows were loaded with are not given again. */
export async function goOnCounting(db: Db): Promise<void> {
  const numbered = await db.query((q) => ({ compile: () => numberedColumns(db.dialect).compile(q) }));
  for (const { table, column } of numbered) {
    await db.query((q) => ({ compile: () => continueNumbers(table, column).compile(q) }));
  }
}

export const isCounter = (table: string): boolean => traitsOf(table)?.counter !== undefined;

const columnOf = (table: string) => sql.ref<number>(traitsOf(table)?.counter ?? '');

export async function readCounter(db: Db, table: string): Promise<number> {
  const [row] = await query(db, (q) => q.selectFrom(table).select(columnOf(table).as('value')));
  return row?.value ?? 0;
}

export const writeCounter = (db: Db, table: string, value: number) =>
  db.query((q) => ({
    compile: () => sql`update ${sql.table(table)} set ${columnOf(table)} = ${value}`.compile(q),
  }));

/** When the newest change was made, by the clock of then. */
export async function findNewestChange(db: Pick<Db, 'dialect' | 'query'>): Promise<number | undefined> {
  const [row] = await query(db, (q) => q.selectFrom('audit_events').select(sql<number | null>`max(at)`.as('at')));
  return row?.at ?? undefined;
}

/** Jobs that were given up, the latest first. */
export const listGivenUp = (db: Pick<Db, 'dialect' | 'query'>) =>
  query(db, (q) =>
    q
      .selectFrom('jobs')
      .select(['name', 'last_error'])
      .where(sql<boolean>`failed_at is not null`)
      .orderBy(sql`failed_at desc`)
      .limit(1000),
  );

/** When a runner was last heard of, if there is one of that id. */
export async function findRunnerSeen(
  db: Pick<Db, 'dialect' | 'query'>,
  id: string,
): Promise<{ at: number | null } | undefined> {
  const [row] = await query(db, (q) =>
    q.selectFrom('runners').select(sql<number | null>`last_seen_at`.as('at')).where(sql<boolean>`id = ${id}`),
  );
  return row;
}
