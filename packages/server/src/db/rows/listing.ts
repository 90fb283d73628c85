import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { type Arrangement, type Listing, MAX_TOTAL } from '../../kernel/paging.ts';

/** Sort key of a list, and the column that orders rows with the same key. */
interface SortedBy {
  key: Expression<string | number>;
  id: Expression<string>;
  /** False where counting could take long. */
  isCounted?: boolean;
  /**
   * An equivalent and faster query for the total, made by `toCount`, for example without tables that are joined only
   * for display.
   */
  counted?: Expression<unknown>;
}

/** Pattern for text that contains a term literally. */
const containing = (term: string): string => `%${term.replace(/[\\%_]/g, '\\$&')}%`;

const contains = (text: Expression<unknown>, term: string) => sql`${text} like ${containing(term)} escape '\\'`;

const all = (conditions: readonly RawBuilder<unknown>[]) =>
  conditions.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`${sql.join(conditions, sql` and `)}`;
const any = (conditions: readonly RawBuilder<unknown>[]) => sql`(${sql.join(conditions, sql` or `)})`;

/**
 * True if each term occurs in one of these columns, which hold search keys or lower-case names, or if `isKnown` finds
 * it elsewhere, by its position.
 */
export const containsTerms = (
  terms: readonly string[],
  columns: readonly string[],
  isKnown?: (at: number) => RawBuilder<unknown>,
) =>
  all(
    terms.map((term, at) =>
      any([...(isKnown ? [isKnown(at)] : []), ...columns.map((column) => contains(sql.ref(column), term))]),
    ),
  );

/** True if at least one term occurs in one of these columns. */
export const containsAnyTerm = (terms: readonly string[], columns: readonly string[]) =>
  sql<boolean>`${any(terms.flatMap((term) => columns.map((column) => contains(sql.ref(column), term))))}`;

/** A column's text for searching and sorting. Each database has the function `folded`, which equals `foldText`. */
export const folded = (column: string) => sql<string>`folded(${sql.ref(column)})`;

/** The same for columns with the original text. */
export const mentionsTerms = (terms: readonly string[], columns: readonly string[]) =>
  all(terms.map((term) => any(columns.map((column) => contains(folded(column), term)))));

/** The highest code point: text that begins with a term sorts before the term followed by it. */
const LAST = '\u{10ffff}';

/** True if a column that is compared by code point begins with a term. An index on it is used. */
export const beginsWith = (term: string, column: string) =>
  sql<boolean>`(${sql.ref(column)} >= ${term} and ${sql.ref(column)} < ${term + LAST})`;

/** Sorts text that begins with the first term before text that only contains it, then alphabetically. */
export const beginningsFirst = ([first = '']: readonly string[], column: string) => {
  const begins = `${containing(first).slice(1)}`;
  return sql`case when ${sql.ref(column)} like ${begins} escape '\\' then 0 else 1 end, ${sql.ref(column)}`;
};

/** All matching rows in the requested order. */
export const inOrder = <DB, TB extends keyof DB, O>(
  matching: SelectQueryBuilder<DB, TB, O>,
  { key, id }: Pick<SortedBy, 'key' | 'id'>,
  { order }: Pick<Arrangement, 'order'>,
) => matching.orderBy(key, order).orderBy(id, order);

/** Matching rows, up to the maximum total. */
export const toCount = <DB, TB extends keyof DB, O>(matching: SelectQueryBuilder<DB, TB, O>): Expression<unknown> =>
  matching
    .clearSelect()
    .select(sql`1`.as('one'))
    .limit(MAX_TOTAL + 1);

/**
 * One page of the matching rows, plus one row to tell whether another page follows. The first page also counts them, up
 * to the maximum total. Keyset paging: a page starts after the last position of the previous one.
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
