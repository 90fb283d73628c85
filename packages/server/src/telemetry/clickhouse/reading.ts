import type { Erasure } from '../engine.ts';
import { type DayRange, dimensions, type Filter, type QueryName, type TelemetryQuery } from '../queries.ts';
import type { Row } from '../results.ts';
import { toUuid } from '../rows.ts';
import type { FoundRow } from './client.ts';

export const DAY = 86_400_000;
export const TABLE = 'mooring_logs';

/** A load of a part, with its erasures. */
export interface Source {
  load: number;
  day: number;
  erasures: readonly Erasure[];
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '\0': '\\0',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
};

/** Quotes text for a statement. All untrusted text must pass through here. */
export const quoted = (text: string): string =>
  `'${text.replaceAll(/[\\'\0\n\r\t\b\f]/g, (one) => escapes[one] ?? one)}'`;

export const among = (column: string, values: readonly string[]): string =>
  values.length > 0 ? `${column} IN (${values.map(quoted).join()})` : '0';

/** Sessions and devices are UUIDs; a missing session is zero. */
export const uuid = (text: string): string => `toUUID(${quoted(text)})`;
export const NO_SESSION = '00000000-0000-0000-0000-000000000000';
export const hasSession = `session != ${uuid(NO_SESSION)}`;

export const isActive = `type IN ('startSession', 'sessionEnd', 'page', 'event', 'forgotten')`;
export const dayExpression = `intDiv(ts, ${DAY})`;

/** Added to times so that all have the same number of digits. */
export const DATED_FROM = 1_000_000_000_000_000;
/** Prefixes text with its time, so that it sorts by time, then by text. Comparing pairs is slower. */
export const dated = (text: string): string => `concat(toString(${DATED_FROM} + ts), ${text})`;
export const undated = (text: string): string => `substring(${text}, 17)`;

/** Value of a property of a log that has it. */
export const selectProperty = (property: string, column = 'property_values'): string =>
  `${column}[indexOf(property_names, ${quoted(property)})]`;
export const hasProperty = (property: string): string => `has(property_names, ${quoted(property)})`;

const plainColumns = [...dimensions, 'oem', 'screen', 'api', 'ts', 'device', 'session'];
const columns = [...plainColumns, 'type', 'name', 'user', 'property_names', 'property_values', 'property_dates'];

/** The logs of some loads, without erased data. Erased events keep only their time and device. */
function excludeErased(loads: string, erasures: readonly Erasure[]): string {
  const listErased = (erasedKind: Erasure['kind']): string[] =>
    erasures.flatMap(({ kind, value }) => (kind === erasedKind ? value : []));
  const installs = listErased('install').map((id) => uuid(toUuid(id)));
  const users = listErased('user');
  const stays = [
    loads,
    ...(installs.length > 0 ? [`device NOT IN (${installs.join()})`] : []),
    ...(users.length > 0 ? [`ifNull(NOT ${among('user', users)}, 1)`] : []),
  ];
  // Uses new names, because a column can't be replaced by an expression of the same name.
  return `SELECT ${plainColumns.join()}, if(is_gone, 'forgotten', type_) AS type, if(is_gone, '', name_) AS name,
      if(is_gone, NULL, user_) AS user, if(is_gone, emptyArrayString(), names_) AS property_names,
      if(is_gone, emptyArrayString(), values_) AS property_values, dates_ AS property_dates
    FROM (SELECT ${plainColumns.join()}, type AS type_, name AS name_, user AS user_, property_names AS names_,
        property_values AS values_, property_dates AS dates_,
        type = 'event' AND ${among('name', listErased('event'))} AS is_gone
      FROM ${TABLE} WHERE ${stays.join(' AND ')})`;
}

const loadsIn = (sources: readonly Source[]): string => `load IN (${[0, ...sources.map(({ load }) => load)].join()})`;

export interface Reading {
  /** SQL condition for the filter of the query. */
  matches: string;
  /** SQL source with the logs of some days that match a condition. */
  logs(where: string, days: DayRange): string;
}

/** Filter and source of a query. */
export function reading({ filter }: { filter: Filter }, sources: readonly Source[]): Reading {
  const matches = dimensions
    .flatMap((dimension) => (filter[dimension] ? [among(dimension, filter[dimension])] : []))
    .concat('1')
    .join(' AND ');
  return {
    matches: `(${matches})`,
    logs(where, { from, to }) {
      const chosen = sources.filter(({ day }) => day >= from && day <= to);
      const condition = `ts >= ${from * DAY} AND ts < ${(to + 1) * DAY} AND ${where}`;
      const groups = Map.groupBy(chosen, ({ erasures }) => JSON.stringify(erasures));
      const plain = groups.get('[]') ?? [];
      groups.delete('[]');
      if (groups.size === 0) return `${TABLE} WHERE ${loadsIn(plain)} AND ${condition}`;
      const selects = [...groups.values()].map((some) => excludeErased(loadsIn(some), some[0]?.erasures ?? []));
      if (plain.length > 0) selects.push(excludeErased(loadsIn(plain), []));
      return `(${selects.join(' UNION ALL ')}) WHERE ${condition}`;
    },
  };
}

export const shownColumns = columns.filter((column) => column !== 'property_dates').join();

export const limitTo = (limit: number, skip = 0): string =>
  limit > 0 || skip > 0 ? `LIMIT ${skip}, ${limit > 0 ? limit : 1_000_000_000}` : '';

export type Run = (sql: string) => Promise<FoundRow[]>;
/** Returns rows as `results.ts` expects them, with as many statements as necessary; parts do not change in between. */
export type QueryRunner<N extends QueryName> = (query: TelemetryQuery<N>, read: Reading, run: Run) => Promise<Row[]>;

export const tagged = (what: string, rows: readonly FoundRow[]): Row[] => rows.map((row) => ({ what, ...plain(row) }));
export const plain = (row: FoundRow): Row => row as Row;
