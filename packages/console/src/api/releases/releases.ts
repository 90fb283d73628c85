import {
  BULK_DELETE_MAX,
  devices_list,
  devices_listResignings,
  devices_resignRelease,
  type EndpointInput,
  type EndpointOutput,
  provisioning_profile,
  releases_addDistributionGroup,
  releases_addStore,
  releases_addTesters,
  releases_delete,
  releases_deleteDistributionGroup,
  releases_deleteDistributionStore,
  releases_deleteDistributionTester,
  releases_deleteMany,
  releases_getLatestByUser,
  releases_list,
  releases_putDistributionGroup,
  releases_putDistributionTester,
  releases_updateDetails,
} from '@mooring/contract';
import { useQueryClient } from '@tanstack/react-query';
import { type AppRef, appKey } from '../apps.ts';
import { call, useChange, useRead } from '../client.ts';

export type Release = EndpointOutput<typeof releases_list>[number];
export type ReleaseDetails = EndpointOutput<typeof releases_getLatestByUser>;
export type Destination = NonNullable<Release['destinations']>[number];
type Change = EndpointInput<typeof releases_updateDetails>['body'];

export const releasesKey = (appRef: AppRef) => [...appKey(appRef), 'releases'];
const at = (appRef: AppRef, id: number | string) => ({ ...appRef, release_id: String(id) });

export const useReleases = (appRef: AppRef, enabled = true) =>
  useRead([...releasesKey(appRef), 'list'], () => call(releases_list, { params: appRef, query: {} }), enabled);

export const useRelease = (appRef: AppRef, id: string) =>
  useRead([...releasesKey(appRef), 'one', id], () => call(releases_getLatestByUser, { params: at(appRef, id) }));

/** Signing purpose of the package; iOS apps only. */
export const useProfile = (appRef: AppRef, id: number, enabled: boolean) =>
  useRead(
    [...releasesKey(appRef), 'profile', String(id)],
    () => call(provisioning_profile, { params: at(appRef, id) }),
    enabled,
  );

export const useChangeRelease = (appRef: AppRef, id: number) =>
  useChange((body: Change) => call(releases_updateDetails, { params: at(appRef, id), body }), releasesKey(appRef));

/** Not refetched here: the user is about to leave the page. */
export function useDeleteRelease(appRef: AppRef) {
  const queries = useQueryClient();
  return useChange(async ({ id }: { id: number }) => {
    await call(releases_delete, { params: at(appRef, id) });
    void queries.invalidateQueries({ queryKey: [...releasesKey(appRef), 'list'] });
  });
}

export const useDeleteReleases = (params: AppRef) =>
  useChange(async (releases: readonly { id: number }[]) => {
    for (let at = 0; at < releases.length; at += BULK_DELETE_MAX) {
      const release_ids = releases.slice(at, at + BULK_DELETE_MAX).map(({ id }) => id);
      await call(releases_deleteMany, { params, body: { release_ids } });
    }
  }, releasesKey(params));

export interface DistributeOptions {
  groups: string[];
  testers: string[];
  stores: string[];
  mandatory_update: boolean;
  notify_testers: boolean;
}

/** Distributes to one destination at a time: if one fails, earlier ones keep the release. */
export const useDistribute = (appRef: AppRef, id: number) =>
  useChange(async ({ groups, testers, stores, ...options }: DistributeOptions) => {
    const params = at(appRef, id);
    for (const id of groups) await call(releases_addDistributionGroup, { params, body: { id, ...options } });
    for (const email of testers) await call(releases_addTesters, { params, body: { email, ...options } });
    for (const id of stores) await call(releases_addStore, { params, body: { id } });
  }, releasesKey(appRef));

export const useRemoveDestination = (appRef: AppRef, release: number) =>
  useChange(({ id, destination_type }: Destination) => {
    const params = at(appRef, release);
    if (destination_type === 'tester') {
      return call(releases_deleteDistributionTester, { params: { ...params, tester_id: id } });
    }
    if (destination_type === 'store') {
      return call(releases_deleteDistributionStore, { params: { ...params, store_id: id } });
    }
    return call(releases_deleteDistributionGroup, { params: { ...params, group_id: id } });
  }, releasesKey(appRef));

export const useSetMandatory = (appRef: AppRef, release: number) =>
  useChange(
    ({ destination: { id, destination_type }, isMandatory }: { destination: Destination; isMandatory: boolean }) => {
      const body = { mandatory_update: isMandatory };
      return destination_type === 'tester'
        ? call(releases_putDistributionTester, { params: { ...at(appRef, release), tester_id: id }, body })
        : call(releases_putDistributionGroup, { params: { ...at(appRef, release), group_id: id }, body });
    },
    releasesKey(appRef),
  );

/** Devices of a group's testers, and whether the provisioning profile contains them. */
export const useGroupDevices = (appRef: AppRef, group: string, release: number) =>
  useRead([...releasesKey(appRef), 'devices', group, String(release)], () =>
    call(devices_list, { params: { ...appRef, distribution_group_name: group }, query: { release_id: release } }),
  );

const resigningsKey = (appRef: AppRef, id: number) => [...releasesKey(appRef), 'resignings', String(id)];

export const useResignings = (appRef: AppRef, id: number) =>
  useRead(resigningsKey(appRef, id), () => call(devices_listResignings, { params: at(appRef, id) }));

export const useResign = (appRef: AppRef, id: number) =>
  useChange(
    (_: object) => call(devices_resignRelease, { params: at(appRef, id), body: {} }),
    resigningsKey(appRef, id),
  );
