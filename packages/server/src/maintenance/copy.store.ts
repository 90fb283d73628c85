import { sql } from 'kysely';
import type { Db, SnapshotDb } from '../db/open.ts';
import { continueNumbers, insertJson, numberedColumns } from '../db/portable.ts';
import { counters, type Tables } from '../db/tables.ts';

export { copiedTables } from '../db/tables.ts';

type TableName = keyof Tables;

/** Few at a time: a row can be as large as a request. */
const PAGE_ROWS = 200;

/** How many rows a table has. */
export async function countRows(db: Pick<Db, 'query'>, table: string): Promise<number> {
  const [row] = await db.query((q) =>
    q.selectFrom(table as TableName).select(({ fn }) => fn.countAll<number>().as('count')),
  );
  return Number(row?.count ?? 0);
}

export const pagesOf = (db: SnapshotDb, table: string): AsyncIterable<Record<string, unknown>[]> =>
  db.pages((q) => q.selectFrom(table as TableName).selectAll(), PAGE_ROWS);

/** `json` is an array of objects with these keys. */
export const insertRows = (db: Db, table: string, columns: readonly string[], json: string) =>
  db.query((q) => ({ compile: () => insertJson(db.dialect, table, columns, json).compile(q) }));

export const deleteRows = (db: Db, table: string) => db.query((q) => q.deleteFrom(table as TableName));

/** Numbers that rows were loaded with are not given again. */
export async function goOnCounting(db: Db): Promise<void> {
  const numbered = await db.query((q) => ({ compile: () => numberedColumns(db.dialect).compile(q) }));
  for (const { table, column } of numbered) {
    await db.query((q) => ({ compile: () => continueNumbers(table, column).compile(q) }));
  }
}

type Counter = keyof typeof counters;
export const isCounter = (table: string): table is Counter => Object.hasOwn(counters, table);

export async function readCounter(db: Db, table: Counter): Promise<number> {
  const column = counters[table];
  const [row] = await db.query((q) => q.selectFrom(table).select(sql<number>`${sql.ref(column)}`.as('value')));
  return row?.value ?? 0;
}

export const writeCounter = (db: Db, table: Counter, value: number) =>
  db.query((q) => ({
    compile: () => sql`update ${sql.table(table)} set ${sql.ref(counters[table])} = ${value}`.compile(q),
  }));

/** When the newest change was made, by the clock of then. */
export async function findNewestChange(db: Pick<Db, 'query'>): Promise<number | undefined> {
  const [row] = await db.query((q) => q.selectFrom('audit_events').select(sql<number | null>`max(at)`.as('at')));
  return row?.at ?? undefined;
}
