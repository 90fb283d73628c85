import type { CreateTableBuilder, SelectQueryBuilder } from 'kysely';
import { SqliteAdapter, sql } from 'kysely';
import { isAway, isFull } from '../kernel/os-errors.ts';
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

/** Whether transactions run beside each other; on SQLite each is alone from its first statement to its last. */
export const hasManyWriters = (dialect: DialectName): boolean => dialect === 'postgres';

/** Whether each statement goes to another process and comes back, so that one for many is better than one for each. */
export const isFar = (dialect: DialectName): boolean => dialect === 'postgres';

interface OldestOfEach {
  table: string;
  owner: string;
  due: string;
  now: number;
  /** A JSON array: of whom, and how many at most. */
  wanted: string;
}

/** The ids of free rows that are due longest, some for each of several owners, which an index finds for each; only where it `isFar`. */
export function oldestOfEach(dialect: DialectName, { table, owner, due, now, wanted }: OldestOfEach) {
  if (!isFar(dialect)) throw new Error(`${dialect} takes them one owner after the other.`);
  const [rows, at] = [sql.table(table), sql.ref(due)];
  return sql<string>`(select oldest.id from json_to_recordset(${wanted}::json) as wanted(id text, count int)
    cross join lateral (select id from ${rows} where ${sql.ref(owner)} = wanted.id and ${at} <= ${now}
      order by ${at}, id limit wanted.count for update skip locked) oldest)`;
}

/** Takes the lock of that name, where there are many writers. */
export const takeLock = (key: string) => sql`pg_advisory_xact_lock(hashtextextended(${key}, 0))`;

/** A table whose rows live in its primary key: on SQLite a lookup then takes one tree instead of two. */
export const clustered = <TB extends string, C extends string>(
  dialect: DialectName,
  table: CreateTableBuilder<TB, C>,
): CreateTableBuilder<TB, C> => (dialect === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table);

/** Bytes as JSON carries them to `insertJson`: the way that PostgreSQL writes them. */
export const bytesToText = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString('hex')}`;

/**
 * Inserts the objects of a JSON array, whose keys are these columns: one parameter, however many rows there are. `bytes`
 * are those that hold `bytesToText`.
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

/** Whether a column has one of the texts of a JSON array: one parameter, however many there are, and an index still helps. */
export const isAmong = (dialect: DialectName, column: string, json: string) =>
  dialect === 'sqlite'
    ? sql<boolean>`${sql.ref(column)} in (select value from json_each(${json}))`
    : sql<boolean>`${sql.ref(column)} = any (array(select json_array_elements_text(${json}::json)))`;

/** The pairs of an id and a time in a JSON array, as rows to join: one parameter, however many there are. */
export const idsWithTimes = (dialect: DialectName, json: string) =>
  dialect === 'sqlite'
    ? sql<{ id: string; at: number }>`(select value ->> 0 as id, value ->> 1 as at from json_each(${json}))`
    : sql<{ id: string; at: number }>`(select value ->> 0 as id, (value ->> 1)::bigint as at
        from json_array_elements(${json}::json) as value)`;

/** Text that is compared sign by sign, as JavaScript and SQLite compare it, whatever the language of the database is. */
export const plainText = (dialect: DialectName) =>
  dialect === 'sqlite' ? sql<string>`text` : sql<string>`text collate "C"`;

/** Any bytes; they come back as a Uint8Array. */
export const bytesColumn = (dialect: DialectName) => (dialect === 'sqlite' ? sql<string>`blob` : sql<string>`bytea`);

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

/** One row if there is such a table. */
export const findTable = (dialect: DialectName, name: string) =>
  dialect === 'sqlite'
    ? sql`select 1 from sqlite_schema where type = 'table' and name = ${name}`
    : sql`select 1 from pg_tables where schemaname = current_schema() and tablename = ${name}`;

/** Which database a migration runs on. */
export const dialectOf = (db: { getExecutor(): { adapter: object } }): DialectName =>
  db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres';

/** Whether an ordered union is merged row by row, up to its limit; otherwise each part is read to its end, unless it has its own. */
export const mergesUnions = (dialect: DialectName): boolean => dialect === 'sqlite';

/** Of PostgreSQL: shutting down, starting up, too many connections, a connection that broke, a standby. */
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

/** Of SQLite, whose extended codes have the plain one in their last byte: busy, and a file that cannot be read or written. */
const awayResults = new Set([5, 10, 14]);
const FULL_RESULT = 13;

interface DatabaseError {
  code?: string;
  errcode?: number;
  message?: string;
  /** Of PostgreSQL. */
  table?: string;
  detail?: string;
}

const resultOf = ({ code, errcode = 0 }: DatabaseError): number | undefined =>
  code === 'ERR_SQLITE_ERROR' ? errcode & 0xff : undefined;

const lost = /connection (timeout|terminated|error)|timeout exceeded when trying to connect|is not queryable/i;

/** The database is away or busy: the request was sound and may be tried again. */
export function isUnavailable(error: unknown): boolean {
  const known = (error ?? {}) as DatabaseError;
  const result = resultOf(known);
  if (result !== undefined) return awayResults.has(result);
  return isAway(error) || awayStates.has(known.code ?? '') || lost.test(known.message ?? '');
}

/** The disk of the database, or of this server, has no room left. */
export function isOutOfRoom(error: unknown): boolean {
  const known = (error ?? {}) as DatabaseError;
  return isFull(error) || known.code === FULL_STATE || resultOf(known) === FULL_RESULT;
}

/** Of SQLite: writing, synchronizing, cutting and enlarging a file. A limit of a file's size is told so, too. */
const unwritable = new Set([778, 1034, 1546, 4874]);

/** The disk of the database takes nothing, whatever the reason. */
export function isUnwritable(error: unknown): boolean {
  const { code, errcode = 0 } = (error ?? {}) as DatabaseError;
  return code === 'ERR_SQLITE_ERROR' && unwritable.has(errcode);
}

const TAKEN_STATE = '23505';
const TAKEN_RESULTS = new Set([1555, 2067]);

/** Of which there is one row only in a table: these columns, in the order of their constraint. */
export interface Unique {
  table: string;
  columns: readonly string[];
}

/** There is a row already that is the same in these columns; one that is the same in others is another matter. */
export function isTaken(error: unknown, { table, columns }: Unique): boolean {
  const { code, errcode = 0, message = '', ...known } = (error ?? {}) as DatabaseError;
  if (code === TAKEN_STATE)
    return known.table === table && known.detail?.includes(`(${columns.join(', ')})=(`) === true;
  const names = columns.map((column) => `${table}.${column}`).join(', ');
  return code === 'ERR_SQLITE_ERROR' && TAKEN_RESULTS.has(errcode) && message.endsWith(`: ${names}`);
}

const MISSING_STATE = '23503';
const MISSING_RESULT = 787;

/** What a row refers to is gone: somebody deleted it after this request had looked. */
export function isReferenceGone(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as DatabaseError;
  return code === MISSING_STATE || (code === 'ERR_SQLITE_ERROR' && errcode === MISSING_RESULT);
}
