import { apps_create } from '../apps/apps.contract.ts';
import { type Fixtures, putId } from '../fixtures/fixtures.ts';
import {
  distributionGroups_create,
  distributionGroups_get,
  distributionGroups_update,
} from '../groups/groups.contract.ts';
import { downloads_get } from '../uploads/downloads.contract.ts';
import { uploads_addChunk, uploads_sendForm, uploads_setMetadata } from '../uploads/uploads.contract.ts';
import { uploadsExamples } from '../uploads/uploads.examples.ts';
import { appleMapping_create } from './distribution/apple-mappings.contract.ts';
import { appleMappingsExamples } from './distribution/apple-mappings.examples.ts';
import {
  devices_enrol,
  devices_getEnrolmentProfile,
  devices_getReleaseUpdateDevicesStatus,
  devices_registerUserForDevice,
  devices_resignRelease,
} from './distribution/devices.contract.ts';
import { devicesExamples } from './distribution/devices.examples.ts';
import {
  releases_addDistributionGroup,
  releases_addTesters,
  releases_putDistributionGroup,
  releases_putDistributionTester,
} from './distribution/release-destinations.contract.ts';
import { releaseMails_set, releaseMails_unsubscribe } from './distribution/release-mails.contract.ts';
import { releases_addStore, stores_create, stores_get } from './distribution/stores.contract.ts';
import { releases_getIosManifest, releases_listPublicGroupsOfRelease } from './installation/in-app-updates.contract.ts';
import {
  installPages_getFeedback,
  installPages_getLink,
  installPages_getRelease,
} from './installation/install-pages.contract.ts';
import {
  privateUpdates_setUp,
  releases_getLatestPrivateRelease,
  updateTokens_delete,
  updateTokens_list,
} from './installation/private-updates.contract.ts';
import { privateUpdatesExamples } from './installation/private-updates.examples.ts';
import {
  releaseUploads_create,
  releaseUploads_createOld,
  releaseUploads_finishOld,
  releaseUploads_get,
} from './release-uploads.contract.ts';
import { releases_getLatestByUser, releases_list, releases_updateDetails } from './releases.contract.ts';
import { sampleApk, sampleIpa, sampleMsix, toBlob } from './sample-packages.ts';

const needle = { owner_name: 'ada', app_name: 'compass' };
const tides = { owner_name: 'lighthouse', app_name: 'tide-table' };

type App = typeof needle;

/** A complete upload that is not a release yet. */
async function send({ ada }: Fixtures, params: App, file: File): Promise<string> {
  const { upload_id, asset_token } = await ada.call(releaseUploads_createOld, { params, body: {} });
  await ada.call(uploads_sendForm, { params: { asset_id: upload_id }, query: { token: asset_token }, file });
  return upload_id;
}

const apk = () => new File([toBlob(sampleApk)], 'compass-1.4.0.apk');
const msix = () => new File([toBlob(sampleMsix)], 'harbour-2.1.0.msix');
const ipa = () => new File([toBlob(sampleIpa)], 'tides-1.2.3.ipa');

async function addRelease(fixtures: Fixtures, params: App, file: File): Promise<void> {
  if ((await fixtures.ada.call(releases_list, { params, query: {} })).length > 0) return;
  const upload_id = await send(fixtures, params, file);
  await fixtures.ada.call(releaseUploads_finishOld, {
    params: { ...params, upload_id },
    body: { status: 'committed' },
  });
}

/** A partial upload in the protocol of the file host. */
async function beginUpload(fixtures: Fixtures): Promise<void> {
  const { ada } = fixtures;
  const { id, token } = await ada.call(releaseUploads_create, { params: needle, body: {} });
  const params = { asset_id: id };
  const { query, body } = uploadsExamples.uploads_setMetadata;
  const file = toBlob(body);
  await ada.call(uploads_setMetadata, { params, query: { ...query, token }, file });
  await ada.call(uploads_addChunk, { params, query: { block_number: 1, token }, file });
  putId(fixtures, uploads_setMetadata, 'asset_id', id);
  putId(fixtures, uploads_setMetadata, 'token', token);
}

/** The URL of the manifest that an iPhone installs from. */
async function knowManifest(fixtures: Fixtures): Promise<void> {
  const { install_url = '' } = await fixtures.ada.call(releases_getLatestByUser, {
    params: { ...tides, release_id: '1' },
    query: {},
  });
  const [, id = '', token = ''] = /apps\/([^/]+)\/.*token=(.*)$/.exec(decodeURIComponent(install_url)) ?? [];
  putId(fixtures, releases_getIosManifest, 'app_id', id);
  putId(fixtures, releases_getIosManifest, 'token', token);
}

/** The form for feedback that the install page of a release links to. */
async function knowFeedbackForm(fixtures: Fixtures): Promise<void> {
  const params = { ...needle, owner_type: 'users', release_id: '1' } as const;
  const page = await fixtures.ada.call(installPages_getRelease, { params });
  const [, appId = '', token = ''] = /\/install\/feedback\/([\w-]+)\/1\?token=([\w.-]+)/.exec(page) ?? [];
  putId(fixtures, installPages_getFeedback, 'app_id', appId);
  putId(fixtures, installPages_getFeedback, 'token', token);
}

/** The unsubscribe URL in Ada's emails about releases. */
async function knowUnsubscribing(fixtures: Fixtures): Promise<void> {
  const { unsubscribe_url } = await fixtures.ada.call(releaseMails_set, { body: { is_wanted: true } });
  putId(fixtures, releaseMails_unsubscribe, 'token', new URL(unsubscribe_url).searchParams.get('token') ?? '');
}

/** A store, and a release that is being published. */
async function addStore(fixtures: Fixtures): Promise<void> {
  const { ada } = fixtures;
  const body = { type: 'googleplay', name: 'Play', track: 'beta' } as const;
  await ada.call(stores_create, { params: needle, body });
  const { id } = await ada.call(stores_get, { params: { ...needle, store_name: 'Play' } });
  putId(fixtures, releases_addStore, 'id', id);
  await ada.call(releases_addStore, { params: { ...needle, release_id: '1' }, body: { id } });
}

/** A Windows app that updates itself from the releases of a public group. */
async function addDesktopApp(fixtures: Fixtures): Promise<void> {
  const { ada } = fixtures;
  const harbour = { owner_name: 'ada', app_name: 'harbour' };
  const desks = { ...harbour, distribution_group_name: 'Desks' };
  const app = { name: 'harbour', display_name: 'Harbour', os: 'Windows', platform: 'UWP' } as const;
  await ada.call(apps_create, { body: app });
  await addRelease(fixtures, harbour, msix());
  await ada.call(distributionGroups_create, { params: harbour, body: { name: 'Desks' } });
  await ada.call(distributionGroups_update, { params: desks, body: { is_public: true } });
  const { id } = await ada.call(distributionGroups_get, { params: desks });
  const params = { ...harbour, release_id: '1' };
  await ada.call(releases_addDistributionGroup, { params, body: { id, notify_testers: false } });
}

/** A phone that receives Ada's private updates. */
async function addDevice(fixtures: Fixtures): Promise<void> {
  const { ada, ids } = fixtures;
  const { params, body } = privateUpdatesExamples.privateUpdates_setUp;
  const secret = ids.get(params.app_secret) ?? params.app_secret;
  const release_hash = ids.get(body.release_hash) ?? body.release_hash;
  const { redirect_url } = await ada.call(privateUpdates_setUp, {
    params: { app_secret: secret },
    body: { ...body, release_hash },
  });
  const [, token = ''] = /S\.update_token=(\w+)/.exec(redirect_url) ?? [];
  putId(fixtures, releases_getLatestPrivateRelease, 'x-api-token', token);
  const [device] = await ada.call(updateTokens_list, {});
  putId(fixtures, updateTokens_delete, 'update_token_id', device?.id ?? '');
}

/** Ada's iPhone, and the registration token for another one. */
async function addAppleDevice(fixtures: Fixtures): Promise<void> {
  const { ada } = fixtures;
  putId(fixtures, devices_registerUserForDevice, 'user_id', ada.id);
  const { body } = devicesExamples.devices_registerUserForDevice;
  await ada.call(devices_registerUserForDevice, { params: { user_id: ada.id }, body });
  const profile = await ada.call(devices_getEnrolmentProfile, {});
  putId(fixtures, devices_enrol, 'token', /enrol\?token=([\w.-]+)/.exec(profile)?.[1] ?? '');
}

/** A release that waits to be re-signed for Ada's iPhone. */
async function addResigning(fixtures: Fixtures): Promise<void> {
  const { ada } = fixtures;
  const params = { ...tides, release_id: '1' };
  await ada.call(releases_addTesters, { params, body: { email: ada.email, notify_testers: false } });
  const { resign_id } = await ada.call(devices_resignRelease, { params, body: {} });
  putId(fixtures, devices_getReleaseUpdateDevicesStatus, 'resign_id', resign_id);
}

/**
 * A release of an Android app, distributed to a public group and a tester; a release of an iOS app; and uploads in
 * progress.
 */
export async function addReleases(fixtures: Fixtures): Promise<void> {
  const { ada } = fixtures;
  await addRelease(fixtures, needle, apk());
  await addRelease(fixtures, tides, ipa());
  const params = { ...needle, release_id: '1' };
  await ada.call(releases_updateDetails, { params, body: { release_notes: '- Faster compass fix' } });
  const divers = { ...needle, distribution_group_name: 'Beta divers' };
  await ada.call(distributionGroups_update, { params: divers, body: { is_public: true } });
  const { id } = await ada.call(distributionGroups_get, { params: divers });
  await ada.call(releases_addDistributionGroup, { params, body: { id, notify_testers: false } });
  await ada.call(releases_addTesters, { params, body: { email: ada.email, notify_testers: false } });
  putId(fixtures, releases_putDistributionGroup, 'group_id', id);
  putId(fixtures, releases_putDistributionTester, 'tester_id', ada.id);
  const {
    download_url = '',
    install_page_url = '',
    package_hashes = [],
  } = await ada.call(releases_getLatestByUser, { params, query: {} });
  putId(fixtures, releases_listPublicGroupsOfRelease, 'release_hash', package_hashes[0] ?? '');
  await addDevice(fixtures);
  await addStore(fixtures);
  const { body: mapping } = appleMappingsExamples.appleMapping_create;
  await ada.call(appleMapping_create, { params: needle, body: mapping });
  await knowUnsubscribing(fixtures);
  await addAppleDevice(fixtures);
  await addResigning(fixtures);
  await addDesktopApp(fixtures);
  await knowManifest(fixtures);
  await knowFeedbackForm(fixtures);
  putId(fixtures, installPages_getLink, 'link', install_page_url.split('/').at(-1) ?? '');
  putId(fixtures, downloads_get, 'link', download_url.split('/').at(-2) ?? '');
  putId(fixtures, releaseUploads_get, 'upload_id', await send(fixtures, needle, apk()));
  await beginUpload(fixtures);
}
