import { empty, endpoint, json } from '../endpoint/index.ts';
import { DisplayName, PathName, Time, Uuid } from '../fields.ts';
import { unpagedListQuery } from '../paging.ts';
import { Type } from '../type.ts';
import { healthSurface } from './health.surface.ts';

/** Required by all operations of the health API. */
export const ApiVersion = {
  'api-version': Type.String({ description: 'Version of the API, for example 2024-02-01.' }),
};

/** The access check reports a value that is not a GUID; this only limits the length. */
export const SubscriptionPath = { subscriptionId: Type.String({ minLength: 1, maxLength: 100 }) };

export const Subscription = Type.Object(
  {
    id: Type.String({ description: 'The path of the subscription: /subscriptions/{subscriptionId}.' }),
    subscriptionId: Uuid,
    tenantId: Uuid,
    displayName: Type.String(),
    state: Type.Enum(['Enabled']),
    owner: Type.String({ description: 'The user or organization that owns the subscription.' }),
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
  surface: healthSurface,
  tag: 'subscriptions',
  summary: 'List the subscriptions that the caller may read',
  description: 'Administrators read all subscriptions.',
  access: 'user',
  effect: 'read',
  query: Type.Object({
    ...ApiVersion,
    ...unpagedListQuery(['displayName', 'owner', 'subscriptionId'], 'the name, the ID, the tenant or the owner'),
  }),
  response: json(Type.Object({ value: Type.Array(Subscription) }), {
    description: 'The subscriptions, sorted by name by default.',
  }),
});

export const Subscriptions_Get = endpoint({
  id: 'Subscriptions_Get',
  method: 'GET',
  path: '/subscriptions/{subscriptionId}',
  surface: healthSurface,
  tag: 'subscriptions',
  summary: 'Get a subscription',
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
  surface: healthSurface,
  tag: 'subscriptions',
  summary: 'Create or update a subscription',
  description: 'The owner may read its health events: the user, or all members of the organization.',
  access: 'admin',
  effect: 'change',
  params: Type.Object(SubscriptionPath),
  query: Type.Object(ApiVersion),
  request: json(
    Type.Object({
      displayName: DisplayName,
      tenantId: Uuid,
      owner: Type.String({ minLength: 1, maxLength: 100, description: 'The name of a user or an organization.' }),
    }),
  ),
  response: json(Subscription, { description: 'The updated subscription.', mayCreate: true }),
  errors: [404],
});

export const Subscriptions_Delete = endpoint({
  id: 'Subscriptions_Delete',
  method: 'DELETE',
  path: '/subscriptions/{subscriptionId}',
  surface: healthSurface,
  tag: 'subscriptions',
  summary: 'Delete a subscription',
  description: 'Its events stay, but no one can read them through this subscription.',
  access: 'admin',
  effect: 'change',
  params: Type.Object(SubscriptionPath),
  query: Type.Object(ApiVersion),
  response: empty({ description: 'Deleted.' }),
  errors: [404],
});

export const SubscriptionReaders_List = endpoint({
  id: 'SubscriptionReaders_List',
  method: 'GET',
  path: '/subscriptions/{subscriptionId}/readers',
  surface: healthSurface,
  tag: 'subscriptions',
  summary: 'List the users with read access to a subscription',
  description: 'Does not include the owner and its members, who always have access.',
  access: 'admin',
  effect: 'read',
  params: Type.Object(SubscriptionPath),
  query: Type.Object(ApiVersion),
  response: json(Type.Object({ value: Type.Array(SubscriptionReader) }), { description: 'The users, sorted by name.' }),
  errors: [404],
});

export const SubscriptionReaders_Add = endpoint({
  id: 'SubscriptionReaders_Add',
  method: 'PUT',
  path: '/subscriptions/{subscriptionId}/readers/{userName}',
  surface: healthSurface,
  tag: 'subscriptions',
  summary: 'Grant a user read access to a subscription',
  access: 'admin',
  effect: 'change',
  params: Type.Object({ ...SubscriptionPath, userName: PathName }),
  query: Type.Object(ApiVersion),
  request: json(Type.Object({})),
  response: empty({ description: 'The user may now read the subscription.' }),
  errors: [404],
});

export const SubscriptionReaders_Remove = endpoint({
  id: 'SubscriptionReaders_Remove',
  method: 'DELETE',
  path: '/subscriptions/{subscriptionId}/readers/{userName}',
  surface: healthSurface,
  tag: 'subscriptions',
  summary: "Revoke a user's read access to a subscription",
  access: 'admin',
  effect: 'change',
  params: Type.Object({ ...SubscriptionPath, userName: PathName }),
  query: Type.Object(ApiVersion),
  response: empty({ description: 'The user may no longer read the subscription.' }),
  errors: [404],
});

export const healthOperators_list = endpoint({
  id: 'healthOperators_list',
  method: 'GET',
  path: '/v0.1/admin/health_operators',
  tag: 'administration',
  summary: 'List the users who may publish health events',
  description: 'Does not include administrators, who always may.',
  access: 'admin',
  effect: 'read',
  response: json(Type.Array(HealthOperator), { description: 'The users, sorted by name.' }),
});

export const healthOperators_add = endpoint({
  id: 'healthOperators_add',
  method: 'POST',
  path: '/v0.1/admin/health_operators',
  tag: 'administration',
  summary: 'Allow a user to publish health events',
  access: 'admin',
  effect: 'change',
  request: json(Type.Object({ user_name: PathName })),
  response: empty({ description: 'The user may now publish health events.' }),
  errors: [404],
});

export const healthOperators_remove = endpoint({
  id: 'healthOperators_remove',
  method: 'DELETE',
  path: '/v0.1/admin/health_operators/{user_name}',
  tag: 'administration',
  summary: "Revoke a user's right to publish health events",
  access: 'admin',
  effect: 'change',
  params: Type.Object({ user_name: PathName }),
  response: empty({ description: 'The user may no longer publish health events.' }),
  errors: [404],
});

export const healthOperators_getMine = endpoint({
  id: 'healthOperators_getMine',
  method: 'GET',
  path: '/v0.1/user/health_rights',
  tag: 'account',
  summary: 'Check whether the caller may publish health events',
  description: 'True for administrators and for users whom an administrator has allowed to publish.',
  access: 'user',
  effect: 'read',
  response: json(
    Type.Object({
      is_operator: Type.Boolean({ description: 'True if the caller may publish, update and withdraw events.' }),
    }),
    { description: 'Whether the caller is an operator.' },
  ),
});
