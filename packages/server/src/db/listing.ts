import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { type Arrangement, type Listing, MAX_TOTAL } from '../kernel/paging.ts';

/** What a list is sorted by, and what tells rows with the same key apart. */
interface SortedBy {
  key: Expression<string | number>;
  id: Expression<string>;
  /** Where counting could take long, nobody does. */
  isCounted?: boolean;
  /** By `toCount`, of what has as many rows and is quicker: without tables that are joined only to be shown. */
  counted?: Expression<unknown>;
}

/** The pattern of what contains a word, in which nothing but the two ends stands for anything else. */
const containing = (word: string): string => `%${word.replace(/[\\%_]/g, '\\$&')}%`;

const contains = (text: Expression<unknown>, word: string) => sql`${text} like ${containing(word)} escape '\\'`;

const all = (conditions: readonly RawBuilder<unknown>[]) =>
  conditions.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`${sql.join(conditions, sql` and `)}`;
const any = (conditions: readonly RawBuilder<unknown>[]) => sql`(${sql.join(conditions, sql` or `)})`;

/**
 * Whether each word occurs in one of these columns, which hold search keys or names in lower case; or else whether it is known
 * to occur elsewhere, by its number.
 */
export const containsWords = (
  words: readonly string[],
  columns: readonly string[],
  isKnown?: (at: number) => RawBuilder<unknown>,
) =>
  all(
    words.map((word, at) =>
      any([...(isKnown ? [isKnown(at)] : []), ...columns.map((column) => contains(sql.ref(column), word))]),
    ),
  );

/** Whether at least one of them does. */
export const containsAnyWord = (words: readonly string[], columns: readonly string[]) =>
  sql<boolean>`${any(words.flatMap((word) => columns.map((column) => contains(sql.ref(column), word))))}`;

/** Text of a column as it is searched and sorted by; each database has the function `folded`, which does as `foldText`. */
export const folded = (column: string) => sql<string>`folded(${sql.ref(column)})`;

/** The same for columns that hold text as it was written. */
export const mentionsWords = (words: readonly string[], columns: readonly string[]) =>
  all(words.map((word) => any(columns.map((column) => contains(folded(column), word)))));

/** The last of all signs: what begins with a word is before the word with it. */
const LAST = '\u{10ffff}';

/** Whether a column that is compared sign by sign begins with a word; an index of it helps. */
export const beginsWith = (word: string, column: string) =>
  sql<boolean>`(${sql.ref(column)} >= ${word} and ${sql.ref(column)} < ${word + LAST})`;

/** Puts what begins with the first word before what has it elsewhere, and the rest in order. */
export const beginningsFirst = ([first = '']: readonly string[], column: string) => {
  const begins = `${containing(first).slice(1)}`;
  return sql`case when ${sql.ref(column)} like ${begins} escape '\\' then 0 else 1 end, ${sql.ref(column)}`;
};

/** All rows that match, in the order that is asked for. */
export const inOrder = <DB, TB extends keyof DB, O>(
  matching: SelectQueryBuilder<DB, TB, O>,
  { key, id }: Pick<SortedBy, 'key' | 'id'>,
  { order }: Pick<Arrangement, 'order'>,
) => matching.orderBy(key, order).orderBy(id, order);

/** Rows that match, up to what is worth counting. */
export const toCount = <DB, TB extends keyof DB, O>(matching: SelectQueryBuilder<DB, TB, O>): Expression<unknown> =>
  matching
    .clearSelect()
    .select(sql`1`.as('one'))
    .limit(MAX_TOTAL + 1);

/**
 * One page of the rows that match, and one row more; the first page also counts them, up to what is worth it. Keyset: the
 * page begins after the position where the one before ended.
 */
export function selectPage<DB, TB extends keyof DB, O>(
  matching: SelectQueryBuilder<DB, TB, O>,
  { key, id, isCounted = true, counted = toCount(matching) }: SortedBy,
  { limit, order, after }: Listing,
) {
  const total =
    after || !isCounted ? sql<number | null>`null` : sql<number | null>`(select count(*) from (${counted}) as counted)`;
  const page = matching
    .select([sql<string | number>`${key}`.as('sort_key'), sql<string>`${id}`.as('sort_id'), total.as('total')])
    .orderBy(key, order)
    .orderBy(id, order)
    .limit(limit + 1);
  const beyond = sql.raw(order === 'asc' ? '>' : '<');
  return after ? page.where(sql<boolean>`(${key}, ${id}) ${beyond} (${after.key}, ${after.id})`) : page;
}
