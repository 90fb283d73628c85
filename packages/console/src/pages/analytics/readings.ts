import type { Reading } from '../../parts/loaded.tsx';

/** Makes something else of what was read. */
export const of = <T, U>({ data, error, refetch }: Reading<T>, make: (data: T) => U): Reading<U> => ({
  data: data === undefined ? undefined : make(data),
  error,
  refetch,
});

export const mean = (values: number[]): number =>
  values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length);
export const counts = (list: { count: number }[]): number[] => list.map(({ count }) => count);
