import type { CreateTableBuilder, SelectQueryBuilder } from 'kysely';
import { SqliteAdapter, sql } from 'kysely';
import { isAway, isFull } from '../kernel/files/os-errors.ts';
import type { DialectName } from './drivers/connection.ts';

/** The only file with differences between the databases. */

/**
 * Locks the rows that a query reads until the transaction ends. SQLite has one writer at a time, so every transaction
 * holds that lock already.
 */
export const lockRows = <DB, TB extends keyof DB, O>(
  dialect: DialectName,
  query: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> => (dialect === 'postgres' ? query.forUpdate() : query);

/** The same for rows that will not be deleted: transactions that only add a foreign key to them do not wait. */
export const lockRowsForNoKeyUpdate = <DB, TB extends keyof DB, O>(
  dialect: DialectName,
  query: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> => (dialect === 'postgres' ? query.forNoKeyUpdate() : query);

/** The same, but skips rows that other transactions have locked, so that concurrent callers get different rows. */
export const lockFreeRows = <DB, TB extends keyof DB, O>(
  dialect: DialectName,
  query: SelectQueryBuilder<DB, TB, O>,
): SelectQueryBuilder<DB, TB, O> => (dialect === 'postgres' ? query.forUpdate().skipLocked() : query);

/** True if write transactions run concurrently; on SQLite they run one after another. */
export const hasManyWriters = (dialect: DialectName): boolean => dialect === 'postgres';

/** Each statement is a round trip, so batch. */
export const isRemote = (dialect: DialectName): boolean => dialect === 'postgres';

interface OldestPerOwner {
  table: string;
  owner: string;
  due: string;
  now: number;
  /** A JSON array of owners, each with a maximum count. */
  requested: string;
}

/**
 * IDs of the oldest due rows that are not locked, up to a count for each of several owners; an index finds them. Only
 * where `isRemote`.
 */
export function selectOldestPerOwner(dialect: DialectName, { table, owner, due, now, requested }: OldestPerOwner) {
  if (!isRemote(dialect)) throw new Error(`${dialect} must query one owner at a time.`);
  const [rows, at] = [sql.table(table), sql.ref(due)];
  return sql<string>`(select oldest.id from json_to_recordset(${requested}::json) as wanted(id text, count int)
    cross join lateral (select id from ${rows} where ${sql.ref(owner)} = wanted.id and ${at} <= ${now}
      order by ${at}, id limit wanted.count for update skip locked) oldest)`;
}

/** Takes the lock with that name, where several transactions can write. */
export const takeLock = (key: string) => sql`pg_advisory_xact_lock(hashtextextended(${key}, 0))`;

/** Stores rows in the primary key: on SQLite a lookup then reads one tree instead of two. */
export const clustered = <TB extends string, C extends string>(
  dialect: DialectName,
  table: CreateTableBuilder<TB, C>,
): CreateTableBuilder<TB, C> => (dialect === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table);

/** Encodes bytes for the JSON of `insertJson`, in PostgreSQL's notation. */
export const bytesToText = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString('hex')}`;

/**
 * Inserts the objects of a JSON array, whose keys are `columns`, with a single parameter for any number of rows. The
 * columns in `bytes` hold the output of `bytesToText`.
 */
export function insertJson(
  dialect: DialectName,
  table: string,
  { columns, bytes, json }: { columns: readonly string[]; bytes: readonly string[]; json: string },
) {
  const into = sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})`;
  if (dialect === 'postgres') {
    return sql`${into} select ${sql.join(columns.map((name) => sql.ref(name)))}
      from json_populate_recordset(null::${sql.table(table)}, ${json}::json)`;
  }
  const values = columns.map((name) => {
    const value = sql`value ->> ${sql.lit(`$.${JSON.stringify(name)}`)}`;
    return bytes.includes(name) ? sql`unhex(substr(${value}, 3))` : value;
  });
  return sql`${into} select ${sql.join(values)} from json_each(${json})`;
}

/**
 * True if a column has one of the texts of a JSON array: a single parameter for any number of texts, and an index is
 * used.
 */
export const isAmong = (dialect: DialectName, column: string, json: string) =>
  dialect === 'sqlite'
    ? sql<boolean>`${sql.ref(column)} in (select value from json_each(${json}))`
    : sql<boolean>`${sql.ref(column)} = any (array(select json_array_elements_text(${json}::json)))`;

interface UsedRow {
  id: string;
  at: number;
  address: string | null;
}

/**
 * The IDs, times and, where known, addresses in a JSON array of lists, as rows to join: a single parameter for any number of
 * them.
 */
export const idsWithTimes = (dialect: DialectName, json: string) =>
  dialect === 'sqlite'
    ? sql<UsedRow>`(select value ->> 0 as id, value ->> 1 as at, value ->> 2 as address from json_each(${json}))`
    : sql<UsedRow>`(select value ->> 0 as id, (value ->> 1)::bigint as at, value ->> 2 as address
        from json_array_elements(${json}::json) as value)`;

/** A text column that PostgreSQL compares by code point, as JavaScript and SQLite do, regardless of its locale. */
export const plainText = (dialect: DialectName) =>
  dialect === 'sqlite' ? sql<string>`text` : sql<string>`text collate "C"`;

/** A column of bytes, read as a Uint8Array. */
export const bytesColumn = (dialect: DialectName) => (dialect === 'sqlite' ? sql<string>`blob` : sql<string>`bytea`);

/** A column that numbers the rows and never reuses a number; on SQLite it is also the row ID. */
export const numbered = <TB extends string, C extends string>(
  dialect: DialectName,
  table: CreateTableBuilder<TB, C>,
  name: string,
) =>
  dialect === 'sqlite'
    ? table.addColumn(name, 'integer', (c) => c.primaryKey().autoIncrement())
    : table.addColumn(name, 'bigint', (c) => c.primaryKey().generatedByDefaultAsIdentity());

/** Numbered columns whose sequence ignores explicitly inserted numbers; none on SQLite. */
export const numberedColumns = (dialect: DialectName) =>
  dialect === 'sqlite'
    ? sql<{ table: string; column: string }>`select '' as "table", '' as "column" where false`
    : sql<{ table: string; column: string }>`select table_name as "table", column_name as "column"
        from information_schema.columns where table_schema = current_schema() and is_identity = 'YES'`;

/** Sets the sequence of such a column to the highest existing number. */
export const continueNumbers = (table: string, column: string) =>
  sql`select setval(pg_get_serial_sequence(${table}, ${column}), coalesce(max(${sql.ref(column)}), 0) + 1, false)
    from ${sql.table(table)}`;

/** Returns one row if the table exists. */
export const findTable = (dialect: DialectName, name: string) =>
  dialect === 'sqlite'
    ? sql`select 1 from sqlite_schema where type = 'table' and name = ${name}`
    : sql`select 1 from pg_tables where schemaname = current_schema() and tablename = ${name}`;

/** The database that a migration runs on. */
export const getDialect = (db: { getExecutor(): { adapter: object } }): DialectName =>
  db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres';

/**
 * True if an ordered union is merged row by row up to its limit; otherwise each branch without its own limit is read to
 * its end.
 */
export const mergesUnions = (dialect: DialectName): boolean => dialect === 'sqlite';

/** PostgreSQL: shutting down, starting up, too many connections, broken connection, standby. */
const awayStates = new Set([
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '53300',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '25006',
]);
const FULL_STATE = '53100';

/**
 * SQLite, whose extended codes have the primary code in their last byte: busy, and a file that can't be read or
 * written.
 */
const awayResults = new Set([5, 10, 14]);
const FULL_RESULT = 13;

interface DatabaseError {
  code?: string;
  errcode?: number;
  message?: string;
  /** Only PostgreSQL. */
  table?: string;
  detail?: string;
}

const getSqliteResult = ({ code, errcode = 0 }: DatabaseError): number | undefined =>
  code === 'ERR_SQLITE_ERROR' ? errcode & 0xff : undefined;

const lost = /connection (timeout|terminated|error)|timeout exceeded when trying to connect|is not queryable/i;

/** The database is unreachable or busy; the request can be retried. */
export function isUnavailable(error: unknown): boolean {
  const known = (error ?? {}) as DatabaseError;
  const result = getSqliteResult(known);
  if (result !== undefined) return awayResults.has(result);
  return isAway(error) || awayStates.has(known.code ?? '') || lost.test(known.message ?? '');
}

/** The disk of the database or of this server is full. */
export function isDiskFull(error: unknown): boolean {
  const known = (error ?? {}) as DatabaseError;
  return isFull(error) || known.code === FULL_STATE || getSqliteResult(known) === FULL_RESULT;
}

/** SQLite: failures to write, sync, truncate or enlarge a file. A file size limit is reported the same way. */
const unwritable = new Set([778, 1034, 1546, 4874]);

/** The disk of the database rejects writes: it is full, read-only or broken. */
export function isUnwritable(error: unknown): boolean {
  const { code, errcode = 0 } = (error ?? {}) as DatabaseError;
  return code === 'ERR_SQLITE_ERROR' && unwritable.has(errcode);
}

const TAKEN_STATE = '23505';
const TAKEN_RESULTS = new Set([1555, 2067]);

/** A unique constraint: its columns, in the order of the constraint. */
export interface Unique {
  table: string;
  columns: readonly string[];
}

/** True if a row violates exactly this constraint. */
export function isTaken(error: unknown, { table, columns }: Unique): boolean {
  const { code, errcode = 0, message = '', ...known } = (error ?? {}) as DatabaseError;
  if (code === TAKEN_STATE)
    return known.table === table && known.detail?.includes(`(${columns.join(', ')})=(`) === true;
  const names = columns.map((column) => `${table}.${column}`).join(', ');
  return code === 'ERR_SQLITE_ERROR' && TAKEN_RESULTS.has(errcode) && message.endsWith(`: ${names}`);
}

const MISSING_STATE = '23503';
const MISSING_RESULT = 787;

/** The row's foreign key is invalid: another transaction deleted the target after this request had checked it. */
export function isReferenceGone(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as DatabaseError;
  return code === MISSING_STATE || (code === 'ERR_SQLITE_ERROR' && errcode === MISSING_RESULT);
}
