import {
  Analytics_Events,
  type EndpointOutput,
  Event_GetByTenantIdAndTrackingId,
  healthVersion,
  MAX_SEARCH_WORDS,
  Subscriptions_List,
  search_find,
  userApps_list,
} from '@mooring/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { APPS, type AppRef, appKey } from './apps.ts';
import { call } from './client.ts';

export type SearchMatch = EndpointOutput<typeof search_find>['values'][number];
export type ListedApp = EndpointOutput<typeof userApps_list>['values'][number];

/** Search results; the previous ones stay visible while new ones load. */
export const useSearch = (q: string) =>
  useQuery({
    queryKey: ['search', q],
    queryFn: async () =>
      (await call(search_find, { query: { q: q.split(/\s+/).slice(0, MAX_SEARCH_WORDS).join(' ') } })).values,
    enabled: q !== '',
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });

const DAYS = 28 * 86_400_000;

/** Event names of an app. Fetched once, because the server has to count them. */
export const useEventNames = (params: AppRef | undefined, enabled: boolean) =>
  useQuery({
    queryKey: [...appKey(params ?? { owner_name: '', app_name: '' }), 'event names'],
    queryFn: async () => {
      if (!params) return [];
      const query = { start: new Date(Date.now() - DAYS).toISOString(), $top: 0 };
      return (await call(Analytics_Events, { params, query })).events.flatMap(({ name }) => name ?? []);
    },
    enabled: enabled && params !== undefined,
    staleTime: 300_000,
    retry: false,
  });

/** Apps the user can open, by owner and name. */
export const useAppsToOpen = (owner: string, search: string) =>
  useQuery({
    queryKey: [...APPS, 'to open', owner, search],
    queryFn: async () =>
      (await call(userApps_list, { query: { owner, ...(search ? { search } : {}), sort: 'display_name', limit: 30 } }))
        .values,
    placeholderData: keepPreviousData,
  });

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Tracking IDs as operators write them: one word with a digit and a separator. */
const TRACKING_ID = /^(?=.*\d)(?=.*[-_])[A-Za-z0-9_-]{4,64}$/;

export type IdMatch =
  | { kind: 'subscription'; id: string; title: string }
  | { kind: 'event'; id: string; title: string };

async function findById(id: string): Promise<IdMatch[]> {
  if (!GUID.test(id)) {
    const { name, properties } = await call(Event_GetByTenantIdAndTrackingId, {
      params: { trackingId: id },
      query: healthVersion,
    });
    return [{ kind: 'event', id: name, title: properties.title }];
  }
  const { value: subscriptions } = await call(Subscriptions_List, { query: healthVersion });
  return subscriptions
    .filter(({ subscriptionId }) => subscriptionId === id.toLowerCase())
    .map(({ subscriptionId, displayName }) => ({ kind: 'subscription', id: subscriptionId, title: displayName }));
}

/** Finds the subscription or health event with a pasted ID; the search itself finds apps. */
export const useSearchById = (id: string) =>
  useQuery({
    queryKey: ['search', 'id', id],
    queryFn: () => findById(id),
    enabled: GUID.test(id) || TRACKING_ID.test(id),
    staleTime: 10_000,
  });
