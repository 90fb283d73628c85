import type { Row } from '../answers.ts';
import type { Forgotten } from '../engine.ts';
import { type DayRange, dimensions, type Filter, type Question, type QuestionName } from '../questions.ts';
import { toUuid } from '../rows.ts';
import type { FoundRow } from './client.ts';

export const DAY = 86_400_000;
export const TABLE = 'mooring_logs';

/** Rows of one part, as they were taken in. */
export interface Source {
  load: number;
  day: number;
  forgotten: readonly Forgotten[];
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

/** A text as it stands in a statement: the only way in which anything that others chose comes into one. */
export const quoted = (text: string): string =>
  `'${text.replaceAll(/[\\'\0\n\r\t\b\f]/g, (one) => escapes[one] ?? one)}'`;

export const among = (column: string, wanted: readonly string[]): string =>
  wanted.length > 0 ? `${column} IN (${wanted.map(quoted).join()})` : '0';

/** Sessions and devices are told by UUIDs; that of no session is zero. */
export const uuid = (text: string): string => `toUUID(${quoted(text)})`;
export const NO_SESSION = '00000000-0000-0000-0000-000000000000';
export const hasSession = `session != ${uuid(NO_SESSION)}`;

export const isActive = `type IN ('startSession', 'page', 'event', 'forgotten')`;
export const dayOf = `intDiv(ts, ${DAY})`;

/** Makes all times as long. */
export const DATED_FROM = 1_000_000_000_000_000;
/** A time in front of a text, so that their order as one text is by time, then by text: pairs are compared more slowly. */
export const dated = (text: string): string => `concat(toString(${DATED_FROM} + ts), ${text})`;
export const undated = (text: string): string => `substring(${text}, 17)`;

/** Of a log, the value of a property that it has. */
export const propertyOf = (property: string, column = 'property_values'): string =>
  `${column}[indexOf(property_names, ${quoted(property)})]`;
export const hasProperty = (property: string): string => `has(property_names, ${quoted(property)})`;

const plainColumns = [...dimensions, 'oem', 'screen', 'api', 'ts', 'device', 'session'];
const columns = [...plainColumns, 'type', 'name', 'user', 'property_names', 'property_values', 'property_dates'];

/** The logs of some parts without what is forgotten; of an event stays that something happened. */
function forgetting(loads: string, forgotten: readonly Forgotten[]): string {
  const valuesOf = (wanted: Forgotten['kind']): string[] =>
    forgotten.flatMap(({ kind, value }) => (kind === wanted ? value : []));
  const installs = valuesOf('install').map((id) => uuid(toUuid(id)));
  const users = valuesOf('user');
  const stays = [
    loads,
    ...(installs.length > 0 ? [`device NOT IN (${installs.join()})`] : []),
    ...(users.length > 0 ? [`ifNull(NOT ${among('user', users)}, 1)`] : []),
  ];
  // A name of its own for each: one that is a column and its replacement at once would be a circle.
  return `SELECT ${plainColumns.join()}, if(is_gone, 'forgotten', type_) AS type, if(is_gone, '', name_) AS name,
      if(is_gone, NULL, user_) AS user, if(is_gone, emptyArrayString(), names_) AS property_names,
      if(is_gone, emptyArrayString(), values_) AS property_values, dates_ AS property_dates
    FROM (SELECT ${plainColumns.join()}, type AS type_, name AS name_, user AS user_, property_names AS names_,
        property_values AS values_, property_dates AS dates_,
        type = 'event' AND ${among('name', valuesOf('event'))} AS is_gone
      FROM ${TABLE} WHERE ${stays.join(' AND ')})`;
}

const loadsIn = (sources: readonly Source[]): string => `load IN (${[0, ...sources.map(({ load }) => load)].join()})`;

export interface Reading {
  /** Whether a log fits the filter of the question. */
  matches: string;
  /** What to read from: the logs of some days that fit a condition. */
  logs(where: string, days: DayRange): string;
}

/** What every question has: where to read, and what of it counts. */
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
      const groups = Map.groupBy(chosen, ({ forgotten }) => JSON.stringify(forgotten));
      const plain = groups.get('[]') ?? [];
      groups.delete('[]');
      if (groups.size === 0) return `${TABLE} WHERE ${loadsIn(plain)} AND ${condition}`;
      const selects = [...groups.values()].map((some) => forgetting(loadsIn(some), some[0]?.forgotten ?? []));
      if (plain.length > 0) selects.push(forgetting(loadsIn(plain), []));
      return `(${selects.join(' UNION ALL ')}) WHERE ${condition}`;
    },
  };
}

export const shownColumns = columns.filter((column) => column !== 'property_dates').join();

export const limitTo = (limit: number, skip = 0): string =>
  limit > 0 || skip > 0 ? `LIMIT ${skip}, ${limit > 0 ? limit : 1_000_000_000}` : '';

export type Run = (sql: string) => Promise<FoundRow[]>;
/** Finds rows as `answers.ts` wants them, in as many statements as it takes: parts do not change in between. */
export type Asker<N extends QuestionName> = (question: Question<N>, read: Reading, run: Run) => Promise<Row[]>;

export const tagged = (what: string, rows: readonly FoundRow[]): Row[] => rows.map((row) => ({ what, ...plain(row) }));
export const plain = (row: FoundRow): Row => row as Row;
