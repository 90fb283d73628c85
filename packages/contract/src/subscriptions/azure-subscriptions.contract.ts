import { AzureSubscription } from '../apps/apps.contract.ts';
import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, OrgPath, Uuid } from '../fields.ts';
import { Type } from '../type.ts';

export const azureSubscription_listForUser = endpoint({
  id: 'azureSubscription_listForUser',
  method: 'GET',
  path: '/v0.1/azure_subscriptions',
  tag: 'subscriptions',
  summary: 'Lists the subscriptions that the caller may read',
  access: 'user',
  effect: 'read',
  response: json(Type.Array(AzureSubscription), { description: 'By name.' }),
});

export const azureSubscription_listForOrg = endpoint({
  id: 'azureSubscription_listForOrg',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/azure_subscriptions',
  tag: 'subscriptions',
  summary: 'Lists the subscriptions of an organization',
  access: 'org:member',
  effect: 'read',
  params: Type.Object(OrgPath),
  response: json(Type.Array(AzureSubscription), { description: 'By name.' }),
  errors: [404],
});

export const azureSubscription_listForApp = endpoint({
  id: 'azureSubscription_listForApp',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/azure_subscriptions',
  tag: 'subscriptions',
  summary: 'Lists the subscriptions that an app is linked to',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  response: json(Type.Array(AzureSubscription), { description: 'By name.' }),
  errors: [404],
});

export const azureSubscription_linkForApp = endpoint({
  id: 'azureSubscription_linkForApp',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/azure_subscriptions',
  tag: 'subscriptions',
  summary: 'Links an app to a subscription that the caller may read',
  description: 'With an app token: one that belongs to the owner of the app.',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object(AppPath),
  request: json(Type.Object({ subscription_id: Uuid })),
  response: empty({ description: 'They are linked.' }),
  errors: [404],
});

export const azureSubscription_deleteForApp = endpoint({
  id: 'azureSubscription_deleteForApp',
  method: 'DELETE',
  path: '/v0.1/apps/{owner_name}/{app_name}/azure_subscriptions/{azure_subscription_id}',
  tag: 'subscriptions',
  summary: 'Ends the link between an app and a subscription',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object({ ...AppPath, azure_subscription_id: Type.String({ minLength: 1, maxLength: 100 }) }),
  response: empty({ description: 'They are no longer linked.' }),
  errors: [404],
});
