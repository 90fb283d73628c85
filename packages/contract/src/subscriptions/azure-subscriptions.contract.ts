import Type from 'typebox';
import { AzureSubscription } from '../apps/apps.contract.ts';
import { endpoint } from '../endpoint/endpoint.ts';
import { AppPath, OrgPath, Uuid } from '../fields.ts';

export const azureSubscription_listForUser = endpoint({
  id: 'azureSubscription_listForUser',
  method: 'GET',
  path: '/v0.1/azure_subscriptions',
  tag: 'subscriptions',
  summary: 'Lists the subscriptions that the caller may read',
  access: 'user',
  success: { status: 200, description: 'By name.', body: Type.Array(AzureSubscription) },
});

export const azureSubscription_listForOrg = endpoint({
  id: 'azureSubscription_listForOrg',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/azure_subscriptions',
  tag: 'subscriptions',
  summary: 'Lists the subscriptions of an organization',
  access: 'org:member',
  params: Type.Object(OrgPath),
  success: { status: 200, description: 'By name.', body: Type.Array(AzureSubscription) },
  errors: [404],
});

export const azureSubscription_listForApp = endpoint({
  id: 'azureSubscription_listForApp',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/azure_subscriptions',
  tag: 'subscriptions',
  summary: 'Lists the subscriptions that an app is linked to',
  access: 'app:viewer',
  params: Type.Object(AppPath),
  success: { status: 200, description: 'By name.', body: Type.Array(AzureSubscription) },
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
  params: Type.Object(AppPath),
  body: Type.Object({ subscription_id: Uuid }),
  success: { status: 204, description: 'They are linked.' },
  errors: [404],
});

export const azureSubscription_deleteForApp = endpoint({
  id: 'azureSubscription_deleteForApp',
  method: 'DELETE',
  path: '/v0.1/apps/{owner_name}/{app_name}/azure_subscriptions/{azure_subscription_id}',
  tag: 'subscriptions',
  summary: 'Ends the link between an app and a subscription',
  access: 'app:manager',
  params: Type.Object({ ...AppPath, azure_subscription_id: Type.String({ minLength: 1, maxLength: 100 }) }),
  success: { status: 204, description: 'They are no longer linked.' },
  errors: [404],
});
