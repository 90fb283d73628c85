import {
  type InputOf,
  type OutputOf,
  stores_create,
  stores_delete,
  stores_list,
  stores_setCredentials,
} from '@mooring/contract';
import { type AppRef, appKey } from './apps.ts';
import { call, useChange, useRead } from './client.ts';

export type Store = OutputOf<typeof stores_list>[number];
export type ServiceAccount = InputOf<typeof stores_setCredentials>['body']['service_account'];

const storesKey = (appRef: AppRef) => [...appKey(appRef), 'stores'];

export const useStores = (params: AppRef) => useRead(storesKey(params), () => call(stores_list, { params }));

export const useConnectStore = (params: AppRef) =>
  useChange((body: InputOf<typeof stores_create>['body']) => call(stores_create, { params, body }), storesKey(params));

export const useSetCredentials = (appRef: AppRef, store: string) =>
  useChange(
    (service_account: ServiceAccount) =>
      call(stores_setCredentials, { params: { ...appRef, store_name: store }, body: { service_account } }),
    storesKey(appRef),
  );

export const useDisconnectStore = (appRef: AppRef) =>
  useChange(({ name }: Store) => call(stores_delete, { params: { ...appRef, store_name: name } }), storesKey(appRef));
