import type { TSchema } from 'typebox';
import { Type } from './type.ts';

/** The most that one page may hold. */
export const MAX_PAGE = 200;

export const PageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE, default: 50, description: 'How many at most.' })),
  cursor: Type.Optional(
    Type.String({ maxLength: 2048, description: 'The next_cursor of the page before; absent for the first page.' }),
  ),
};

/** The most that a search may hold; the words are each looked for, so there are not many of them. */
export const MAX_SEARCH = 100;
export const MAX_SEARCH_WORDS = 8;

/** Words to look for, and where. */
export const searchIn = (searched: string) =>
  Type.String({
    maxLength: MAX_SEARCH,
    description: `Words, at most ${MAX_SEARCH_WORDS}, that each occur somewhere in ${searched}; case and accents do not matter.`,
  });

export const sortOrders = ['asc', 'desc'] as const;
export type SortOrder = (typeof sortOrders)[number];

/**
 * The one convention of lists that can be searched and sorted: by the first of these keys unless another is asked for.
 * A cursor holds for the sort and order that it came with.
 */
export const listQuery = <const S extends string>(sorts: readonly [S, ...S[]], searched: string) => ({
  ...PageQuery,
  ...unpagedListQuery(sorts, searched),
});

/** The same for a list that is answered whole, as existing clients expect it. */
export const unpagedListQuery = <const S extends string>(sorts: readonly [S, ...S[]], searched: string) => ({
  search: Type.Optional(searchIn(searched)),
  sort: Type.Optional(Type.Enum([...sorts], { description: `${sorts[0]} if absent.` })),
  order: Type.Optional(
    Type.Enum([...sortOrders], {
      description: 'If absent, desc for times, so the newest come first, and asc for others.',
    }),
  ),
});

/** Beyond it, rows are not counted: it would cost more than the page itself. */
export const MAX_TOTAL = 10_000;

export const Page = <T extends TSchema>(item: T) =>
  Type.Object({
    values: Type.Array(item),
    next_cursor: Type.Optional(Type.String({ description: 'Absent on the last page.' })),
    total: Type.Optional(
      Type.Integer({
        description: `On the first page of a list that can be searched: how many there are on all pages. Absent if there are more than ${MAX_TOTAL}.`,
      }),
    ),
  });
