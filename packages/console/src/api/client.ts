import { ApiError, type Client, createClient } from '@mooring/contract';
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
import { noteOffline, noteOnline, onServerBack } from './connection.ts';

const send = createClient({ baseUrl: '' });

/** Asks the person to confirm who they are; set by `pages/sign-in/confirmation.tsx`. */
export const confirmer: { confirm?: () => Promise<unknown> } = {};

/** Repeats a request that needed a confirmation. */
export const call: Client = (spec, ...input) =>
  send(spec, ...input).catch(async (error) => {
    if (!error.confirmation || !confirmer.confirm) throw error;
    await confirmer.confirm().catch(() => Promise.reject(error));
    return send(spec, ...input);
  });

/** The signed-in user, or null: the only cache entry that outlives a session. */
export const ME = ['me'];

export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/** Any request can find that the session has ended; the layout then redirects to the sign-in page. */
function noticeSignOut(error: unknown): void {
  if (!isSignedOut(error) || !queries.getQueryData(ME)) return;
  queries.setQueryData(ME, null);
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME[0] });
}

function noticeError(error: unknown): void {
  if (error instanceof ApiError) noteOnline();
  else noteOffline();
  noticeSignOut(error);
}

const isWorthRetrying = (failures: number, error: unknown): boolean =>
  failures < 2 && !(error instanceof ApiError && error.status < 500);

export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeError, onSuccess: noteOnline }),
  mutationCache: new MutationCache({ onError: noticeError, onSuccess: noteOnline }),
  defaultOptions: {
    // Browsers report "offline" without internet access, even if they can reach a local server.
    queries: { networkMode: 'always', retry: isWorthRetrying },
    mutations: { networkMode: 'always' },
  },
});

// Pages that failed to load while the server was unreachable are refetched once it responds.
onServerBack(() => void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' }));

/** A query with its cache key. */
export const useRead = <T>(queryKey: QueryKey, read: () => Promise<T>, enabled = true) =>
  useQuery({ queryKey, queryFn: read, enabled });

/** An unpaged list that the server searches and sorts. The previous result stays visible while a new one loads. */
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
  /** Only on the first page of a counted list. */
  total?: number;
}

/** The pages of a list loaded so far. */
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

/** Prefetches the first page of a list. */
export const prefetchPages = <T>(queryKey: QueryKey, read: ReadPage<T>): Promise<void> =>
  queries.prefetchInfiniteQuery(inPages(queryKey, read));

/** A paged list that loads more on demand. The previous result stays visible while a new one loads. */
export function usePages<T>(queryKey: QueryKey, read: ReadPage<T>): Pages<T> {
  const query = useInfiniteQuery({
    ...inPages(queryKey, read),
    // Keeps a prefetched result from being fetched again on the first render.
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

/** Refetches visible queries and drops hidden ones, so that no page starts with stale data. */
function refresh(queryKey: QueryKey): Promise<void> {
  queries.removeQueries({ queryKey, type: 'inactive' });
  return queries.invalidateQueries({ queryKey });
}

/** A mutation that refetches everything it may have changed. */
export const useChange = <Input, Output>(change: (input: Input) => Promise<Output>, ...touched: QueryKey[]) =>
  useMutation({
    mutationFn: change,
    gcTime: 0,
    onSuccess: () => Promise.all(touched.map(refresh)),
  });
