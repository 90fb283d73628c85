import type { Page } from '../kernel/paging.ts';

/** A page in the words of the wire. */
export const pageToWire = <T, W>({ values, nextCursor, total }: Page<T>, toWire: (value: T) => W) => ({
  values: values.map(toWire),
  next_cursor: nextCursor,
  total,
});
