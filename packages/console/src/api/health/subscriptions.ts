import {
  azureSubscription_listForOrg,
  type EndpointInput,
  type EndpointOutput,
  healthOperators_add,
  healthOperators_list,
  healthOperators_remove,
  healthVersion,
  SubscriptionReaders_Add,
  SubscriptionReaders_List,
  SubscriptionReaders_Remove,
  Subscriptions_Delete,
  Subscriptions_Get,
  Subscriptions_List,
  Subscriptions_Save,
} from '@mooring/contract';
import { call, useArranged, useChange, useRead } from '../client.ts';

export type Subscription = EndpointOutput<typeof Subscriptions_Get>;
export type SubscriptionInput = EndpointInput<typeof Subscriptions_Save>['body'];
export type Reader = EndpointOutput<typeof SubscriptionReaders_List>['value'][number];
export type Operator = EndpointOutput<typeof healthOperators_list>[number];

const SUBSCRIPTIONS = ['subscriptions'];
const OPERATORS = ['health', 'operators'];
const subscriptionKey = (subscriptionId: string) => ['subscription', subscriptionId];
const readersKey = (subscriptionId: string) => [...subscriptionKey(subscriptionId), 'readers'];

export const useSubscriptions = () =>
  useRead(SUBSCRIPTIONS, async () => (await call(Subscriptions_List, { query: healthVersion })).value);

/** Searched and sorted page by page. */
export const useArrangedSubscriptions = (
  query: Omit<EndpointInput<typeof Subscriptions_List>['query'], 'api-version'>,
) =>
  useArranged(
    SUBSCRIPTIONS,
    query,
    async (params) => (await call(Subscriptions_List, { query: { ...healthVersion, ...params } })).value,
  );

export type OrgSubscription = EndpointOutput<typeof azureSubscription_listForOrg>[number];

/** Subscriptions of an organization. */
export const useOrgSubscriptions = (org_name: string) =>
  useRead([...SUBSCRIPTIONS, 'org', org_name], () => call(azureSubscription_listForOrg, { params: { org_name } }));

export const useSubscription = (subscriptionId: string) =>
  useRead(subscriptionKey(subscriptionId), () =>
    call(Subscriptions_Get, { params: { subscriptionId }, query: healthVersion }),
  );

export const useSaveSubscription = () =>
  useChange(
    ({ id, body }: { id: string; body: SubscriptionInput }) =>
      call(Subscriptions_Save, { params: { subscriptionId: id }, query: healthVersion, body }),
    SUBSCRIPTIONS,
    ['subscription'],
    ['health', 'events'],
  );

/** The user leaves the page of the deleted subscription, so it is not refetched. */
export const useDeleteSubscription = () =>
  useChange(
    (subscriptionId: string) => call(Subscriptions_Delete, { params: { subscriptionId }, query: healthVersion }),
    SUBSCRIPTIONS,
    ['health', 'events'],
  );

export const useReaders = (subscriptionId: string) =>
  useRead(
    readersKey(subscriptionId),
    async () => (await call(SubscriptionReaders_List, { params: { subscriptionId }, query: healthVersion })).value,
  );

export const useAddReader = (subscriptionId: string) =>
  useChange(
    (userName: string) => call(SubscriptionReaders_Add, { params: { subscriptionId, userName }, query: healthVersion }),
    readersKey(subscriptionId),
  );

export const useRemoveReader = (subscriptionId: string) =>
  useChange(
    ({ name }: Reader) =>
      call(SubscriptionReaders_Remove, { params: { subscriptionId, userName: name }, query: healthVersion }),
    readersKey(subscriptionId),
  );

export const useOperators = () => useRead(OPERATORS, () => call(healthOperators_list));

export const useAddOperator = () =>
  useChange((user_name: string) => call(healthOperators_add, { body: { user_name } }), OPERATORS);

export const useRemoveOperator = () =>
  useChange(({ name }: Operator) => call(healthOperators_remove, { params: { user_name: name } }), OPERATORS);
