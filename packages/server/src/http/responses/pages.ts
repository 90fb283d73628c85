import type { Page } from '../../kernel/paging.ts';

/** Converts a page to its format in the API. */
export const pageToWire = <T, W>({ values, nextCursor, total }: Page<T>, toWire: (value: T) => W) => ({
  values: values.map(toWire),
  next_cursor: nextCursor,
  total,
});
