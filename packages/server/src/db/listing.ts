import { type Expression, type SelectQueryBuilder, sql } from 'kysely';
import { type Listing, MAX_TOTAL } from '../kernel/paging.ts';

/** What a list is sorted by, and what tells rows with the same key apart. */
interface SortedBy {
  key: Expression<string | number>;
  id: Expression<string>;
}

/** The pattern of what contains a word, in which nothing but the two ends stands for anything else. */
const containing = (word: string): string => `%${word.replace(/[\\%_]/g, '\\$&')}%`;

/** Whether each word occurs in one of these columns, which hold search keys or names in lower case. */
export const containsWords = (words: readonly string[], columns: readonly string[]) => {
  const inOne = (word: string) =>
    sql`(${sql.join(
      columns.map((column) => sql`${sql.ref(column)} like ${containing(word)} escape '\\'`),
      sql` or `,
    )})`;
  return words.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`${sql.join(words.map(inOne), sql` and `)}`;
};

/**
 * One page of the rows that match, and one row more; the first page also counts them, up to what is worth it. Keyset: the
 * page begins after the position where the one before ended.
 */
export function selectPage<DB, TB extends keyof DB, O>(
  matching: SelectQueryBuilder<DB, TB, O>,
  { key, id }: SortedBy,
  { limit, order, after }: Listing,
) {
  const counted = matching
    .clearSelect()
    .select(sql`1`.as('one'))
    .limit(MAX_TOTAL + 1);
  const total = after ? sql<number | null>`null` : sql<number | null>`(select count(*) from (${counted}) as counted)`;
  const page = matching
    .select([sql<string | number>`${key}`.as('sort_key'), sql<string>`${id}`.as('sort_id'), total.as('total')])
    .orderBy(key, order)
    .orderBy(id, order)
    .limit(limit + 1);
  const beyond = sql.raw(order === 'asc' ? '>' : '<');
  return after ? page.where(sql<boolean>`(${key}, ${id}) ${beyond} (${after.key}, ${after.id})`) : page;
}
