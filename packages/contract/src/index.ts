import * as apiTokens from './api-tokens.contract.ts';
import * as apps from './apps.contract.ts';
import * as audit from './audit.contract.ts';
import * as azureSubscriptions from './azure-subscriptions.contract.ts';
import type { EndpointSpec } from './endpoint.ts';
import * as feeds from './feeds.contract.ts';
import * as groupMembers from './group-members.contract.ts';
import * as groups from './groups.contract.ts';
import * as healthEvents from './health-events.contract.ts';
import * as invitations from './invitations.contract.ts';
import * as mails from './mails.contract.ts';
import * as oauth from './oauth.contract.ts';
import * as operations from './operations.contract.ts';
import * as orgs from './orgs.contract.ts';
import * as passwordResets from './password-resets.contract.ts';
import * as server from './server.contract.ts';
import * as serviceAccounts from './service-accounts.contract.ts';
import * as sessions from './sessions.contract.ts';
import * as subscriptions from './subscriptions.contract.ts';
import * as teams from './teams.contract.ts';
import * as users from './users.contract.ts';
import * as webhooks from './webhooks.contract.ts';

const isEndpoint = (value: unknown): value is EndpointSpec =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value;

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const byAddress = (a: EndpointSpec, b: EndpointSpec): number =>
  a.path.localeCompare(b.path) || methods.indexOf(a.method) - methods.indexOf(b.method);

/** The complete table: every operation of the API, by noun, then by path. */
export const endpoints: readonly EndpointSpec[] = [
  users,
  passwordResets,
  apps,
  orgs,
  serviceAccounts,
  teams,
  invitations,
  groups,
  groupMembers,
  apiTokens,
  sessions,
  oauth,
  server,
  audit,
  mails,
  operations,
  healthEvents,
  subscriptions,
  webhooks,
  feeds,
  azureSubscriptions,
].flatMap((noun) => Object.values(noun).filter(isEndpoint).sort(byAddress));

export * from './api-tokens.contract.ts';
export * from './apps.contract.ts';
export * from './audit.contract.ts';
export * from './azure-subscriptions.contract.ts';
export * from './bodiless.ts';
export * from './client.ts';
export * from './endpoint.ts';
export * from './errors.ts';
export * from './feeds.contract.ts';
export * from './fields.ts';
export * from './group-members.contract.ts';
export * from './groups.contract.ts';
export * from './health-events.contract.ts';
export * from './invitations.contract.ts';
export * from './mails.contract.ts';
export * from './oauth.contract.ts';
export * from './openapi.ts';
export * from './operations.contract.ts';
export * from './orgs.contract.ts';
export * from './paging.ts';
export * from './password-resets.contract.ts';
export * from './permissions.ts';
export * from './server.contract.ts';
export * from './service-accounts.contract.ts';
export * from './sessions.contract.ts';
export * from './subscriptions.contract.ts';
export * from './teams.contract.ts';
export * from './users.contract.ts';
export * from './webhooks.contract.ts';
