import * as orgs from './accounts/orgs.contract.ts';
import * as passwordResets from './accounts/password-resets.contract.ts';
import * as server from './accounts/server.contract.ts';
import * as serviceAccounts from './accounts/service-accounts.contract.ts';
import * as sessions from './accounts/sessions.contract.ts';
import * as users from './accounts/users.contract.ts';
import * as operations from './administration/administration.contract.ts';
import * as apps from './apps/apps.contract.ts';
import * as teams from './apps/teams.contract.ts';
import * as audit from './audit/audit.contract.ts';
import type { EndpointSpec } from './endpoint/endpoint.ts';
import * as groupMembers from './groups/group-members.contract.ts';
import * as groups from './groups/groups.contract.ts';
import * as healthEvents from './health/health-events.contract.ts';
import * as feeds from './health/health-feeds.contract.ts';
import * as webhooks from './health/health-webhooks.contract.ts';
import * as oauth from './identity/oauth.contract.ts';
import * as invitations from './invitations/invitations.contract.ts';
import * as mails from './mail/mails.contract.ts';
import * as azureSubscriptions from './subscriptions/azure-subscriptions.contract.ts';
import * as subscriptions from './subscriptions/subscriptions.contract.ts';
import * as apiTokens from './tokens/api-tokens.contract.ts';

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

export * from './accounts/orgs.contract.ts';
export * from './accounts/password-resets.contract.ts';
export * from './accounts/server.contract.ts';
export * from './accounts/service-accounts.contract.ts';
export * from './accounts/sessions.contract.ts';
export * from './accounts/users.contract.ts';
export * from './administration/administration.contract.ts';
export * from './apps/apps.contract.ts';
export * from './apps/teams.contract.ts';
export * from './audit/audit.contract.ts';
export * from './bodiless.ts';
export * from './client.ts';
export * from './endpoint/endpoint.ts';
export * from './errors.ts';
export * from './fields.ts';
export * from './groups/group-members.contract.ts';
export * from './groups/groups.contract.ts';
export * from './health/health-events.contract.ts';
export * from './health/health-feeds.contract.ts';
export * from './health/health-webhooks.contract.ts';
export * from './identity/oauth.contract.ts';
export * from './invitations/invitations.contract.ts';
export * from './mail/mails.contract.ts';
export * from './openapi.ts';
export * from './paging.ts';
export * from './permissions.ts';
export * from './subscriptions/azure-subscriptions.contract.ts';
export * from './subscriptions/subscriptions.contract.ts';
export * from './tokens/api-tokens.contract.ts';
