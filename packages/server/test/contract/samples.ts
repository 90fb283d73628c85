import { type EndpointSpec, isHealth } from '@mooring/contract';
import { exampleOf } from '@mooring/contract/examples';
import { formOf, png } from '../../../../tools/images.ts';

/** One call for each operation, over a world with one of everything. The faults send them too, so this knows no server. */

export const password = 'correct horse battery';
export const subscriptionId = '5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b11';
export const otherSubscriptionId = '5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b12';
export const impact = [{ impactedService: 'Mail', impactedRegions: [{ impactedRegion: 'North' }] }];

/** What only the maker of the world can know. */
export interface Facts {
  grace: { id: string };
  client: { id: string };
  /** What that client asks of somebody who signs in. */
  request: string;
  webhookId: string;
  deliveryId: string;
  feedId: string;
  spareToken: string;
  spareAppToken: string;
  spareRobotToken: string;
  orgInvitation: string;
  appInvitation: string;
  newInvitation: string;
  groupInvitation: string;
  mailId: string;
  deadJob: string;
  resetToken: string;
  setupToken: string | undefined;
}

export const image = { fileName: 'a.png', type: 'image/png', content: png(1, 1) };

/** What an operation is sent: JSON, or a form with a file. */
export function payloadOf(
  spec: EndpointSpec,
  body: unknown,
): { body?: string | object; headers?: Record<string, string> } {
  if (spec.stream) {
    const [type] = spec.stream.types;
    return { body: JSON.stringify(body ?? exampleOf(spec).body), headers: { 'content-type': type ?? '' } };
  }
  if (!spec.upload) return body === undefined ? {} : { body: body as object };
  const form = formOf(image);
  return { body: form.body, headers: { 'content-type': form.type } };
}

/** What stands in the document. */
export const examplePayload = (spec: EndpointSpec) => payloadOf(spec, spec.body && exampleOf(spec).body);

const subscription = { subscriptionId };
const event = { trackingId: 'BC_1-FXZ' };
const lighthouse = { org_name: 'lighthouse' };
const robot = { org_name: 'lighthouse', account_name: 'robot' };
const compass = { owner_name: 'ada', app_name: 'compass' };
const pilots = { org_name: 'harbour', team_name: 'pilots' };
const ownGroup = { ...compass, distribution_group_name: 'beta DIVERS' };
const sharedGroup = { org_name: 'harbour', distribution_group_name: 'Beta divers' };
const somebody = { user_emails: ['other@example.com', 'nobody'] };
const invited = { user_emails: ['New@example.com'] };
const newApp = { display_name: 'Sextant', os: 'iOS', platform: 'Objective-C-Swift' };

export interface Sample {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: object;
}

/** One call for each operation that must succeed: its path parameters, its query and its body. */
export const samples: Record<string, (facts: Facts) => Sample> = {
  users_get: () => ({}),
  users_update: () => ({ body: { display_name: 'Ada Lovelace' } }),
  users_changePassword: () => ({ body: { current_password: password, new_password: 'staple the battery' } }),
  users_register: () => ({ body: { email: 'new@example.com', password } }),
  passwordResets_create: () => ({ body: { email: 'grace@example.com' } }),
  passwordResets_use: ({ resetToken }) => ({
    params: { reset_token: resetToken },
    body: { new_password: 'staple the battery' },
  }),
  adminUsers_resetPassword: ({ grace }) => ({ params: { user_id: grace.id }, body: {} }),
  adminUsers_list: () => ({}),
  adminUsers_create: () => ({ body: { email: 'new@example.com', password, is_admin: true } }),
  adminUsers_update: ({ grace }) => ({ params: { user_id: grace.id }, body: { display_name: 'Grace' } }),
  userApiTokens_list: () => ({}),
  userApiTokens_create: () => ({ body: { description: 'x', scope: ['viewer'], expires_at: '2027-01-01T00:00:00Z' } }),
  userApiTokens_delete: ({ spareToken }) => ({ params: { api_token_id: spareToken } }),
  appApiTokens_list: () => ({ params: { owner_name: 'ada', app_name: 'compass' } }),
  appApiTokens_create: () => ({ params: { owner_name: 'ada', app_name: 'compass' }, body: {} }),
  appApiTokens_delete: ({ spareAppToken }) => ({
    params: { owner_name: 'ada', app_name: 'compass', api_token_id: spareAppToken },
  }),
  organizations_createOrUpdate: () => ({ body: { display_name: 'Harbour Office' } }),
  organizations_list: () => ({}),
  organizations_listAdministered: () => ({}),
  organizations_get: () => ({ params: lighthouse }),
  organizations_update: () => ({ params: lighthouse, body: { name: 'beacon' } }),
  organizations_delete: () => ({ params: lighthouse }),
  users_listForOrg: () => ({ params: lighthouse }),
  users_getForOrg: () => ({ params: { ...lighthouse, user_name: 'grace' } }),
  organization_updateAvatar: () => ({ params: lighthouse }),
  organization_deleteAvatar: () => ({ params: lighthouse }),
  users_updateOrgRole: () => ({ params: { ...lighthouse, user_name: 'grace' }, body: { role: 'admin' } }),
  users_removeFromOrg: () => ({ params: { ...lighthouse, user_name: 'grace' } }),
  apps_list: () => ({}),
  apps_create: () => ({ body: newApp }),
  apps_listForOrg: () => ({ params: lighthouse }),
  apps_createForOrg: () => ({ params: lighthouse, body: newApp }),
  apps_getForOrgUser: () => ({ params: { ...lighthouse, user_name: 'grace' } }),
  apps_get: () => ({ params: compass }),
  apps_update: () => ({ params: compass, body: { description: 'Finds north.' } }),
  apps_delete: () => ({ params: compass }),
  apps_updateAvatar: () => ({ params: compass }),
  apps_deleteAvatar: () => ({ params: compass }),
  apps_transferOwnership: () => ({ params: { ...compass, destination_owner_name: 'lighthouse' }, body: {} }),
  apps_transferToOrg: () => ({ params: compass, body: {} }),
  users_list: () => ({ params: compass }),
  apps_removeUser: () => ({ params: { ...compass, user_email: 'grace@example.com' } }),
  apps_updateUserPermissions: () => ({
    params: { ...compass, user_email: 'grace@example.com' },
    body: { permissions: ['viewer'] },
  }),
  serviceAccounts_list: () => ({ params: lighthouse }),
  serviceAccounts_create: () => ({ params: lighthouse, body: { display_name: 'Build robot', role: 'member' } }),
  serviceAccounts_delete: () => ({ params: robot }),
  serviceAccountTokens_list: () => ({ params: robot }),
  serviceAccountTokens_create: () => ({ params: robot, body: {} }),
  serviceAccountTokens_delete: ({ spareRobotToken }) => ({ params: { ...robot, api_token_id: spareRobotToken } }),
  apps_getTeams: () => ({ params: { owner_name: 'harbour', app_name: 'tide' } }),
  teams_listAll: () => ({ params: { org_name: 'harbour' } }),
  teams_createTeam: () => ({
    params: { org_name: 'harbour' },
    body: { display_name: 'Divers', description: 'Below.' },
  }),
  teams_getTeam: () => ({ params: pilots }),
  teams_update: () => ({ params: pilots, body: { display_name: 'The Pilots' } }),
  teams_delete: () => ({ params: pilots }),
  teams_getUsers: () => ({ params: pilots }),
  teams_addUser: () => ({ params: pilots, body: { user_email: 'ada@example.com' } }),
  teams_removeUser: () => ({ params: { ...pilots, user_name: 'grace' } }),
  teams_listApps: () => ({ params: pilots }),
  teams_addApp: () => ({ params: pilots, body: { name: 'buoy' } }),
  teams_updatePermissions: () => ({ params: { ...pilots, app_name: 'tide' }, body: { permissions: ['manager'] } }),
  teams_removeApp: () => ({ params: { ...pilots, app_name: 'tide' } }),
  orgInvitations_create: () => ({ params: lighthouse, body: { user_email: 'other@example.com', role: 'admin' } }),
  orgInvitations_delete: () => ({ params: lighthouse, body: { user_email: 'New@example.com' } }),
  orgInvitations_listPending: () => ({ params: lighthouse }),
  orgInvitations_update: () => ({ params: { ...lighthouse, email: 'new@example.com' }, body: { role: 'admin' } }),
  orgInvitations_sendNewInvitation: () => ({ params: { ...lighthouse, email: 'new@example.com' } }),
  orgInvitations_revoke: () => ({ params: { ...lighthouse, email: 'new@example.com' }, body: {} }),
  appInvitations_create: () => ({ params: compass, body: { user_email: 'other@example.com', role: 'member' } }),
  appInvitations_list: () => ({ params: compass }),
  appInvitations_createByEmail: () => ({ params: { ...compass, user_email: 'other@example.com' }, body: {} }),
  appInvitations_updatePermissions: () => ({
    params: { ...compass, user_email: 'new@example.com' },
    body: { permissions: ['viewer', 'manager'] },
  }),
  appInvitations_delete: () => ({ params: { ...compass, user_email: 'new@example.com' } }),
  invitations_sent: () => ({}),
  orgInvitations_accept: ({ orgInvitation }) => ({ params: { invitation_token: orgInvitation }, body: {} }),
  orgInvitations_reject: ({ orgInvitation }) => ({ params: { invitation_token: orgInvitation }, body: {} }),
  appInvitations_accept: ({ appInvitation }) => ({ params: { invitation_token: appInvitation }, body: {} }),
  invitations_get: ({ orgInvitation }) => ({ params: { kind: 'org', invitation_token: orgInvitation } }),
  invitations_signUp: ({ newInvitation }) => ({
    params: { kind: 'app', invitation_token: newInvitation },
    body: { name: 'newcomer', password },
  }),
  appInvitations_reject: ({ appInvitation }) => ({ params: { invitation_token: appInvitation }, body: {} }),
  distributionGroups_list: () => ({ params: compass }),
  distributionGroups_create: () => ({ params: compass, body: { name: 'Alpha', display_name: 'The first' } }),
  distributionGroups_get: () => ({ params: ownGroup }),
  distributionGroups_update: () => ({ params: ownGroup, body: { name: 'Alpha', is_public: true } }),
  distributionGroups_delete: () => ({ params: ownGroup }),
  distributionGroups_listUsers: () => ({ params: ownGroup }),
  distributionGroups_addUser: () => ({ params: ownGroup, body: somebody }),
  distributionGroups_removeUser: () => ({ params: ownGroup, body: { user_emails: ['new@example.com', 'nobody'] } }),
  distributionGroups_resendInvite: () => ({ params: ownGroup, body: invited }),
  apps_listTesters: () => ({ params: compass }),
  distributionGroups_listForOrg: () => ({ params: { org_name: 'harbour' } }),
  distributionGroups_createForOrg: () => ({ params: lighthouse, body: { name: 'Alpha' } }),
  distributionGroups_getForOrg: () => ({ params: sharedGroup }),
  distributionGroups_patchForOrg: () => ({ params: sharedGroup, body: { is_public: true } }),
  distributionGroups_deleteForOrg: () => ({ params: sharedGroup }),
  distributionGroups_detailsForOrg: () => ({ params: { org_name: 'harbour' } }),
  distributionGroups_getApps: () => ({ params: sharedGroup }),
  distributionGroups_addApps: () => ({ params: sharedGroup, body: { apps: [{ name: 'buoy' }] } }),
  distributionGroups_bulkDeleteApps: () => ({ params: sharedGroup, body: { apps: [{ name: 'Tide' }] } }),
  distributionGroups_listUsersForOrg: () => ({ params: sharedGroup }),
  distributionGroups_addUsersForOrg: () => ({ params: sharedGroup, body: somebody }),
  distributionGroups_bulkDeleteUsers: () => ({ params: sharedGroup, body: invited }),
  distributionGroups_resendSharedInvite: () => ({ params: sharedGroup, body: invited }),
  distributionGroups_listAllTestersForOrg: () => ({ params: { org_name: 'harbour' } }),
  distributionGroupInvitations_acceptAll: ({ groupInvitation }) => ({ body: { invitation_token: groupInvitation } }),
  sessions_create: () => ({ body: { login: 'ada', password } }),
  sessions_list: () => ({}),
  sessions_delete: () => ({ params: { session_id: 'current' } }),
  oauthRequests_get: ({ request }) => ({ query: { request: request } }),
  oauthConsents_list: () => ({}),
  oauthConsents_answer: ({ request }) => ({ body: { request, is_allowed: true } }),
  oauthConsents_delete: ({ client }) => ({ params: { client_id: client.id } }),
  adminOauthClients_list: () => ({}),
  adminOauthClients_create: () => ({
    body: { name: 'Board', redirect_uris: ['https://board.example.com/signed-in'], allows_implicit: true },
  }),
  adminOauthClients_update: ({ client }) => ({ params: { client_id: client.id }, body: { name: 'Board' } }),
  adminOauthClients_delete: ({ client }) => ({ params: { client_id: client.id } }),
  adminOauthKeys_rotate: () => ({ body: {} }),
  adminOidcSubjects_delete: ({ grace }) => ({ params: { user_id: grace.id } }),
  server_get: () => ({}),
  server_setUp: ({ setupToken }) => ({ body: { setup_token: setupToken, email: 'root@example.com', password } }),
  adminAudit_list: () => ({}),
  orgAudit_list: () => ({ params: lighthouse }),
  appAudit_list: () => ({ params: compass }),
  adminMails_list: () => ({}),
  adminMails_revealLink: ({ mailId }) => ({ params: { mail_id: mailId }, body: {} }),
  adminJobs_list: () => ({}),
  adminJobs_replay: ({ deadJob }) => ({ params: { job_id: deadJob }, body: {} }),
  adminJobs_delete: ({ deadJob }) => ({ params: { job_id: deadJob } }),
  adminServer_get: () => ({}),
  Events_ListBySubscriptionId: () => ({ params: subscription }),
  Event_GetBySubscriptionIdAndTrackingId: () => ({ params: { ...subscription, ...event } }),
  Events_ListByTenantId: () => ({}),
  Event_GetByTenantIdAndTrackingId: () => ({ params: event }),
  Event_Publish: () => ({ params: event, body: { properties: { eventType: 'RCA', title: 'Why', impact } } }),
  Event_Change: () => ({ params: event, body: { properties: { title: 'Why' } } }),
  Event_Withdraw: () => ({ params: event }),
  Event_Update: () => ({ params: event, body: { service: 'Mail', region: 'North', summary: 'Better.' } }),
  Events_Import: () => ({ body: [{ name: 'A-1', properties: { eventType: 'RCA', title: 'Why', impact } }] }),
  Subscriptions_List: () => ({}),
  Subscriptions_Get: () => ({ params: subscription }),
  Subscriptions_Save: () => ({
    params: subscription,
    body: { displayName: 'Pier', tenantId: otherSubscriptionId, owner: 'lighthouse' },
  }),
  Subscriptions_Delete: () => ({ params: subscription }),
  SubscriptionReaders_List: () => ({ params: subscription }),
  SubscriptionReaders_Add: () => ({ params: { ...subscription, userName: 'ada' }, body: {} }),
  SubscriptionReaders_Remove: () => ({ params: { ...subscription, userName: 'grace' } }),
  healthOperators_list: () => ({}),
  healthOperators_getMine: () => ({}),
  healthOperators_add: () => ({ body: { user_name: 'ada' } }),
  healthOperators_remove: () => ({ params: { user_name: 'grace' } }),
  Webhooks_List: () => ({ params: subscription }),
  Webhooks_Create: () => ({
    params: subscription,
    body: { url: 'https://hooks.example.com/', filter: 'isHIR eq true' },
  }),
  Webhooks_Get: ({ webhookId }) => ({ params: { ...subscription, webhookId } }),
  Webhooks_Update: ({ webhookId }) => ({ params: { ...subscription, webhookId }, body: { isEnabled: false } }),
  Webhooks_Delete: ({ webhookId }) => ({ params: { ...subscription, webhookId } }),
  Webhooks_RotateSecret: ({ webhookId }) => ({ params: { ...subscription, webhookId }, body: {} }),
  Webhooks_Test: ({ webhookId }) => ({ params: { ...subscription, webhookId }, body: {} }),
  WebhookDeliveries_List: ({ webhookId }) => ({ params: { ...subscription, webhookId } }),
  WebhookDeliveries_Replay: ({ webhookId, deliveryId }) => ({
    params: { ...subscription, webhookId, deliveryId },
    body: {},
  }),
  Feeds_List: () => ({ params: subscription }),
  Feeds_Create: () => ({ params: subscription, body: { filter: "service eq 'Mail'" } }),
  Feeds_Delete: ({ feedId }) => ({ params: { ...subscription, feedId } }),
  azureSubscription_listForUser: () => ({}),
  azureSubscription_listForOrg: () => ({ params: lighthouse }),
  azureSubscription_listForApp: () => ({ params: compass }),
  azureSubscription_linkForApp: () => ({ params: compass, body: { subscription_id: otherSubscriptionId } }),
  azureSubscription_deleteForApp: () => ({ params: { ...compass, azure_subscription_id: subscriptionId } }),
};

export const urlOf = (spec: EndpointSpec, params: Record<string, string> = {}): string =>
  spec.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? 'none')) +
  (isHealth(spec) ? '?api-version=2024-02-01' : '');
