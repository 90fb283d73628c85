import {
  ApiError,
  appleMapping_create,
  appleMapping_delete,
  appleMapping_get,
  appleMapping_TestFlightGroups,
  type EndpointInput,
  type EndpointOutput,
  storeReleasePublishLogs_get,
  storeReleases_getPublishError,
  stores_create,
  stores_delete,
  stores_list,
  stores_setCredentials,
} from '@mooring/contract';
import { type AppRef, appKey } from '../apps.ts';
import { call, useChange, useRead } from '../client.ts';

export type Store = EndpointOutput<typeof stores_list>[number];
export type Credentials = EndpointInput<typeof stores_setCredentials>['body'];
export type ServiceAccount = NonNullable<Credentials['service_account']>;
export type AppleMapping = EndpointInput<typeof appleMapping_create>['body'];

const storesKey = (appRef: AppRef) => [...appKey(appRef), 'stores'];

export const useStores = (params: AppRef) => useRead(storesKey(params), () => call(stores_list, { params }));

export const useConnectStore = (params: AppRef) =>
  useChange(
    (body: EndpointInput<typeof stores_create>['body']) => call(stores_create, { params, body }),
    storesKey(params),
  );

export const useSetCredentials = (appRef: AppRef, store: string) =>
  useChange(
    (body: Credentials) => call(stores_setCredentials, { params: { ...appRef, store_name: store }, body }),
    storesKey(appRef),
  );

export const useDisconnectStore = (appRef: AppRef) =>
  useChange(({ name }: Store) => call(stores_delete, { params: { ...appRef, store_name: name } }), storesKey(appRef));

/** Publishing log: steps, errors and reasons to wait. */
export const usePublishing = (appRef: AppRef, store_name: string, release: number) =>
  useRead([...storesKey(appRef), 'publishing', store_name, release], async () => {
    const params = { ...appRef, store_name, release_id: String(release) };
    const { message } = await call(storeReleases_getPublishError, { params });
    return { message, log: await call(storeReleasePublishLogs_get, { params }) };
  });

const mappingKey = (appRef: AppRef) => [...appKey(appRef), 'apple-mapping'];

/** The linked App Store app, if any. */
export const useAppleMapping = (params: AppRef) =>
  useRead(mappingKey(params), async () => {
    try {
      const mapping = await call(appleMapping_get, { params });
      return { ...mapping, groups: await call(appleMapping_TestFlightGroups, { params }) };
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  });

export const useSetAppleMapping = (params: AppRef) =>
  useChange((body: AppleMapping) => call(appleMapping_create, { params, body }), mappingKey(params));

export const useRemoveAppleMapping = (params: AppRef) =>
  useChange((_: object) => call(appleMapping_delete, { params }), mappingKey(params));
