import {
  Analytics_DeviceCounts,
  Analytics_EventCount,
  Analytics_EventDeviceCount,
  Analytics_EventPerDeviceCount,
  Analytics_EventPerSessionCount,
  Analytics_EventProperties,
  Analytics_EventPropertyCounts,
  Analytics_Events,
  Analytics_EventsDelete,
  Analytics_GenericLogFlow,
  Analytics_LanguageCounts,
  Analytics_ModelCounts,
  Analytics_OperatingSystemCounts,
  Analytics_PerDeviceCounts,
  Analytics_PlaceCounts,
  Analytics_SessionCounts,
  Analytics_SessionDurationsDistribution,
  Analytics_Versions,
  analytics_deleteInstall,
  analytics_deleteUser,
  analytics_getStorage,
  analytics_listDeletions,
  analytics_updateStorage,
  analytics_watchLogs,
  type EndpointInput,
  type EndpointOutput,
} from '@mooring/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type AppRef, appKey } from '../apps.ts';
import { call, useChange, useRead } from '../client.ts';

/** Days and app versions; no versions means all. */
export type AnalyticsFilter = Pick<
  EndpointInput<typeof Analytics_SessionDurationsDistribution>['query'],
  'start' | 'end'
> & {
  versions?: string;
};

export type FlowLog = EndpointOutput<typeof Analytics_GenericLogFlow>['logs'][number];
export type Deletion = EndpointOutput<typeof analytics_listDeletions>['values'][number];
export type EventRow = EndpointOutput<typeof Analytics_Events>['events'][number];

export const analyticsKey = (appRef: AppRef) => [...appKey(appRef), 'analytics'];

const FRESH = 15_000;
const AWAITED_EVERY = 3000;

/** Figures a few seconds old are still good. Those of another period stay visible while new ones load. */
export function useFigures<T>(params: AppRef, key: unknown[], read: () => Promise<T>, enabled = true) {
  return useQuery({
    queryKey: [...analyticsKey(params), ...key],
    queryFn: read,
    placeholderData: keepPreviousData,
    staleTime: FRESH,
    enabled,
  });
}

const P1D = 'P1D';

/** Polls while there is no data yet. */
export const useActiveDevices = (params: AppRef, query: AnalyticsFilter, isAwaited = false) =>
  useQuery({
    queryKey: [...analyticsKey(params), 'devices', query],
    queryFn: () => call(Analytics_DeviceCounts, { params, query }),
    placeholderData: keepPreviousData,
    staleTime: FRESH,
    refetchInterval: ({ state }) =>
      isAwaited && state.data?.monthly.every(({ count }) => count === 0) ? AWAITED_EVERY : false,
  });

/** Active devices of several versions by day. */
export const useAdoption = (params: AppRef, query: AnalyticsFilter, versions: string[]) =>
  useFigures(
    params,
    ['adoption', query, versions],
    () =>
      Promise.all(
        versions.map(async (version) => ({
          version,
          daily: (await call(Analytics_DeviceCounts, { params, query: { ...query, versions: version } })).daily,
        })),
      ),
    versions.length > 0,
  );

export const useSessions = (params: AppRef, query: AnalyticsFilter) =>
  useFigures(params, ['sessions', query], () =>
    call(Analytics_SessionCounts, { params, query: { ...query, interval: P1D } }),
  );

export const useSessionsPerDevice = (params: AppRef, query: AnalyticsFilter) =>
  useFigures(params, ['sessions-per-device', query], () =>
    call(Analytics_PerDeviceCounts, { params, query: { ...query, interval: P1D } }),
  );

export const useDurations = (params: AppRef, query: AnalyticsFilter) =>
  useFigures(params, ['durations', query], () => call(Analytics_SessionDurationsDistribution, { params, query }));

const top = { $top: 12 };

export const useVersions = (params: AppRef, query: AnalyticsFilter) =>
  useFigures(params, ['versions', query], () => call(Analytics_Versions, { params, query: { ...query, $top: 0 } }));
export const useCountries = (params: AppRef, query: AnalyticsFilter) =>
  useFigures(params, ['places', query], () => call(Analytics_PlaceCounts, { params, query: { ...query, $top: 0 } }));
export const useLanguages = (params: AppRef, query: AnalyticsFilter) =>
  useFigures(params, ['languages', query], () =>
    call(Analytics_LanguageCounts, { params, query: { ...query, ...top } }),
  );
export const useModels = (params: AppRef, query: AnalyticsFilter) =>
  useFigures(params, ['models', query], () => call(Analytics_ModelCounts, { params, query: { ...query, ...top } }));
export const useSystems = (params: AppRef, query: AnalyticsFilter) =>
  useFigures(params, ['oses', query], () =>
    call(Analytics_OperatingSystemCounts, { params, query: { ...query, ...top } }),
  );

export const useEvents = (params: AppRef, query: AnalyticsFilter) =>
  useFigures(params, ['events', query], () => call(Analytics_Events, { params, query: { ...query, $top: 0 } }));

/** Daily and total counts of an event. */
export const useEvent = (appRef: AppRef, event_name: string, query: AnalyticsFilter) =>
  useFigures(appRef, ['event', event_name, query], async () => {
    const params = { ...appRef, event_name };
    const [counts, devices, perDevice, perSession] = await Promise.all([
      call(Analytics_EventCount, { params, query }),
      call(Analytics_EventDeviceCount, { params, query }),
      call(Analytics_EventPerDeviceCount, { params, query }),
      call(Analytics_EventPerSessionCount, { params, query }),
    ]);
    return { counts, devices, perDevice, perSession };
  });

export const useEventProperties = (appRef: AppRef, event_name: string) =>
  useFigures(
    appRef,
    ['event-properties', event_name],
    () => call(Analytics_EventProperties, { params: { ...appRef, event_name } }),
    event_name !== '',
  );

export const useEventPropertyValues = (appRef: AppRef, event_name: string, property: string, query: AnalyticsFilter) =>
  useFigures(appRef, ['event-values', event_name, property, query], () =>
    call(Analytics_EventPropertyCounts, {
      params: { ...appRef, event_name, event_property_name: property },
      query: { ...query, $top: 20 },
    }),
  );

export const useDeleteEvent = (appRef: AppRef) =>
  useChange(
    (event_name: string) => call(Analytics_EventsDelete, { params: { ...appRef, event_name } }),
    analyticsKey(appRef),
  );

/** The data subject: an install, or a user by the user ID set in the app. */
export interface DataSubject {
  kind: 'install' | 'user';
  id: string;
}

export const useDeleteDataSubject = (appRef: AppRef) =>
  useChange(
    async ({ kind, id }: DataSubject): Promise<void> => {
      if (kind === 'install') await call(analytics_deleteInstall, { params: { ...appRef, install_id: id } });
      else await call(analytics_deleteUser, { params: { ...appRef, user_id: id } });
    },
    // This also deletes their crash reports.
    appKey(appRef),
  );

const DELETION_EVERY = 5000;

/** Progress of deletions; polls while files are left to rewrite. */
export const useDeletions = (params: AppRef) =>
  useQuery({
    queryKey: [...analyticsKey(params), 'deletions'],
    queryFn: () => call(analytics_listDeletions, { params }),
    refetchInterval: ({ state }) =>
      state.data?.values.some(({ files_left }) => files_left > 0) ? DELETION_EVERY : false,
  });

const storageKey = (params: AppRef) => [...analyticsKey(params), 'storage'];

export const useStorage = (params: AppRef) => useRead(storageKey(params), () => call(analytics_getStorage, { params }));

export const useSetRetention = (params: AppRef) =>
  useChange(
    (retention_days: number | null) => call(analytics_updateStorage, { params, body: { retention_days } }),
    storageKey(params),
  );

export const readLogFlow = (params: AppRef, start: string) =>
  call(Analytics_GenericLogFlow, { params, query: { start } });

/** Event stream of incoming logs. */
export const watchLogFlow = ({ owner_name, app_name }: AppRef): EventSource =>
  new EventSource(
    analytics_watchLogs.path
      .replace('{owner_name}', encodeURIComponent(owner_name))
      .replace('{app_name}', encodeURIComponent(app_name)),
  );
