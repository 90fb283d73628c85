import {
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
  type InputOf,
  type OutputOf,
} from '@mooring/contract';
import { useQuery } from '@tanstack/react-query';
import { call, queries, useChange, usePages, useRead } from './client.ts';
import { live, useLive } from './live.ts';

export type HealthEvent = OutputOf<typeof Event_GetByTenantIdAndTrackingId>;
export type NewEvent = InputOf<typeof HealthEvent_Publish>['body']['properties'];
export type ImportReport = OutputOf<typeof HealthEvents_Import>;
export type ImportProgress = Omit<ImportReport, 'id' | 'sha256' | 'refused'>;
export type RegionUpdate = InputOf<typeof HealthEvent_Update>['body'];

const EVENTS = ['health', 'events'];

/** What to send for the page after one. */
export const skipTokenOf = (nextLink: string | undefined): string | undefined =>
  (nextLink && new URL(nextLink).searchParams.get('$skipToken')) || undefined;

/** What a list is asked for; without a subscription, everything that the reader may read. */
export interface EventQuery {
  subscription: string;
  filter: string;
  since: string | undefined;
  search?: string;
}

async function readPage({ subscription, filter, since, search }: EventQuery, token: string | undefined) {
  // The token carries the filter, the time and the search of the page that it came with.
  const asked = token ? { $skipToken: token } : { $filter: filter || undefined, queryStartTime: since, search };
  const query = { ...healthVersion, ...asked };
  const { value, nextLink } = subscription
    ? await call(Events_ListBySubscriptionId, { params: { subscriptionId: subscription }, query })
    : await call(Events_ListByTenantId, { query });
  return { values: value, next_cursor: skipTokenOf(nextLink) };
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

/** More than this many pages are not read for a picture. */
const PAGES = 10;

/** What was updated since a time, and what began before it and goes on. */
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

/** Whether the reader may publish: administrators, and whom they let. */
export const useIsOperator = (enabled = true) =>
  useRead(['health', 'rights'], () => call(healthOperators_getMine), enabled);

const active = (subscription: string) =>
  readPage({ subscription, filter: "status eq 'Active'", since: undefined }, undefined);

/** The active events of some subscriptions, each once. */
export async function activeEventsOf(subscriptions: string[]): Promise<HealthEvent[]> {
  const pages = await Promise.all(subscriptions.map(active));
  return [...new Map(pages.flatMap(({ values }) => values).map((event) => [event.name, event])).values()];
}

/** The newest that some subscriptions were told of since a time, each once. */
export async function eventsSince(subscriptions: string[], since: string): Promise<HealthEvent[]> {
  const pages = await Promise.all(
    subscriptions.map((subscription) => readPage({ subscription, filter: '', since }, undefined)),
  );
  return [...new Map(pages.flatMap(({ values }) => values).map((event) => [event.name, event])).values()];
}

/** How many events are active of those that the reader may read; a hundred may be more. */
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

/** Only what is not there yet is published: nothing is replaced by mistake. */
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

/** Its own page is left, so nothing of it is read again. */
export const useWithdraw = () =>
  useChange((trackingId: string) => call(HealthEvent_Withdraw, { params: { trackingId }, query: healthVersion }));

export const forgetEvents = (): void => queries.removeQueries({ queryKey: EVENTS });
