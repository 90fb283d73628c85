import type { TSchema } from 'typebox';
import { Type } from './type.ts';

/** The maximum size of a page. */
export const MAX_PAGE = 200;

export const PageQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: 50, description: 'The maximum number of results.' }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 2048, description: 'The next_cursor of the previous page. Omit it for the first page.' }),
  ),
};

/** The maximum length of a search. Each word is searched for separately, so their number is limited too. */
export const MAX_SEARCH = 100;
export const MAX_SEARCH_WORDS = 8;

/** Describes a search by words in these fields. */
export const searchIn = (searched: string) =>
  Type.String({
    maxLength: MAX_SEARCH,
    description: `Up to ${MAX_SEARCH_WORDS} words that must all occur in ${searched}. Ignores case and accents.`,
  });

export const sortOrders = ['asc', 'desc'] as const;
export type SortOrder = (typeof sortOrders)[number];

/**
 * The convention for lists that can be searched and sorted, by the first of these keys by default. A cursor is valid
 * only for its sort and order.
 */
export const listQuery = <const S extends string>(sorts: readonly [S, ...S[]], searched: string) => ({
  ...PageQuery,
  ...unpagedListQuery(sorts, searched),
});

/** The same for a list without pages, as existing clients expect it. */
export const unpagedListQuery = <const S extends string>(sorts: readonly [S, ...S[]], searched: string) => ({
  search: Type.Optional(searchIn(searched)),
  sort: Type.Optional(Type.Enum([...sorts], { description: `The field to sort by (default: ${sorts[0]}).` })),
  order: Type.Optional(
    Type.Enum([...sortOrders], {
      description: 'The sort direction (default: desc for times, newest first; otherwise asc).',
    }),
  ),
});

/** Larger results are not counted, because that would take longer than reading the page. */
export const MAX_TOTAL = 10_000;

export const Page = <T extends TSchema>(item: T) =>
  Type.Object({
    values: Type.Array(item),
    next_cursor: Type.Optional(Type.String({ description: 'Absent on the last page.' })),
    total: Type.Optional(
      Type.Integer({
        description: `The number of results on all pages. Only on the first page of a searchable list, and only if there are at most ${MAX_TOTAL}.`,
      }),
    ),
  });
