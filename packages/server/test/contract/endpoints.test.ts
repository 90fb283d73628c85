import {
  appPermissions,
  type Caller,
  changesSomething,
  type EndpointSpec,
  endpoints,
  isHealth,
  mayCall,
  orgRoles,
} from '@mooring/contract';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { afterAll, expect, test } from 'vitest';
import { formOf, png } from '../../../../tools/images.ts';
import type { Config } from '../../src/config.ts';
import { systemCtx } from '../../src/context.ts';
import type { DialectName } from '../../src/db/connection.ts';
import { tx } from '../../src/db/tx.ts';
import { prepareFirstAdmin } from '../../src/domains/accounts/index.ts';
import { createPasswordReset } from '../../src/domains/accounts/password-resets.ts';
import { addOperator } from '../../src/domains/health/operators.ts';
import { addSubscriptionReader } from '../../src/domains/health/subscriptions.ts';
import { answerRequest } from '../../src/domains/identity/consents.ts';
import { findSubjectUser } from '../../src/domains/identity/subjects.ts';
import { readSecretKey } from '../../src/kernel/secret-key.ts';
import { type Call, password, type TestApp, testApp } from '../harness/app.ts';
import { copyDatabase, eachDatabase, freshDatabase, type TestDatabase } from '../harness/databases.ts';
import { addClient, redirectUri, requestOf } from '../harness/oauth.ts';

const ajv = (formats as unknown as (ajv: Ajv) => Ajv)(new Ajv({ strict: true }));

const image = { fileName: 'a.png', type: 'image/png', content: png(1, 1) };

/** What an operation is sent: JSON, or a form with a file. */
function payloadOf(spec: EndpointSpec, body: unknown): Pick<Call, 'body' | 'headers'> {
  if (spec.stream) {
    const [type] = spec.stream.types;
    return { body: JSON.stringify(body ?? spec.example.body), headers: { 'content-type': type } };
  }
  if (!spec.upload) return body === undefined ? {} : { body };
  const form = formOf(image);
  return { body: form.body, headers: { 'content-type': form.type } };
}
const subscriptionId = '5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b11';
const otherSubscriptionId = '5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b12';
const impact = [{ impactedService: 'Mail', impactedRegions: [{ impactedRegion: 'North' }] }];

/** A server with one of everything, so that each operation has something to work on. */
async function world(app: TestApp) {
  const admin = await app.addUser('ada', { isAdmin: true });
  const grace = await app.addUser('grace');
  const compass = await app.addApp(admin, 'compass');
  await app.addMember(compass, grace, 'developer');
  const lighthouse = await app.addOrg(admin, 'lighthouse');
  await app.addToOrg(lighthouse, grace, 'collaborator');
  const harbour = await app.addOrg(admin, 'harbour');
  await app.addToOrg(harbour, grace, 'member');
  await app.addOrgApp(harbour, admin, 'buoy');
  await app.addTeam(harbour, admin, 'pilots', { users: [grace], apps: [await app.addOrgApp(harbour, admin, 'tide')] });
  const token = await app.userToken(admin, { description: 'caller' });
  const robots = '/v0.1/orgs/lighthouse/service_accounts';
  await app.call('POST', robots, { token, body: { display_name: 'robot' } });
  await app.call('POST', `${robots}/robot/api_tokens`, { token, body: { description: 'spare' } });
  const invite = (url: string, by: string, user_email: string) =>
    app.call('POST', `${url}/invitations`, { token: by, body: { user_email } });
  await invite('/v0.1/orgs/lighthouse', token, 'new@example.com');
  await invite('/v0.1/apps/ada/compass', token, 'new@example.com');
  await app.addOrg(grace, 'jetty');
  await app.addApp(grace, 'sextant');
  const graces = await app.userToken(grace);
  await invite('/v0.1/orgs/jetty', graces, 'ada@example.com');
  await invite('/v0.1/apps/grace/sextant', graces, 'ada@example.com');
  const testers = [
    ['/v0.1/apps/ada/compass', token, 'new@example.com'],
    ['/v0.1/orgs/harbour', token, 'new@example.com'],
    ['/v0.1/apps/grace/sextant', graces, 'ada@example.com'],
  ] as const;
  for (const [home, by, email] of testers) {
    const groups = `${home}/distribution_groups`;
    await app.call('POST', groups, { token: by, body: { name: 'Beta divers' } });
    await app.call('POST', `${groups}/Beta%20divers/members`, { token: by, body: { user_emails: [email] } });
  }
  const shared = '/v0.1/orgs/harbour/distribution_groups/Beta%20divers/apps';
  await app.call('POST', shared, { token, body: { apps: [{ name: 'tide' }] } });
  const { type, body } = formOf(image);
  for (const url of ['/v0.1/apps/ada/compass', '/v0.1/orgs/lighthouse']) {
    await app.call('POST', `${url}/avatar`, { token, body, headers: { 'content-type': type } });
  }
  await app.addSubscription(subscriptionId, 'ada');
  await app.addSubscription(otherSubscriptionId, 'ada');
  await app.publish('BC_1-FXZ', { impact });
  await app.call('POST', '/v0.1/admin/health_operators', { token, body: { user_name: 'grace' } });
  await app.call('PUT', `/subscriptions/${subscriptionId}/readers/grace?api-version=2024-02-01`, { token, body: {} });
  await app.call('POST', '/v0.1/apps/ada/compass/azure_subscriptions', {
    token,
    body: { subscription_id: subscriptionId },
  });
  await app.userToken(admin, { description: 'spare' });
  await app.appToken(compass, admin, { description: 'spare' });
  const idOf = async (path: string) =>
    (await app.call('GET', path, { token }))
      .json()
      .find(({ description }: { description: string }) => description === 'spare').id;
  const client = await addClient(app);
  await answerRequest(app.as(admin), requestOf(client), true);
  const claims = { iss: 'https://login.example.com', sub: 'g', email: grace.email, email_verified: true };
  await findSubjectUser(app.deps, claims);
  const health = `/subscriptions/${subscriptionId}/providers/Vendor.ResourceHealth`;
  const make = async (what: string, body: object): Promise<{ id: string }> =>
    (await app.call('POST', `${health}/${what}?api-version=2024-02-01`, { token, body })).json();
  const { id: webhookId } = await make('webhooks', { url: 'https://hooks.example.com/health' });
  const { id: deliveryId } = await make(`webhooks/${webhookId}/test`, {});
  // No verb does this: it takes fifteen failures and seven hours.
  await tx(app.deps, ({ db }) => db.query((q) => q.updateTable('webhook_deliveries').set({ state: 'Failed' })));
  return {
    ada: admin,
    grace,
    token,
    webhookId,
    deliveryId,
    feedId: (await make('feeds', {})).id,
    client: { id: client.id },
    spareToken: await idOf('/v0.1/api_tokens'),
    spareAppToken: await idOf('/v0.1/apps/ada/compass/api_tokens'),
    spareRobotToken: await idOf(`${robots}/robot/api_tokens`),
    orgInvitation: await app.mailedToken('ada@example.com', 'org'),
    appInvitation: await app.mailedToken('ada@example.com', 'app'),
    newInvitation: await app.mailedToken('new@example.com', 'app'),
    deadJob: await app.buryJob(),
    groupInvitation: await app.mailedToken('ada@example.com', 'group'),
    resetToken: (await createPasswordReset(app.as(admin), grace.id)).link.split('#token=')[1] ?? '',
    setupToken: undefined as string | undefined,
  };
}
type World = Awaited<ReturnType<typeof world>>;

/** What is sealed in the image must be readable in its copies. */
const secretKey = readSecretKey('0'.repeat(64));

/** Fills one database for all tests; each then works on a copy of it. */
function imageOf(dialect: DialectName) {
  let image: Promise<{ database: TestDatabase; facts: World }> | undefined;
  const build = async () => {
    const database = await freshDatabase(dialect);
    const app = await testApp(dialect, { secretKey }, { ...database, remove: async () => undefined });
    const facts = await world(app);
    await app.stop();
    return { database, facts };
  };
  afterAll(async () => (await image)?.database.remove());
  return async (settings: Partial<Config>) => {
    image ??= build();
    const { database, facts } = await image;
    const app = await testApp(dialect, { ...settings, secretKey }, await copyDatabase(dialect, database));
    return { app, facts };
  };
}

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

interface Sample {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: object;
}

/** One call for each operation that must succeed: its path parameters, its query and its body. */
const samples: Record<string, (world: World) => Sample> = {
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
  oauthRequests_get: ({ client }) => ({ query: { request: requestOf(client) } }),
  oauthConsents_list: () => ({}),
  oauthConsents_answer: ({ client }) => ({ body: { request: requestOf(client), is_allowed: true } }),
  oauthConsents_delete: ({ client }) => ({ params: { client_id: client.id } }),
  adminOauthClients_list: () => ({}),
  adminOauthClients_create: () => ({ body: { name: 'Board', redirect_uris: [redirectUri], allows_implicit: true } }),
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

const urlOf = (spec: EndpointSpec, params: Record<string, string> = {}): string =>
  spec.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? 'none')) +
  (isHealth(spec) ? '?api-version=2024-02-01' : '');

/** The code of an error, in the shape of its family. */
const codeOf = (spec: EndpointSpec, answer: { json(): { code?: string; error?: { code: string } } }) =>
  isHealth(spec) ? answer.json().code : answer.json().error?.code;

/** A call that is well-formed but speaks of nothing in particular. */
const probe = (app: TestApp, spec: EndpointSpec, call: Call = {}) =>
  app.call(spec.method, urlOf(spec, spec.example.params), {
    ...payloadOf(spec, spec.body && spec.example.body),
    ...call,
  });

const guarded = endpoints.filter(({ access }) => access !== 'public');
const changing = endpoints.filter(changesSomething);

test('every operation has a sample', () => {
  expect(Object.keys(samples).sort()).toEqual(endpoints.map(({ id }) => id).sort());
});

eachDatabase('every operation', (dialect) => {
  const filled = imageOf(dialect);

  test('refuses whoever shows no credential, or a wrong one, with 401', async () => {
    const app = await testApp(dialect);
    for (const spec of guarded) {
      for (const token of [undefined, 'wrong']) {
        const answer = await probe(app, spec, { token });
        const health = token ? 'InvalidAuthenticationToken' : 'AuthenticationFailed';
        const code = isHealth(spec) ? health : 'Unauthorized';
        expect([spec.id, answer.statusCode, codeOf(spec, answer)]).toEqual([spec.id, 401, code]);
      }
    }
  });

  test('hides apps from strangers, and administration from everybody else', async () => {
    const app = await testApp(dialect);
    await app.addApp(await app.addUser('ada'), 'compass');
    const token = await app.userToken(await app.addUser('stranger'));
    for (const spec of guarded.filter(({ access }) => access !== 'user')) {
      const { statusCode } = await probe(app, spec, { token });
      expect([spec.id, statusCode]).toEqual([spec.id, ['admin', 'operator'].includes(spec.access) ? 403 : 404]);
    }
  });

  test('keeps app tokens out of everything that is not their app', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada', { isAdmin: true });
    await app.addApp(ada, 'compass');
    const token = await app.appToken(await app.addApp(ada, 'sextant'), ada);
    for (const spec of guarded) {
      const { statusCode } = await probe(app, spec, { token });
      expect([spec.id, statusCode]).toEqual([spec.id, spec.access.startsWith('app:') ? 404 : 403]);
    }
  });

  test('that changes something refuses read-only tokens and records nothing', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada', { isAdmin: true });
    await app.addOrg(ada, 'lighthouse');
    const token = await app.userToken(ada, { scope: ['viewer'] });
    const appToken = await app.appToken(await app.addApp(ada, 'compass'), ada, { scope: ['viewer'] });
    const recorded = async () => (await app.database.query((q) => q.selectFrom('audit_events').select('id'))).length;
    const before = await recorded();
    for (const spec of changing.filter(({ access }) => access !== 'public')) {
      expect([spec.id, (await probe(app, spec, { token })).statusCode]).toEqual([spec.id, 403]);
      expect([spec.id, (await probe(app, spec, { token: appToken })).statusCode]).toEqual([spec.id, 403]);
    }
    expect(await recorded()).toBe(before);
  });

  test.each([
    ['no JSON', 'garbage'],
    ['an array', '[]'],
    ['a number', '7'],
    ['null', 'null'],
    ['a prototype', '{"__proto__":{"a":1}}'],
  ])('that takes a body refuses %s with 400', async (_what, payload) => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada', { isAdmin: true });
    await app.addApp(ada, 'compass');
    await app.addOrg(ada, 'lighthouse');
    await app.addSubscription(subscriptionId, 'ada');
    const token = await app.userToken(ada);
    for (const spec of endpoints.filter(({ body }) => body)) {
      const answer = await app.call(spec.method, urlOf(spec, spec.example.params), {
        token,
        body: payload,
        headers: { 'content-type': 'application/json' },
      });
      expect([spec.id, answer.statusCode, codeOf(spec, answer)]).toEqual([spec.id, 400, 'BadRequest']);
    }
  });

  test('lets through exactly those whom the table of permissions names, with every kind of token', async () => {
    const app = await testApp(dialect);
    // Whatever passes the access check stops here, so that nothing is changed on the way.
    app.http.addHook('preHandler', async (_request, reply) => reply.code(299).send());
    const owner = await app.addUser('ada');
    const target = await app.addApp(owner, 'compass');
    const org = await app.addOrg(owner, 'lighthouse');
    await app.addSubscription(subscriptionId, 'ada');
    const tokens: [caller: Caller, kind: 'user' | 'app', reach: 'all' | 'viewer', token: string | undefined][] = [
      ['anybody', 'user', 'all', undefined],
    ];
    for (const reach of ['all', 'viewer'] as const) {
      const scope = [reach];
      tokens.push(['user', 'user', reach, await app.userToken(await app.addUser(`user-${reach}`), { scope })]);
      const admin = await app.addUser(`administrator-${reach}`, { isAdmin: true });
      tokens.push(['administrator', 'user', reach, await app.userToken(admin, { scope })]);
      const operator = await app.addUser(`operator-${reach}`);
      await addOperator(systemCtx(app.deps), operator.name);
      tokens.push(['operator', 'user', reach, await app.userToken(operator, { scope })]);
      const reader = await app.addUser(`reader-${reach}`);
      await addSubscriptionReader(systemCtx(app.deps), subscriptionId, reader.name);
      tokens.push(['subscription:reader', 'user', reach, await app.userToken(reader, { scope })]);
      for (const role of orgRoles) {
        const user = await app.addUser(`${role}-${reach}`);
        await app.addToOrg(org, user, role);
        tokens.push([`org:${role}`, 'user', reach, await app.userToken(user, { scope })]);
      }
      for (const permission of appPermissions) {
        const user = await app.addUser(`${permission}-${reach}`);
        await app.addMember(target, user, permission);
        tokens.push([`app:${permission}`, 'user', reach, await app.userToken(user, { scope })]);
      }
      const standsFor = reach === 'all' ? 'app:manager' : 'app:viewer';
      tokens.push([standsFor, 'app', reach, await app.appToken(target, owner, { scope })]);
    }
    for (const spec of endpoints) {
      const onApp = spec.access.startsWith('app:');
      for (const [caller, kind, reach, token] of tokens) {
        // The app in the path belongs to a user here, so no role in an organization counts on it.
        const expected =
          kind === 'app' && !onApp && spec.access !== 'public'
            ? false
            : onApp && caller.startsWith('org:')
              ? false
              : mayCall(spec, caller, reach);
        const { statusCode } = await probe(app, spec, { token });
        const passed = ![401, 403, 404].includes(statusCode);
        expect([spec.id, caller, kind, reach, passed, statusCode]).toEqual([
          spec.id,
          caller,
          kind,
          reach,
          expected,
          statusCode,
        ]);
      }
    }
  });

  test.each(endpoints.map((spec) => [spec.id, spec] as const))(
    '%s: works, answers as its schema says, and is recorded if it changes something',
    async (id, spec) => {
      const { app, facts } = id === 'server_setUp' ? await beforeSetup(dialect) : await filled({ openSignUp: true });
      const { params, query, body } = samples[id]?.(facts) ?? {};
      const credential = id === 'sessions_delete' ? await sessionOf(app) : { token: facts.token };
      const recorded = async () => (await app.database.query((q) => q.selectFrom('audit_events').select('id'))).length;
      const before = await recorded();
      await readRemembered(app, facts.token);
      const answer = await app.call(spec.method, urlOf(spec, params), {
        ...payloadOf(spec, body),
        ...credential,
        query,
      });

      expect([answer.statusCode, answer.body]).toEqual([spec.success.status, answer.body]);
      expect(answer.headers['x-request-id']).toBeTruthy();
      if (spec.success.body) {
        const fits = ajv.compile({ ...spec.success.body, $id: undefined });
        expect([fits(answer.json()), fits.errors]).toEqual([true, null]);
      } else {
        expect(answer.body).toBe('');
      }
      expect((await recorded()) > before).toBe(changesSomething(spec));
      if (id !== 'server_setUp') {
        const fresh = await app.userToken(facts.ada);
        expect(await readRemembered(app, facts.token)).toEqual(await readRemembered(app, fresh));
      }
    },
  );
});

/** The answers that the server may keep for a credential; for one that it has not seen before, it must look. */
async function readRemembered(app: TestApp, token: string): Promise<unknown[]> {
  const remembered = endpoints.filter((spec) => spec.remembered);
  const answers = await Promise.all(remembered.map((spec) => app.call('GET', urlOf(spec), { token })));
  return answers.map((answer) => answer.json());
}

async function beforeSetup(dialect: DialectName): Promise<{ app: TestApp; facts: World }> {
  const app = await testApp(dialect);
  const setupToken = await prepareFirstAdmin(systemCtx(app.deps));
  const none = {
    token: '',
    spareToken: '',
    spareAppToken: '',
    spareRobotToken: '',
    orgInvitation: '',
    appInvitation: '',
    newInvitation: '',
    deadJob: '',
    groupInvitation: '',
    client: { id: '' },
    resetToken: '',
    webhookId: '',
    deliveryId: '',
    feedId: '',
  };
  const grace = await app.addUser('grace');
  return { app, facts: { ...none, setupToken, ada: grace, grace } };
}

async function sessionOf(app: TestApp): Promise<Call> {
  const answer = await app.call('POST', '/v0.1/sessions', { body: { login: 'ada', password } });
  return { headers: { cookie: String(answer.headers['set-cookie']).split(';')[0], 'sec-fetch-site': 'same-origin' } };
}
