import { expect, test } from 'vitest';
import { errorMeanings, errorStatuses, healthErrorStatuses } from '../errors.ts';
import { endpoints } from '../index.ts';
import { needsCredential } from '../permissions.ts';
import { scimSurface } from '../provisioning/scim.surface.ts';
import { runnersSurface } from '../runners/runners.surface.ts';
import { healthSurface } from '../subscriptions/health.surface.ts';
import { uploadsSurface } from '../uploads/uploads.surface.ts';
import { isRead, pathParams } from './endpoint.ts';

const named = endpoints.map((spec) => [spec.id, spec] as const);

test('finds the names in a path in order', () => {
  expect(pathParams('/v0.1/apps/{owner_name}/{app_name}/api_tokens/{api_token_id}')).toEqual([
    'owner_name',
    'app_name',
    'api_token_id',
  ]);
  expect(pathParams('/v0.1/user')).toEqual([]);
});

/** sentry-cli sends releases, but their versions come from the data of apps, so these only repeat the request. */
const storesNothing = ['sentryReleases_update', 'sentryReleases_updateForApp'];

test('a GET operation is a read, and DELETE and PUT are changes', () => {
  for (const spec of endpoints) {
    if (spec.method === 'GET') expect([spec.id, isRead(spec)]).toEqual([spec.id, true]);
    // Chunks of files and logs are data that clients send; the operation that uses them is the change.
    const isPartialTransfer = spec.surface === uploadsSurface || spec.surface === runnersSurface;
    if (['PUT', 'PATCH', 'DELETE'].includes(spec.method) && !isPartialTransfer && !storesNothing.includes(spec.id)) {
      expect([spec.id, spec.effect]).toEqual([spec.id, 'change']);
    }
  }
});

test('no two operations share an ID, or a method and a path', () => {
  const ids = endpoints.map(({ id }) => id);
  const routes = endpoints.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`);
  expect(ids.length).toBeGreaterThan(0);
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(routes).size).toBe(routes.length);
});

test('exactly these operations need no credential', () => {
  const open = endpoints.filter((spec) => !needsCredential(spec)).map(({ id }) => id);
  expect(open.sort()).toEqual([
    'HealthFeeds_ReadAtom',
    'HealthFeeds_ReadCalendar',
    'avatars_get',
    'builds_getBadge',
    'codePushAcquisition_status',
    'codePushAcquisition_updateCheck',
    'codePushAcquisition_updateDownloadStatus',
    'codePushAcquisition_updateInstallsStatus',
    'codePushPackages_get',
    'crashLogs_get',
    'dataSubjectRight_deleteStatusRequest',
    'devices_enrol',
    'downloads_get',
    'envelopes_send',
    'factorSetUp_confirm',
    'factorSetUp_start',
    'feedback_send',
    'installPages_download',
    'installPages_getApp',
    'installPages_getFeedback',
    'installPages_getGroup',
    'installPages_getGroupRelease',
    'installPages_getHome',
    'installPages_getIcon',
    'installPages_getLink',
    'installPages_getManifest',
    'installPages_getRelease',
    'installPages_getSharedGroup',
    'installPages_sendFeedback',
    'invitations_get',
    'invitations_signUp',
    'legacyCodePushAcquisition_updateCheck',
    'legacyCodePushAcquisition_updateDownloadStatus',
    'legacyCodePushAcquisition_updateInstallsStatus',
    'logs_check',
    'logs_send',
    'minidumps_send',
    'notifications_unsubscribe',
    'oauth_authorize',
    'oauth_deviceCode',
    'oauth_discovery',
    'oauth_keys',
    'oauth_token',
    'oidc_backChannelLogout',
    'oidc_callback',
    'oidc_start',
    'passkeySignIn_complete',
    'passkeySignIn_start',
    'passwordResets_create',
    'passwordResets_use',
    'pushes_receive',
    'releaseMails_askToUnsubscribe',
    'releaseMails_unsubscribe',
    'releases_getAppInstaller',
    'releases_getAppcast',
    'releases_getIosManifest',
    'releases_getLatestByDistributionGroup',
    'releases_getLatestByHash',
    'releases_getLatestPrivateRelease',
    'releases_getLatestPublicRelease',
    'releases_getLatestPublicReleaseOfGroup',
    'releases_getSparkleFeed',
    'releases_listByDistributionGroup',
    'releases_listPublicGroupsOfRelease',
    'releases_noteInstalls',
    'runnerJobs_beat',
    'runnerJobs_events',
    'runnerJobs_file',
    'runnerJobs_finish',
    'runnerJobs_log',
    'runnerJobs_source',
    'runnerJobs_take',
    'runners_declare',
    'runners_register',
    'sentryEvents_store',
    'server_get',
    'server_setUp',
    'sessions_create',
    'signInLinks_create',
    'signInLinks_get',
    'signInProviders_list',
    'testRuns_sendFile',
    'uploads_addChunk',
    'uploads_cancel',
    'uploads_finish',
    'uploads_putBlob',
    'uploads_sendForm',
    'uploads_setMetadata',
    'users_register',
  ]);
});

test('exactly the operations on API tokens accept HTTP Basic', () => {
  const basic = endpoints.filter((spec) => spec.basic).map(({ path }) => path);
  expect(basic.length).toBe(6);
  for (const path of basic) expect(path).toMatch(/\/api_tokens(\/\{api_token_id\})?$/);
});

test.each(named)('%s declares exactly the params in its path', (_, spec) => {
  expect(Object.keys(spec.params?.properties ?? {})).toEqual(pathParams(spec.path));
  expect(spec.params?.required ?? []).toEqual(pathParams(spec.path));
});

/** Existing clients send a body. */
const deletesWithBody = ['orgInvitations_delete'];

test.each(named)('%s has a path of its API surface, and a body only if its method allows one', (_, spec) => {
  const home =
    spec.surface === healthSurface
      ? /^\/(subscriptions|providers)(\/([\w.]+|\{\w+\}))*$/
      : spec.surface === scimSurface
        ? /^\/scim\/v2\/\{org_name\}(\/(\w+|\{\w+\}))+$/
        : /^\/v0\.1(\/(\w+|\{\w+\}))+$/;
  // Tools and SDKs of Sentry have fixed paths, but tokens of this API.
  const isSentrys = spec.path.startsWith('/api/0/');
  // Called by browsers, feed readers and libraries that do not know this API.
  const isElsewhere = /^\/(avatars\/|feeds\/|install\/|common\/|auth\/|files\/|upload\/|crash-logs\/|logs$|api\/)/.test(
    spec.path,
  );
  if (isElsewhere) expect(needsCredential(spec)).toBe(isSentrys);
  else expect(spec.path).toMatch(home);
  const carries = ['POST', 'PUT', 'PATCH'].includes(spec.method);
  expect(spec.request !== undefined).toBe(carries || deletesWithBody.includes(spec.id));
});

test.each(named)('%s has the app in its path if and only if its access is to an app', (_, spec) => {
  // Public responses must not reveal whether an app exists.
  if (spec.path.startsWith('/v0.1/public/')) return expect(needsCredential(spec)).toBe(false);
  const inApp = pathParams(spec.path).slice(0, 2).join() === 'owner_name,app_name';
  expect(spec.access.startsWith('app:') || spec.access === 'groupReleases').toBe(inApp);
});

test.each(named)('%s requires api-version if and only if it belongs to the health API', (_, spec) => {
  expect(spec.query?.required?.includes('api-version') ?? false).toBe(spec.surface === healthSurface);
});

test.each(named)('%s for readers of a subscription has the subscription in its path', (_, spec) => {
  if (spec.access === 'subscription:reader') expect(pathParams(spec.path)[0]).toBe('subscriptionId');
});

test('exactly these operations answer without a body and not with 204, because existing clients expect it', () => {
  const odd = endpoints.filter(({ response }) => response.kind === 'empty' && response.status !== 204);
  expect(odd.map(({ id }) => id).sort()).toEqual([
    'Analytics_EventsDelete',
    'Analytics_EventsDeleteLogs',
    'ExportConfigurations_Delete',
    'ExportConfigurations_Disable',
    'ExportConfigurations_Enable',
    'appleMapping_delete',
    'codePushAcquisition_updateDownloadStatus',
    'codePushAcquisition_updateInstallsStatus',
    'devices_removeUserDevice',
    'distributionGroups_deleteForOrg',
    'legacyCodePushAcquisition_updateDownloadStatus',
    'legacyCodePushAcquisition_updateInstallsStatus',
    'oidc_backChannelLogout',
    'releases_delete',
    'releases_deleteDistributionGroup',
    'releases_deleteDistributionStore',
    'releases_deleteDistributionTester',
    'releases_deleteTesterFromDestinations',
    'releases_deleteWithDistributionGroupId',
    'releases_putDistributionGroup',
    'releases_putDistributionTester',
    'stores_patch',
    'testRuns_sendFile',
    'test_createTestRun',
    'test_deleteDeviceSetOfOwner',
    'test_deleteDeviceSetOfUser',
    'test_deleteTestSeries',
    'test_startUploadingFile',
    'test_uploadHash',
    'uploads_putBlob',
  ]);
});

test('exactly these operations accept a call without a body, each for one command of a client', () => {
  const omitted = endpoints.flatMap(({ id, request }) =>
    request && 'bodyOmittedBy' in request ? [[id, request.bodyOmittedBy?.client, request.bodyOmittedBy?.command]] : [],
  );
  expect(omitted.sort()).toEqual([
    ['codePushDeploymentRelease_rollback', 'appcenter-cli 3.0.4', 'codepush rollback'],
    ['codePushDeploymentUpload_create', 'appcenter-cli 3.0.4', 'codepush release'],
    ['orgInvitations_sendNewInvitation', 'appcenter-cli 3.0.4', 'orgs collaborators update'],
    ['test_createTestRun', 'appcenter-cli 3.0.4', 'test run'],
    ['test_startUploadingFile', 'appcenter-cli 3.0.4', 'test run'],
    ['test_stopTestRun', 'appcenter-cli 3.0.4', 'test stop'],
    ['uploads_finish', 'appcenter-cli 3.0.4', 'distribute release'],
    ['uploads_setMetadata', 'appcenter-cli 3.0.4', 'distribute release'],
  ]);
});

test('every POST, PUT and PATCH declares a body', () => {
  const bare = endpoints.filter(({ method, request }) => ['POST', 'PUT', 'PATCH'].includes(method) && !request);
  expect(bare.map(({ id }) => id)).toEqual([]);
});

test('every error status of /v0.1 has one code, and every status has one meaning', () => {
  const statuses = Object.values(errorStatuses);
  expect(new Set(statuses).size).toBe(statuses.length);
  const all = new Set<number>([...statuses, ...Object.values(healthErrorStatuses)]);
  const ascending = (numbers: Iterable<number>) => [...numbers].sort((a, b) => a - b);
  expect(ascending(Object.keys(errorMeanings).map(Number))).toEqual(ascending(all));
});
