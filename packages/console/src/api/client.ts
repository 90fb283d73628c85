import { ApiError, createClient } from '@mooring/contract';
import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import { noteAnswer, noteOffline, onServerBack } from './connection.ts';

export const call = createClient({ baseUrl: '' });

/** The one entry that outlives a session: who is signed in, or null. */
export const ME = ['me'];

export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/** Whatever call finds out that the session has ended, the layout then sends the reader to sign in. */
function noticeSignOut(error: unknown): void {
  if (!isSignedOut(error) || !queries.getQueryData(ME)) return;
  queries.setQueryData(ME, null);
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME[0] });
}

function noticeError(error: unknown): void {
  if (error instanceof ApiError) noteAnswer();
  else noteOffline();
  noticeSignOut(error);
}

const isWorthRetrying = (failures: number, error: unknown): boolean =>
  failures < 2 && !(error instanceof ApiError && error.status < 500);

export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeError, onSuccess: noteAnswer }),
  mutationCache: new MutationCache({ onError: noticeError, onSuccess: noteAnswer }),
  defaultOptions: {
    // The server may run on a machine or a network without internet, which browsers call "offline".
    queries: { networkMode: 'always', retry: isWorthRetrying },
    mutations: { networkMode: 'always' },
  },
});

// A page that could not be read while the server was away is read by itself once it answers again.
onServerBack(() => void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' }));

/** Something that the server is asked for, and remembered by its key. */
export const useRead = <T>(queryKey: QueryKey, read: () => Promise<T>, enabled = true) =>
  useQuery({ queryKey, queryFn: read, enabled });

/** A list that is answered whole, searched and sorted. While another question is answered, the answer before stays. */
export const useArranged = <Query extends object, T>(
  queryKey: QueryKey,
  query: Query,
  read: (query: Query) => Promise<T[]>,
) =>
  useQuery({
    queryKey: [...queryKey, 'arranged', query],
    queryFn: () => read(query),
    placeholderData: keepPreviousData,
  });

interface Page<T> {
  values: T[];
  next_cursor?: string;
  /** On the first page of a list that is counted. */
  total?: number;
}

/** A list as far as it has been read. */
export interface Pages<T> {
  data: T[] | undefined;
  total: number | undefined;
  error: Error | null;
  refetch: () => unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: () => Promise<Pages<T>>;
}

type ReadPage<T> = (cursor: string | undefined) => Promise<Page<T>>;

const inPages = <T>(queryKey: QueryKey, read: ReadPage<T>) => ({
  queryKey,
  queryFn: ({ pageParam }: { pageParam: string | undefined }) => read(pageParam),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last: Page<T>) => last.next_cursor,
});

/** Asks for the first page of a list before it is shown. */
export const prefetchPages = <T>(queryKey: QueryKey, read: ReadPage<T>): Promise<void> =>
  queries.prefetchInfiniteQuery(inPages(queryKey, read));

/**
 * A list that is read page by page, as far as the reader asks for more. While another question is answered, the answer to
 * the one before stays.
 */
export function usePages<T>(queryKey: QueryKey, read: ReadPage<T>): Pages<T> {
  const query = useInfiniteQuery({
    ...inPages(queryKey, read),
    // What came before the page was drawn is not asked for once more.
    staleTime: 500,
    placeholderData: keepPreviousData,
    select: ({ pages }) => ({ values: pages.flatMap((page) => page.values), total: pages[0]?.total }),
  });
  const asPages = (result: typeof query): Pages<T> => ({
    data: result.data?.values,
    total: result.data?.total,
    error: result.error,
    refetch: result.refetch,
    hasNextPage: result.hasNextPage,
    isFetchingNextPage: result.isFetchingNextPage,
    isFetchNextPageError: result.isFetchNextPageError,
    fetchNextPage: async () => asPages(await result.fetchNextPage()),
  });
  return asPages(query);
}

/** What is shown is read again; what is not shown is forgotten, so that no page begins with what is known to be old. */
function refresh(queryKey: QueryKey): Promise<void> {
  queries.removeQueries({ queryKey, type: 'inactive' });
  return queries.invalidateQueries({ queryKey });
}

/** Something that the server is asked to change; then what it may have touched is read again. */
export const useChange = <Input, Output>(change: (input: Input) => Promise<Output>, ...touched: QueryKey[]) =>
  useMutation({
    mutationFn: change,
    gcTime: 0,
    onSuccess: () => Promise.all(touched.map(refresh)),
  });
