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
  type InputOf,
  type OutputOf,
} from '@mooring/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type AppAddress, appKey } from './apps.ts';
import { call, useChange } from './client.ts';

/** Which days, and which versions of the app; all of them if none is named. */
export type Asked = Pick<InputOf<typeof Analytics_SessionDurationsDistribution>['query'], 'start' | 'end'> & {
  versions?: string;
};

export type FlowLog = OutputOf<typeof Analytics_GenericLogFlow>['logs'][number];
export type EventRow = OutputOf<typeof Analytics_Events>['events'][number];

const analyticsKey = (address: AppAddress) => [...appKey(address), 'analytics'];

const FRESH = 15_000;
const AWAITED_EVERY = 3000;

/** Figures of a few seconds ago are still good, and those of another time stay while new ones are counted. */
function useFigures<T>(params: AppAddress, what: unknown[], read: () => Promise<T>, enabled = true) {
  return useQuery({
    queryKey: [...analyticsKey(params), ...what],
    queryFn: read,
    placeholderData: keepPreviousData,
    staleTime: FRESH,
    enabled,
  });
}

const P1D = 'P1D';

/** While there are none, it can be looked again for the first. */
export const useActiveDevices = (params: AppAddress, query: Asked, isAwaited = false) =>
  useQuery({
    queryKey: [...analyticsKey(params), 'devices', query],
    queryFn: () => call(Analytics_DeviceCounts, { params, query }),
    placeholderData: keepPreviousData,
    staleTime: FRESH,
    refetchInterval: ({ state }) =>
      isAwaited && state.data?.monthly.every(({ count }) => count === 0) ? AWAITED_EVERY : false,
  });

/** Active devices of each of some versions, day by day. */
export const useAdoption = (params: AppAddress, query: Asked, versions: string[]) =>
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

export const useSessions = (params: AppAddress, query: Asked) =>
  useFigures(params, ['sessions', query], () =>
    call(Analytics_SessionCounts, { params, query: { ...query, interval: P1D } }),
  );

export const useSessionsPerDevice = (params: AppAddress, query: Asked) =>
  useFigures(params, ['sessions-per-device', query], () =>
    call(Analytics_PerDeviceCounts, { params, query: { ...query, interval: P1D } }),
  );

export const useDurations = (params: AppAddress, query: Asked) =>
  useFigures(params, ['durations', query], () => call(Analytics_SessionDurationsDistribution, { params, query }));

const top = { $top: 12 };

export const useVersions = (params: AppAddress, query: Asked) =>
  useFigures(params, ['versions', query], () => call(Analytics_Versions, { params, query: { ...query, $top: 0 } }));
export const usePlaces = (params: AppAddress, query: Asked) =>
  useFigures(params, ['places', query], () => call(Analytics_PlaceCounts, { params, query: { ...query, $top: 0 } }));
export const useLanguages = (params: AppAddress, query: Asked) =>
  useFigures(params, ['languages', query], () =>
    call(Analytics_LanguageCounts, { params, query: { ...query, ...top } }),
  );
export const useModels = (params: AppAddress, query: Asked) =>
  useFigures(params, ['models', query], () => call(Analytics_ModelCounts, { params, query: { ...query, ...top } }));
export const useSystems = (params: AppAddress, query: Asked) =>
  useFigures(params, ['oses', query], () =>
    call(Analytics_OperatingSystemCounts, { params, query: { ...query, ...top } }),
  );

export const useEvents = (params: AppAddress, query: Asked) =>
  useFigures(params, ['events', query], () => call(Analytics_Events, { params, query: { ...query, $top: 0 } }));

/** An event on each day, and in sum. */
export const useEvent = (address: AppAddress, event_name: string, query: Asked) =>
  useFigures(address, ['event', event_name, query], async () => {
    const params = { ...address, event_name };
    const [counts, devices, perDevice, perSession] = await Promise.all([
      call(Analytics_EventCount, { params, query }),
      call(Analytics_EventDeviceCount, { params, query }),
      call(Analytics_EventPerDeviceCount, { params, query }),
      call(Analytics_EventPerSessionCount, { params, query }),
    ]);
    return { counts, devices, perDevice, perSession };
  });

export const useEventProperties = (address: AppAddress, event_name: string) =>
  useFigures(address, ['event-properties', event_name], () =>
    call(Analytics_EventProperties, { params: { ...address, event_name } }),
  );

export const useEventPropertyValues = (address: AppAddress, event_name: string, property: string, query: Asked) =>
  useFigures(address, ['event-values', event_name, property, query], () =>
    call(Analytics_EventPropertyCounts, {
      params: { ...address, event_name, event_property_name: property },
      query: { ...query, $top: 20 },
    }),
  );

export const useDeleteEvent = (address: AppAddress) =>
  useChange(
    (event_name: string) => call(Analytics_EventsDelete, { params: { ...address, event_name } }),
    analyticsKey(address),
  );

export const readLogFlow = (params: AppAddress, start: string) =>
  call(Analytics_GenericLogFlow, { params, query: { start } });
