import { type FileKind, OTHER_EVENTS, type Part, type PartFiles } from '../engine.ts';
import type { Day } from '../questions.ts';
import type { StagedLines } from './protocol.ts';
import { DAY, extracts, filesOf, quoted } from './reading.ts';

/** What lines of JSON are read as; see `rows.ts`. */
const lineColumns = {
  logs: `{k: 'VARCHAR', t: 'BIGINT', d: 'INTEGER', x: 'VARCHAR', n: 'VARCHAR', u: 'VARCHAR',
    p: 'MAP(VARCHAR, VARCHAR)'}`,
  senders: `{d: 'INTEGER', i: 'UUID', s: 'VARCHAR', v: 'VARCHAR', b: 'VARCHAR', c: 'VARCHAR', m: 'VARCHAR', e: 'VARCHAR', o: 'VARCHAR',
    l: 'VARCHAR', a: 'VARCHAR', z: 'VARCHAR', g: 'VARCHAR'}`,
};

const readLines = (file: string, kind: keyof typeof lineColumns): string =>
  `read_json(${quoted(file)}, format = 'newline_delimited', columns = ${lineColumns[kind]}, maximum_object_size = 1048576)`;

/**
 * Takes rows in. Sessions and keys hold within a device: a cloned image of one sends the ids of the other. MD5, not the
 * engine's own hash, as files outlive its versions.
 */
export const stageLines = (table: string, { logs, senders }: StagedLines): string =>
  `CREATE TABLE ${table} AS
    WITH senders AS MATERIALIZED (SELECT *, concat(i, chr(10)) AS prefix,
      CASE WHEN s IS NOT NULL THEN md5(concat_ws(chr(10), i, s))::UUID END AS session FROM ${readLines(senders, 'senders')})
    SELECT k AS type, t AS ts, i AS device, session, md5_number_lower(concat(prefix, x)) AS key, n AS name, v AS version,
      b AS build, c AS country, m AS model, e AS oem, o AS os, l AS language, a AS carrier, z AS screen, g AS api,
      u AS "user", p AS properties
    FROM ${readLines(logs, 'logs')} JOIN senders USING (d)`;

/** In the order of time, so that whoever looks for a day reads only the blocks that it is in. */
export const sortLines = (table: string): string =>
  `CREATE OR REPLACE TABLE ${table} AS SELECT * FROM ${table} ORDER BY ts`;

const parquet = '(FORMAT parquet, COMPRESSION zstd)';

/** As many bytes as a request may have, with what its logs gain as text. */
const LONGEST_LINE = 64 * 1024 * 1024;

/** Lines of JSON, as they are. */
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
    maximum_object_size = ${LONGEST_LINE})) TO ${quoted(file)} ${parquet}`;
}

const ofDay = (day: Day): string => `ts >= ${day * DAY} AND ts < ${(day + 1) * DAY}`;

const isKept = (table: string, existing: readonly Part[]): string =>
  `EXISTS (SELECT 1 FROM ${filesOf('logs', existing)} AS kept WHERE kept.key = ${table}.key)`;

/**
 * Whether the same log is in there twice, and whether all of them are of the day and in none of its parts. Mostly they are, and
 * looking costs a tenth of sorting them out.
 */
export const findRepeats = (table: string, day: Day, existing: readonly Part[]): string =>
  `SELECT count(*) > count(DISTINCT key) AS repeats, count(*) = (SELECT count(*) FROM ${table}) AS all_new
    FROM ${table} WHERE ${ofDay(day)}${existing.length > 0 ? ` AND NOT ${isKept(table, existing)}` : ''}`;

interface Selected {
  table: string;
  day: Day;
  existing: readonly Part[];
  hasRepeats: boolean;
  hasSealed: boolean;
}

/** Whether a sealed part, which has no keys, holds the same; events may have lost their name, and what is forgotten all words. */
const isSealedIn = (existing: readonly Part[], table: string): string =>
  `EXISTS (SELECT 1 FROM ${filesOf('logs', existing)} AS sealed WHERE sealed.key IS NULL AND sealed.ts = ${table}.ts
      AND sealed.device = ${table}.device AND sealed.session IS NOT DISTINCT FROM ${table}.session
      AND (sealed.type = 'forgotten' OR (sealed.type = ${table}.type
        AND (sealed.name IS NOT DISTINCT FROM ${table}.name OR sealed.name = ${quoted(OTHER_EVENTS)}))))`;

/** Each log once, without those that are in a part of the day already. */
export const selectNew = (target: string, { table, day, existing, hasRepeats, hasSealed }: Selected): string =>
  `CREATE TABLE ${target} AS SELECT * FROM ${table} WHERE ${ofDay(day)} AND NOT ${isKept(table, existing)}
      ${hasSealed ? `AND NOT ${isSealedIn(existing, table)}` : ''}
    ${hasRepeats ? 'QUALIFY row_number() OVER (PARTITION BY key ORDER BY ts, rowid) = 1' : ''}`;

export const isOther = `type = 'event' AND name = ${quoted(OTHER_EVENTS)}`;

/** Of the events of a day only so many names are kept: those that it has, then those that happened first. */
export const nameOthers = (target: string, existing: readonly Part[], most: number): string =>
  `UPDATE ${target} SET name = ${quoted(OTHER_EVENTS)} WHERE type = 'event' AND name NOT IN (
    SELECT name FROM (
      SELECT name, min(is_new) AS is_new, min(ts) AS first FROM (
        SELECT name, ts, 0 AS is_new FROM ${filesOf('logs', existing)} WHERE type = 'event' AND NOT (${isOther})
        UNION ALL SELECT name, ts, 1 FROM ${target} WHERE type = 'event') GROUP BY name)
    ORDER BY is_new, first, name LIMIT ${most})`;

/** The files of a part, from its logs. A sealed one has no keys, which nothing can be compared with any more. */
export function writeFiles(source: string, files: PartFiles, isSealed = false): Record<FileKind, string> {
  const keys = isSealed ? 'REPLACE (NULL::UBIGINT AS key)' : '';
  return {
    logs: `COPY (SELECT * ${keys} FROM ${source} ORDER BY name, device, ts) TO ${quoted(files.logs)} ${parquet}`,
    devices: `COPY (${extracts.devices(source)} ORDER BY version, country, device) TO ${quoted(files.devices)} ${parquet}`,
    sessions: `COPY (${extracts.sessions(source)} ORDER BY version, session) TO ${quoted(files.sessions)} ${parquet}`,
  };
}
