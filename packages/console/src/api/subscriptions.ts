import {
  azureSubscription_listForOrg,
  healthOperators_add,
  healthOperators_list,
  healthOperators_remove,
  healthVersion,
  type InputOf,
  type OutputOf,
  SubscriptionReaders_Add,
  SubscriptionReaders_List,
  SubscriptionReaders_Remove,
  Subscriptions_Delete,
  Subscriptions_Get,
  Subscriptions_List,
  Subscriptions_Save,
} from '@mooring/contract';
import { call, useArranged, useChange, useRead } from './client.ts';

export type Subscription = OutputOf<typeof Subscriptions_Get>;
export type SubscriptionInput = InputOf<typeof Subscriptions_Save>['body'];
export type Reader = OutputOf<typeof SubscriptionReaders_List>['value'][number];
export type Operator = OutputOf<typeof healthOperators_list>[number];

const SUBSCRIPTIONS = ['subscriptions'];
const OPERATORS = ['health', 'operators'];
const keyOf = (subscriptionId: string) => ['subscription', subscriptionId];
const readersKey = (subscriptionId: string) => [...keyOf(subscriptionId), 'readers'];

export const useSubscriptions = () =>
  useRead(SUBSCRIPTIONS, async () => (await call(Subscriptions_List, { query: healthVersion })).value);

/** The same, searched and sorted. */
export const useArrangedSubscriptions = (query: Omit<InputOf<typeof Subscriptions_List>['query'], 'api-version'>) =>
  useArranged(
    SUBSCRIPTIONS,
    query,
    async (asked) => (await call(Subscriptions_List, { query: { ...healthVersion, ...asked } })).value,
  );

export type OrgSubscription = OutputOf<typeof azureSubscription_listForOrg>[number];

/** Those that belong to an organization. */
export const useSubscriptionsOfOrg = (org_name: string) =>
  useRead([...SUBSCRIPTIONS, 'org', org_name], () => call(azureSubscription_listForOrg, { params: { org_name } }));

export const useSubscription = (subscriptionId: string) =>
  useRead(keyOf(subscriptionId), () => call(Subscriptions_Get, { params: { subscriptionId }, query: healthVersion }));

export const useSaveSubscription = () =>
  useChange(
    ({ id, body }: { id: string; body: SubscriptionInput }) =>
      call(Subscriptions_Save, { params: { subscriptionId: id }, query: healthVersion, body }),
    SUBSCRIPTIONS,
    ['subscription'],
    ['health', 'events'],
  );

/** Its own page is left, so it is not read again. */
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
