import { sql } from 'kysely';
import type { Db, SnapshotDb } from '../db/open.ts';
import { continueNumbers, insertJson, numberedColumns } from '../db/portable.ts';
import { accessTo } from '../db/statement.ts';
import { defineViews, getTableTraits } from '../db/tables.ts';

export { bytesToText } from '../db/portable.ts';
export { copiedTables } from '../db/tables.ts';

/** Accesses every table by name. */
const { query } = accessTo(defineViews<Record<string, Record<string, unknown>>>());

/** Few rows per page, because a row can be as large as a request. */
const PAGE_ROWS = 200;
const PAGE_ROWS_OF_BYTES = 4;

export async function countRows(db: Pick<Db, 'dialect' | 'query'>, table: string): Promise<number> {
  const [row] = await query(db, (q) => q.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('count')));
  return Number(row?.count ?? 0);
}

const listByteColumns = (table: string): readonly string[] => getTableTraits(table)?.bytes ?? [];
const pageRows = (table: string): number => (listByteColumns(table).length > 0 ? PAGE_ROWS_OF_BYTES : PAGE_ROWS);

export const readPages = (db: SnapshotDb, table: string): AsyncIterable<Record<string, unknown>[]> =>
  db.pages((q) => ({ compile: () => sql`select * from ${sql.table(table)}`.compile(q) }), pageRows(table));

/** `json` is an array of objects with these keys. */
export const insertRows = (db: Db, table: string, columns: readonly string[], json: string) =>
  db.query((q) => ({
    compile: () => insertJson(db.dialect, table, { columns, bytes: listByteColumns(table), json }).compile(q),
  }));

export const deleteRows = (db: Db, table: string) => query(db, (q) => q.deleteFrom(table));

/** Continues the numbering after the loaded rows. */
export async function continueNumbering(db: Db): Promise<void> {
  const numbered = await db.query((q) => ({ compile: () => numberedColumns(db.dialect).compile(q) }));
  for (const { table, column } of numbered) {
    await db.query((q) => ({ compile: () => continueNumbers(table, column).compile(q) }));
  }
}

export const isCounter = (table: string): boolean => getTableTraits(table)?.counter !== undefined;

const counterColumn = (table: string) => sql.ref<number>(getTableTraits(table)?.counter ?? '');

export async function readCounter(db: Db, table: string): Promise<number> {
  const [row] = await query(db, (q) => q.selectFrom(table).select(counterColumn(table).as('value')));
  return row?.value ?? 0;
}

export const writeCounter = (db: Db, table: string, value: number) =>
  db.query((q) => ({
    compile: () => sql`update ${sql.table(table)} set ${counterColumn(table)} = ${value}`.compile(q),
  }));

/** Time of the newest change, by the clock at that time. */
export async function findNewestChange(db: Pick<Db, 'dialect' | 'query'>): Promise<number | undefined> {
  const [row] = await query(db, (q) => q.selectFrom('audit_events').select(sql<number | null>`max(at)`.as('at')));
  return row?.at ?? undefined;
}

/** Dead letters, latest first. */
export const listAbandonedJobs = (db: Pick<Db, 'dialect' | 'query'>) =>
  query(db, (q) =>
    q
      .selectFrom('jobs')
      .select(['name', 'last_error'])
      .where(sql<boolean>`failed_at is not null`)
      .orderBy(sql`failed_at desc`)
      .limit(1000),
  );

/** Time of a runner's last poll, if the runner exists. */
export async function findRunnerSeen(
  db: Pick<Db, 'dialect' | 'query'>,
  id: string,
): Promise<{ at: number | null } | undefined> {
  const [row] = await query(db, (q) =>
    q.selectFrom('runners').select(sql<number | null>`last_seen_at`.as('at')).where(sql<boolean>`id = ${id}`),
  );
  return row;
}
