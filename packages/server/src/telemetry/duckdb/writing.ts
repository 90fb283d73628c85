import { type FileKind, OTHER_EVENTS, type Part, type PartFiles } from '../engine.ts';
import type { Day } from '../queries.ts';
import type { StagedLines } from './protocol.ts';
import { DAY, extracts, quoted, selectFiles } from './reading.ts';

/** Columns of the JSON lines; see `rows.ts`. */
const lineColumns = {
  logs: `{k: 'VARCHAR', t: 'BIGINT', d: 'INTEGER', x: 'VARCHAR', n: 'VARCHAR', u: 'VARCHAR',
    p: 'MAP(VARCHAR, VARCHAR)'}`,
  sources: `{d: 'INTEGER', i: 'UUID', s: 'VARCHAR', v: 'VARCHAR', b: 'VARCHAR', c: 'VARCHAR', m: 'VARCHAR', e: 'VARCHAR', o: 'VARCHAR',
    l: 'VARCHAR', a: 'VARCHAR', z: 'VARCHAR', g: 'VARCHAR'}`,
};

const readLines = (file: string, kind: keyof typeof lineColumns): string =>
  `read_json(${quoted(file)}, format = 'newline_delimited', columns = ${lineColumns[kind]}, maximum_object_size = 1048576)`;

/**
 * Loads rows. Sessions and keys include the device, because a cloned device sends the IDs of the original one. Uses MD5
 * instead of DuckDB's own hash, because files outlive its versions.
 */
export const stageLines = (table: string, { logs, sources }: StagedLines): string =>
  `CREATE TABLE ${table} AS
    WITH sources AS MATERIALIZED (SELECT *, concat(i, chr(10)) AS prefix,
      CASE WHEN s IS NOT NULL THEN md5(concat_ws(chr(10), i, s))::UUID END AS session FROM ${readLines(sources, 'sources')})
    SELECT k AS type, t AS ts, i AS device, session, md5_number_lower(concat(prefix, x)) AS key, n AS name, v AS version,
      b AS build, c AS country, m AS model, e AS oem, o AS os, l AS language, a AS carrier, z AS screen, g AS api,
      u AS "user", p AS properties
    FROM ${readLines(logs, 'logs')} JOIN sources USING (d)`;

/** Sorts by time, so that reading one day accesses only its blocks. */
export const sortLines = (table: string): string =>
  `CREATE OR REPLACE TABLE ${table} AS SELECT * FROM ${table} ORDER BY ts`;

const parquet = '(FORMAT parquet, COMPRESSION zstd)';

/** Maximum size of a request body, and of its logs as text. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Writes JSON lines as a Parquet file. */
export function writeTable({
  columns,
  lines,
  file,
}: {
  columns: readonly string[];
  lines: string;
  file: string;
}): string {
  const types = columns.map((name) => `${quoted(name)}: 'VARCHAR'`).join(', ');
  return `COPY (SELECT * FROM read_json(${quoted(lines)}, format = 'newline_delimited', columns = {${types}},
    maximum_object_size = ${MAX_LINE_BYTES})) TO ${quoted(file)} ${parquet}`;
}

const ofDay = (day: Day): string => `ts >= ${day * DAY} AND ts < ${(day + 1) * DAY}`;

const isStored = (table: string, existing: readonly Part[]): string =>
  `EXISTS (SELECT 1 FROM ${selectFiles('logs', existing)} AS kept WHERE kept.key = ${table}.key)`;

/**
 * Checks for duplicate logs, and whether all logs belong to the day and are in none of its parts. Usually they are, and
 * checking costs a tenth of filtering.
 */
export const findRepeats = (table: string, day: Day, existing: readonly Part[]): string =>
  `SELECT count(*) > count(DISTINCT key) AS repeats, count(*) = (SELECT count(*) FROM ${table}) AS all_new
    FROM ${table} WHERE ${ofDay(day)}${existing.length > 0 ? ` AND NOT ${isStored(table, existing)}` : ''}`;

interface Selected {
  table: string;
  day: Day;
  existing: readonly Part[];
  hasRepeats: boolean;
  hasSealed: boolean;
}

/**
 * True if a sealed part, which has no keys, contains the same log. Its event may have lost its name, and an erased log
 * all of its texts.
 */
const isSealedIn = (existing: readonly Part[], table: string): string =>
  `EXISTS (SELECT 1 FROM ${selectFiles('logs', existing)} AS sealed WHERE sealed.key IS NULL AND sealed.ts = ${table}.ts
      AND sealed.device = ${table}.device AND sealed.session IS NOT DISTINCT FROM ${table}.session
      AND (sealed.type = 'forgotten' OR (sealed.type = ${table}.type
        AND (sealed.name IS NOT DISTINCT FROM ${table}.name OR sealed.name = ${quoted(OTHER_EVENTS)}))))`;

/** Selects each log once, without those that the day's parts already contain. */
export const selectNew = (target: string, { table, day, existing, hasRepeats, hasSealed }: Selected): string =>
  `CREATE TABLE ${target} AS SELECT * FROM ${table} WHERE ${ofDay(day)} AND NOT ${isStored(table, existing)}
      ${hasSealed ? `AND NOT ${isSealedIn(existing, table)}` : ''}
    ${hasRepeats ? 'QUALIFY row_number() OVER (PARTITION BY key ORDER BY ts, rowid) = 1' : ''}`;

export const isOther = `type = 'event' AND name = ${quoted(OTHER_EVENTS)}`;

/** Limits the event names of a day: keeps the existing ones, then those that occurred first. */
export const nameOthers = (target: string, existing: readonly Part[], most: number): string =>
  `UPDATE ${target} SET name = ${quoted(OTHER_EVENTS)} WHERE type = 'event' AND name NOT IN (
    SELECT name FROM (
      SELECT name, min(is_new) AS is_new, min(ts) AS first FROM (
        SELECT name, ts, 0 AS is_new FROM ${selectFiles('logs', existing)} WHERE type = 'event' AND NOT (${isOther})
        UNION ALL SELECT name, ts, 1 FROM ${target} WHERE type = 'event') GROUP BY name)
    ORDER BY is_new, first, name LIMIT ${most})`;

/**
 * Writes the files of a part from its logs. Sealed parts have no keys, so duplicates can no longer be detected by key.
 */
export function writeFiles(source: string, files: PartFiles, isSealed = false): Record<FileKind, string> {
  const keys = isSealed ? 'REPLACE (NULL::UBIGINT AS key)' : '';
  return {
    logs: `COPY (SELECT * ${keys} FROM ${source} ORDER BY name, device, ts) TO ${quoted(files.logs)} ${parquet}`,
    devices: `COPY (${extracts.devices(source)} ORDER BY version, country, device) TO ${quoted(files.devices)} ${parquet}`,
    sessions: `COPY (${extracts.sessions(source)} ORDER BY version, session) TO ${quoted(files.sessions)} ${parquet}`,
  };
}
