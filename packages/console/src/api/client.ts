import { ApiError, createClient } from '@mooring/contract';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';

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

const isWorthRetrying = (failures: number, error: unknown): boolean =>
  failures < 2 && !(error instanceof ApiError && error.status < 500);

export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeSignOut }),
  mutationCache: new MutationCache({ onError: noticeSignOut }),
  defaultOptions: {
    // The server may run on a machine or a network without internet, which browsers call "offline".
    queries: { networkMode: 'always', retry: isWorthRetrying },
    mutations: { networkMode: 'always' },
  },
});
