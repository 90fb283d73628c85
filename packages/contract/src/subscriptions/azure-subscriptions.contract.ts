import { AzureSubscription } from '../apps/apps.contract.ts';
import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, OrgPath, Uuid } from '../fields.ts';
import { Type } from '../type.ts';

export const azureSubscription_listForUser = endpoint({
  id: 'azureSubscription_listForUser',
  method: 'GET',
  path: '/v0.1/azure_subscriptions',
  tag: 'subscriptions',
  summary: 'List the subscriptions that the caller may read',
  access: 'user',
  effect: 'read',
  response: json(Type.Array(AzureSubscription), { description: 'The subscriptions, sorted by name.' }),
});

export const azureSubscription_listForOrg = endpoint({
  id: 'azureSubscription_listForOrg',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/azure_subscriptions',
  tag: 'subscriptions',
  summary: 'List the subscriptions of an organization',
  access: 'org:member',
  effect: 'read',
  params: Type.Object(OrgPath),
  response: json(Type.Array(AzureSubscription), { description: 'The subscriptions, sorted by name.' }),
  errors: [404],
});

export const azureSubscription_listForApp = endpoint({
  id: 'azureSubscription_listForApp',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/azure_subscriptions',
  tag: 'subscriptions',
  summary: 'List the subscriptions that an app is linked to',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  response: json(Type.Array(AzureSubscription), { description: 'The subscriptions, sorted by name.' }),
  errors: [404],
});

export const azureSubscription_linkForApp = endpoint({
  id: 'azureSubscription_linkForApp',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/azure_subscriptions',
  tag: 'subscriptions',
  summary: 'Link an app to a subscription that the caller may read',
  description: "With an app token: only a subscription of the app's owner.",
  access: 'app:manager',
  effect: 'change',
  params: Type.Object(AppPath),
  request: json(Type.Object({ subscription_id: Uuid })),
  response: empty({ description: 'The app is linked.' }),
  errors: [404],
});

export const azureSubscription_deleteForApp = endpoint({
  id: 'azureSubscription_deleteForApp',
  method: 'DELETE',
  path: '/v0.1/apps/{owner_name}/{app_name}/azure_subscriptions/{azure_subscription_id}',
  tag: 'subscriptions',
  summary: 'Unlink an app from a subscription',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object({ ...AppPath, azure_subscription_id: Type.String({ minLength: 1, maxLength: 100 }) }),
  response: empty({ description: 'The app is unlinked.' }),
  errors: [404],
});
