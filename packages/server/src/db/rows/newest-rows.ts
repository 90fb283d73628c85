import { type Expression, type RawBuilder, sql } from 'kysely';
import { containsAnyTerm, containsTerms } from './listing.ts';

/** Rows of apps that a search reads, newest first. */
export interface SearchedRows {
  table: string;
  /** Column with the age of a row. */
  time: string;
  /** Columns of the result, besides `app_id`, `id` and the time. */
  columns: readonly string[];
  /** Lower-case texts to search, each with a name. */
  keys: Readonly<Record<string, RawBuilder<string>>>;
  /** Order of rows with the same time. */
  idOrder: 'asc' | 'desc';
}

/** SQL of the domain `apps` for a column with an app ID. */
interface AppColumns {
  isReadable: (column: string) => Expression<boolean>;
  names: (column: string) => Expression<string>;
}

interface Sampling {
  among: number;
  every: number;
}

/** True if a sample of the newest rows contains one of an app that the user can read. */
export const sampleNewest = (
  { table, time }: SearchedRows,
  isReadable: AppColumns['isReadable'],
  { among, every }: Sampling,
) =>
  sql<{ is_readable: boolean }>`(
    select ${isReadable('newest.app_id')} as is_readable
    from (select app_id, ${sql.ref(time)} as at from ${sql.table(table)} order by ${sql.ref(time)} desc limit ${among}) as newest
    where newest.at % ${every} = 0)`;

interface Search {
  terms: readonly string[];
  limit: number;
  /** Number of the newest rows to search. */
  most: number;
  /** Search first, and check access only for matches: faster for users who see nearly everything. */
  checksLast: boolean;
}

/** The newest rows that match. Some of the terms may match the app's name instead, but not all. */
export function searchNewestRows<Row>(rows: SearchedRows, apps: AppColumns, search: Search) {
  const { table, time, columns, keys, idOrder } = rows;
  const { terms, limit, most, checksLast } = search;
  const selected = (from: string) =>
    sql.join(['app_id', 'id', time, ...columns].map((column) => sql.ref(`${from}.${column}`)));
  const isReadable = (column: string, isChecked: boolean) =>
    isChecked ? apps.isReadable(column) : sql<boolean>`1 = 1`;
  const texts = Object.entries(keys).map(([name, text]) => sql`${text} as ${sql.ref(name)}`);
  const own = Object.keys(keys).map((name) => `found.${name}`);
  return sql<Row>`(
    select ${selected('found')} from (
      select ${selected(table)}, ${sql.join(texts)}, ${apps.names(`${table}.app_id`)} as app_key from (
        select ${selected(table)} from ${sql.table(table)}
        where ${isReadable(`${table}.app_id`, !checksLast)}
        order by ${sql.ref(`${table}.${time}`)} desc limit ${most}
      ) as ${sql.table(table)}
    ) as found
    where ${containsAnyTerm(terms, own)} and ${containsTerms(terms, [...own, 'found.app_key'])}
      and ${isReadable('found.app_id', checksLast)}
    order by ${sql.ref(`found.${time}`)} desc, found.id ${sql.raw(idOrder)} limit ${limit})`;
}
