import {
  type EndpointInput,
  type EndpointOutput,
  Event_GetBySubscriptionIdAndTrackingId,
  Event_GetByTenantIdAndTrackingId,
  Events_ListBySubscriptionId,
  Events_ListByTenantId,
  HealthEvent_Change,
  HealthEvent_Publish,
  HealthEvent_Update,
  HealthEvent_Withdraw,
  HealthEvents_Import,
  healthOperators_getMine,
  healthVersion,
} from '@mooring/contract';
import { useQuery } from '@tanstack/react-query';
import { call, queries, useChange, usePages, useRead } from '../client.ts';
import { live, useLive } from '../live.ts';

export type HealthEvent = EndpointOutput<typeof Event_GetByTenantIdAndTrackingId>;
export type NewEvent = EndpointInput<typeof HealthEvent_Publish>['body']['properties'];
export type ImportReport = EndpointOutput<typeof HealthEvents_Import>;
export type ImportProgress = Omit<ImportReport, 'id' | 'sha256' | 'refused'>;
export type RegionUpdate = EndpointInput<typeof HealthEvent_Update>['body'];

const EVENTS = ['health', 'events'];

/** Parameters of the next page. */
export const getSkipToken = (nextLink: string | undefined): string | undefined =>
  (nextLink && new URL(nextLink).searchParams.get('$skipToken')) || undefined;

/** List parameters; without a subscription, everything that the user may read. */
export interface EventQuery {
  subscription: string;
  filter: string;
  since: string | undefined;
  search?: string;
}

async function readPage({ subscription, filter, since, search }: EventQuery, token: string | undefined) {
  // The token contains the filter, time and search of the page it came with.
  const pageQuery = token ? { $skipToken: token } : { $filter: filter || undefined, queryStartTime: since, search };
  const query = { ...healthVersion, ...pageQuery };
  const { value, nextLink } = subscription
    ? await call(Events_ListBySubscriptionId, { params: { subscriptionId: subscription }, query })
    : await call(Events_ListByTenantId, { query });
  return { values: value, next_cursor: getSkipToken(nextLink) };
}

export function useEvents(query: EventQuery) {
  useLive(live.health, [...EVENTS, 'list']);
  return usePages<HealthEvent>([...EVENTS, 'list', query], (token) => readPage(query, token));
}

async function readUpTo(pages: number, query: EventQuery): Promise<{ events: HealthEvent[]; hasMore: boolean }> {
  const events: HealthEvent[] = [];
  let token: string | undefined;
  for (let page = 0; page < pages; page += 1) {
    const { values, next_cursor } = await readPage(query, token);
    events.push(...values);
    token = next_cursor;
    if (!token) break;
  }
  return { events, hasMore: token !== undefined };
}

/** The timeline reads at most this many pages. */
const PAGES = 10;

/** Events updated since a time, and older events that are still active. */
export function usePastEvents(query: EventQuery) {
  useLive(live.health, [...EVENTS, 'past']);
  return useRead([...EVENTS, 'past', query], async () => {
    const active = [query.filter, "status eq 'Active'"].filter(Boolean).join(' and ');
    const [recent, open] = await Promise.all([
      readUpTo(PAGES, query),
      readUpTo(PAGES, { ...query, filter: active, since: undefined }),
    ]);
    const byName = new Map([...open.events, ...recent.events].map((event) => [event.name, event]));
    return { events: [...byName.values()], hasMore: recent.hasMore || open.hasMore };
  });
}

export const useEvent = (subscription: string, trackingId: string) =>
  useRead([...EVENTS, 'one', trackingId, subscription], () =>
    subscription
      ? call(Event_GetBySubscriptionIdAndTrackingId, {
          params: { subscriptionId: subscription, trackingId },
          query: healthVersion,
        })
      : call(Event_GetByTenantIdAndTrackingId, { params: { trackingId }, query: healthVersion }),
  );

/** True for administrators and health operators. */
export const useIsOperator = (enabled = true) =>
  useRead(['health', 'rights'], () => call(healthOperators_getMine), enabled);

const active = (subscription: string) =>
  readPage({ subscription, filter: "status eq 'Active'", since: undefined }, undefined);

/** Active events of several subscriptions, without duplicates. */
export async function fetchActiveEvents(subscriptions: string[]): Promise<HealthEvent[]> {
  const pages = await Promise.all(subscriptions.map(active));
  return [...new Map(pages.flatMap(({ values }) => values).map((event) => [event.name, event])).values()];
}

/** Latest events of several subscriptions since a time, without duplicates. */
export async function eventsSince(subscriptions: string[], since: string): Promise<HealthEvent[]> {
  const pages = await Promise.all(
    subscriptions.map((subscription) => readPage({ subscription, filter: '', since }, undefined)),
  );
  return [...new Map(pages.flatMap(({ values }) => values).map((event) => [event.name, event])).values()];
}

/** The number of active events the user may read; 100 may mean more. */
export function useActiveEventCount(): number | undefined {
  useLive(live.health, [...EVENTS, 'active']);
  return useQuery({
    queryKey: [...EVENTS, 'active'],
    queryFn: async () => {
      const { values } = await active('');
      return values.length;
    },
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}

/** Refuses to overwrite an existing event. */
export const usePublish = () =>
  useChange(
    ({ trackingId, properties }: { trackingId: string; properties: NewEvent }) =>
      call(HealthEvent_Publish, {
        params: { trackingId },
        query: healthVersion,
        headers: { 'if-none-match': '*' },
        body: { properties },
      }),
    EVENTS,
  );

interface Import {
  file: Blob;
  onProgress: (progress: ImportProgress) => void;
}

export const useImport = () =>
  useChange(
    ({ file, onProgress }: Import) => call(HealthEvents_Import, { query: healthVersion, file, onProgress }),
    EVENTS,
  );

export const useUpdateRegion = (trackingId: string) =>
  useChange(
    (body: RegionUpdate) => call(HealthEvent_Update, { params: { trackingId }, query: healthVersion, body }),
    EVENTS,
  );

export const useResolve = (trackingId: string) =>
  useChange(
    () =>
      call(HealthEvent_Change, {
        params: { trackingId },
        query: healthVersion,
        body: { properties: { status: 'Resolved' } },
      }),
    EVENTS,
  );

/** The user leaves the page of the withdrawn event, so it is not refetched. */
export const useWithdraw = () =>
  useChange((trackingId: string) => call(HealthEvent_Withdraw, { params: { trackingId }, query: healthVersion }));

export const clearEvents = (): void => queries.removeQueries({ queryKey: EVENTS });
