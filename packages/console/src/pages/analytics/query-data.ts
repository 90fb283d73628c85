import type { QueryState } from '../../components/feedback/query-boundary.tsx';

/** Maps the data of a query. */
export const mapQuery = <T, U>({ data, error, refetch }: QueryState<T>, make: (data: T) => U): QueryState<U> => ({
  data: data === undefined ? undefined : make(data),
  error,
  refetch,
});

export const mean = (values: number[]): number =>
  values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length);
export const counts = (list: { count: number }[]): number[] => list.map(({ count }) => count);
