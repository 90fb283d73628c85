import type { CreateTableBuilder, SelectQueryBuilder } from 'kysely';
import { SqliteAdapter, sql } from 'kysely';
import type { DialectName } from './connection.ts';

/** The only file that knows what differs between the databases. */

/**
 * Locks the rows that a query reads until the transaction ends.
 * SQLite has one writer at a time, so every transaction holds that lock already.
 */
export const lockRows = <DB, TB extends keyof DB, O>(
  dialect: DialectName,
  query: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> => (dialect === 'postgres' ? query.forUpdate() : query);

/** The same for rows that will not be deleted: whoever only refers to them by a foreign key does not wait. */
export const lockKeptRows = <DB, TB extends keyof DB, O>(
  dialect: DialectName,
  query: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> => (dialect === 'postgres' ? query.forNoKeyUpdate() : query);

/** The same for rows that nobody has locked: whoever asks at the same time gets others, without waiting. */
export const lockFreeRows = <DB, TB extends keyof DB, O>(
  dialect: DialectName,
  query: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> => (dialect === 'postgres' ? query.forUpdate().skipLocked() : query);

/** A table whose rows live in its primary key: on SQLite a lookup then takes one tree instead of two. */
export const clustered = <TB extends string, C extends string>(
  dialect: DialectName,
  table: CreateTableBuilder<TB, C>,
): CreateTableBuilder<TB, C> => (dialect === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table);

/** Inserts the objects of a JSON array, whose keys are these columns: one parameter, however many rows there are. */
export function insertJson(dialect: DialectName, table: string, columns: readonly string[], json: string) {
  const into = sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})`;
  if (dialect === 'postgres') {
    return sql`${into} select ${sql.join(columns.map((name) => sql.ref(name)))}
      from json_populate_recordset(null::${sql.table(table)}, ${json}::json)`;
  }
  const values = columns.map((name) => sql`value ->> ${sql.lit(`$.${JSON.stringify(name)}`)}`);
  return sql`${into} select ${sql.join(values)} from json_each(${json})`;
}

/** Text that is compared sign by sign, as JavaScript and SQLite compare it, whatever the language of the database is. */
export const plainText = (dialect: DialectName) =>
  dialect === 'sqlite' ? sql<string>`text` : sql<string>`text collate "C"`;

/** A column that numbers the rows, never twice the same; on SQLite it is also where a row lives. */
export const numbered = <TB extends string, C extends string>(
  dialect: DialectName,
  table: CreateTableBuilder<TB, C>,
  name: string,
) =>
  dialect === 'sqlite'
    ? table.addColumn(name, 'integer', (c) => c.primaryKey().autoIncrement())
    : table.addColumn(name, 'bigint', (c) => c.primaryKey().generatedByDefaultAsIdentity());

/** Which columns are numbered and do not take notice of rows that are inserted with their numbers; on SQLite all do. */
export const numberedColumns = (dialect: DialectName) =>
  dialect === 'sqlite'
    ? sql<{ table: string; column: string }>`select '' as "table", '' as "column" where false`
    : sql<{ table: string; column: string }>`select table_name as "table", column_name as "column"
        from information_schema.columns where table_schema = current_schema() and is_identity = 'YES'`;

/** Lets such a column go on after the highest number that is there. */
export const continueNumbers = (table: string, column: string) =>
  sql`select setval(pg_get_serial_sequence(${table}, ${column}), coalesce(max(${sql.ref(column)}), 0) + 1, false)
    from ${sql.table(table)}`;

/** Which database a migration runs on. */
export const dialectOf = (db: { getExecutor(): { adapter: object } }): DialectName =>
  db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres';

/** Whether an ordered union is merged row by row, up to its limit; otherwise each part is read to its end, unless it has its own. */
export const mergesUnions = (dialect: DialectName): boolean => dialect === 'sqlite';

const connectionErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08006',
  // A standby that is not promoted yet.
  '25006',
]);

/** The database is away or busy: the request was sound and may be tried again. */
export function isUnavailable(error: unknown): boolean {
  const { code, errcode, message } = (error ?? {}) as { code?: string; errcode?: number; message?: string };
  if (code === 'ERR_SQLITE_ERROR') return errcode === 5;
  return (
    connectionErrors.has(code ?? '') ||
    /connection (timeout|terminated)|timeout exceeded when trying to connect|is not queryable/i.test(message ?? '')
  );
}
