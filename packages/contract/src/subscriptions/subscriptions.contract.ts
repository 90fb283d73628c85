import { empty, endpoint, json } from '../endpoint/index.ts';
import { DisplayName, PathName, Time, Uuid } from '../fields.ts';
import { unpagedListQuery } from '../paging.ts';
import { Type } from '../type.ts';
import { healthFamily } from './health.family.ts';

/** Every operation of the health API names the version that it was written for. */
export const ApiVersion = {
  'api-version': Type.String({ description: 'Version of the API, for example 2024-02-01.' }),
};

/** What is no GUID is told so by the access check; this only bounds it. */
export const SubscriptionPath = { subscriptionId: Type.String({ minLength: 1, maxLength: 100 }) };

export const Subscription = Type.Object(
  {
    id: Type.String({ description: 'Its address: /subscriptions/{subscriptionId}.' }),
    subscriptionId: Uuid,
    tenantId: Uuid,
    displayName: Type.String(),
    state: Type.Enum(['Enabled']),
    owner: Type.String({ description: 'Name of the user or organization that it belongs to.' }),
  },
  { $id: 'Subscription' },
);

export const SubscriptionReader = Type.Object(
  { name: Type.String(), displayName: Type.String(), email: Type.String(), since: Time },
  { $id: 'SubscriptionReader' },
);

export const HealthOperator = Type.Object(
  { name: Type.String(), display_name: Type.String(), email: Type.String(), since: Time },
  { $id: 'HealthOperator' },
);

export const Subscriptions_List = endpoint({
  id: 'Subscriptions_List',
  method: 'GET',
  path: '/subscriptions',
  family: healthFamily,
  tag: 'subscriptions',
  summary: 'Lists the subscriptions that the caller may read',
  description: 'Administrators read all of them.',
  access: 'user',
  effect: 'read',
  query: Type.Object({
    ...ApiVersion,
    ...unpagedListQuery(['displayName', 'owner', 'subscriptionId'], 'the name, the id, the tenant or the owner'),
  }),
  response: json(Type.Object({ value: Type.Array(Subscription) }), {
    description: 'By name, unless another order is asked for.',
  }),
});

export const Subscriptions_Get = endpoint({
  id: 'Subscriptions_Get',
  method: 'GET',
  path: '/subscriptions/{subscriptionId}',
  family: healthFamily,
  tag: 'subscriptions',
  summary: 'Returns a subscription',
  access: 'subscription:reader',
  effect: 'read',
  params: Type.Object(SubscriptionPath),
  query: Type.Object(ApiVersion),
  response: json(Subscription, { description: 'The subscription.' }),
  errors: [404],
});

export const Subscriptions_Save = endpoint({
  id: 'Subscriptions_Save',
  method: 'PUT',
  path: '/subscriptions/{subscriptionId}',
  family: healthFamily,
  tag: 'subscriptions',
  summary: 'Creates a subscription, or changes it',
  description:
    'Whoever belongs to the owner may read its health events: the user, or every member of the organization.',
  access: 'admin',
  effect: 'change',
  params: Type.Object(SubscriptionPath),
  query: Type.Object(ApiVersion),
  request: json(
    Type.Object({
      displayName: DisplayName,
      tenantId: Uuid,
      owner: Type.String({ minLength: 1, maxLength: 100, description: 'Name of a user or an organization.' }),
    }),
  ),
  response: json(Subscription, { description: 'The subscription after the change.', mayCreate: true }),
  errors: [404],
});

export const Subscriptions_Delete = endpoint({
  id: 'Subscriptions_Delete',
  method: 'DELETE',
  path: '/subscriptions/{subscriptionId}',
  family: healthFamily,
  tag: 'subscriptions',
  summary: 'Removes a subscription',
  description: 'Events that name it stay; nobody reads them by it any more.',
  access: 'admin',
  effect: 'change',
  params: Type.Object(SubscriptionPath),
  query: Type.Object(ApiVersion),
  response: empty({ description: 'It is gone.' }),
  errors: [404],
});

export const SubscriptionReaders_List = endpoint({
  id: 'SubscriptionReaders_List',
  method: 'GET',
  path: '/subscriptions/{subscriptionId}/readers',
  family: healthFamily,
  tag: 'subscriptions',
  summary: 'Lists the people who were given read access to a subscription',
  description: 'Whoever belongs to its owner reads it without being listed here.',
  access: 'admin',
  effect: 'read',
  params: Type.Object(SubscriptionPath),
  query: Type.Object(ApiVersion),
  response: json(Type.Object({ value: Type.Array(SubscriptionReader) }), { description: 'By name.' }),
  errors: [404],
});

export const SubscriptionReaders_Add = endpoint({
  id: 'SubscriptionReaders_Add',
  method: 'PUT',
  path: '/subscriptions/{subscriptionId}/readers/{userName}',
  family: healthFamily,
  tag: 'subscriptions',
  summary: 'Gives a user read access to a subscription',
  access: 'admin',
  effect: 'change',
  params: Type.Object({ ...SubscriptionPath, userName: PathName }),
  query: Type.Object(ApiVersion),
  request: json(Type.Object({})),
  response: empty({ description: 'They may read it, from the next request on.' }),
  errors: [404],
});

export const SubscriptionReaders_Remove = endpoint({
  id: 'SubscriptionReaders_Remove',
  method: 'DELETE',
  path: '/subscriptions/{subscriptionId}/readers/{userName}',
  family: healthFamily,
  tag: 'subscriptions',
  summary: 'Takes read access to a subscription from a user',
  access: 'admin',
  effect: 'change',
  params: Type.Object({ ...SubscriptionPath, userName: PathName }),
  query: Type.Object(ApiVersion),
  response: empty({ description: 'They may no longer read it, from the next request on.' }),
  errors: [404],
});

export const healthOperators_list = endpoint({
  id: 'healthOperators_list',
  method: 'GET',
  path: '/v0.1/admin/health_operators',
  tag: 'administration',
  summary: 'Lists the people who may publish health events',
  description: 'Administrators may too, without being listed here.',
  access: 'admin',
  effect: 'read',
  response: json(Type.Array(HealthOperator), { description: 'By name.' }),
});

export const healthOperators_add = endpoint({
  id: 'healthOperators_add',
  method: 'POST',
  path: '/v0.1/admin/health_operators',
  tag: 'administration',
  summary: 'Lets a user publish health events',
  access: 'admin',
  effect: 'change',
  request: json(Type.Object({ user_name: PathName })),
  response: empty({ description: 'They may, from the next request on.' }),
  errors: [404],
});

export const healthOperators_remove = endpoint({
  id: 'healthOperators_remove',
  method: 'DELETE',
  path: '/v0.1/admin/health_operators/{user_name}',
  tag: 'administration',
  summary: 'No longer lets a user publish health events',
  access: 'admin',
  effect: 'change',
  params: Type.Object({ user_name: PathName }),
  response: empty({ description: 'They may not, from the next request on.' }),
  errors: [404],
});

export const healthOperators_getMine = endpoint({
  id: 'healthOperators_getMine',
  method: 'GET',
  path: '/v0.1/user/health_rights',
  tag: 'account',
  summary: 'Says whether the caller may publish health events',
  description: 'Administrators may, and whoever they let.',
  access: 'user',
  effect: 'read',
  response: json(
    Type.Object({ is_operator: Type.Boolean({ description: 'May publish, change and withdraw events.' }) }),
    { description: 'What the caller may do.' },
  ),
});
