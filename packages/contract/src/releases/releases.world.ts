import { apps_create } from '../apps/apps.contract.ts';
import {
  distributionGroups_create,
  distributionGroups_get,
  distributionGroups_update,
} from '../groups/groups.contract.ts';
import { downloads_get } from '../uploads/downloads.contract.ts';
import { uploads_addChunk, uploads_sendForm, uploads_setMetadata } from '../uploads/uploads.contract.ts';
import { uploadsExamples } from '../uploads/uploads.examples.ts';
import { putId, type World } from '../world/world.ts';
import { appleMapping_create } from './apple-mappings.contract.ts';
import { appleMappingsExamples } from './apple-mappings.examples.ts';
import {
  devices_enrol,
  devices_getEnrolmentProfile,
  devices_getReleaseUpdateDevicesStatus,
  devices_registerUserForDevice,
  devices_resignRelease,
} from './devices.contract.ts';
import { devicesExamples } from './devices.examples.ts';
import { releases_getIosManifest, releases_listPublicGroupsOfRelease } from './in-app-updates.contract.ts';
import { installPages_getLink } from './install-pages.contract.ts';
import {
  privateUpdates_setUp,
  releases_getLatestPrivateRelease,
  updateTokens_delete,
  updateTokens_list,
} from './private-updates.contract.ts';
import { privateUpdatesExamples } from './private-updates.examples.ts';
import {
  releases_addDistributionGroup,
  releases_addTesters,
  releases_putDistributionGroup,
  releases_putDistributionTester,
} from './release-destinations.contract.ts';
import { releaseMails_set, releaseMails_unsubscribe } from './release-mails.contract.ts';
import {
  releaseUploads_create,
  releaseUploads_createOld,
  releaseUploads_finishOld,
  releaseUploads_get,
} from './release-uploads.contract.ts';
import { releases_getLatestByUser, releases_list, releases_updateDetails } from './releases.contract.ts';
import { blobOf, sampleApk, sampleIpa, sampleMsix } from './sample-packages.ts';
import { releases_addStore, stores_create, stores_get } from './stores.contract.ts';

const needle = { owner_name: 'ada', app_name: 'compass' };
const tides = { owner_name: 'lighthouse', app_name: 'tide-table' };

type App = typeof needle;

/** A package that has arrived, and is not a release yet. */
async function send({ ada }: World, params: App, file: File): Promise<string> {
  const { upload_id, asset_token } = await ada.call(releaseUploads_createOld, { params, body: {} });
  await ada.call(uploads_sendForm, { params: { asset_id: upload_id }, query: { token: asset_token }, file });
  return upload_id;
}

const apk = () => new File([blobOf(sampleApk)], 'compass-1.4.0.apk');
const msix = () => new File([blobOf(sampleMsix)], 'harbour-2.1.0.msix');
const ipa = () => new File([blobOf(sampleIpa)], 'tides-1.2.3.ipa');

async function addRelease(world: World, params: App, file: File): Promise<void> {
  if ((await world.ada.call(releases_list, { params, query: {} })).length > 0) return;
  const upload_id = await send(world, params, file);
  await world.ada.call(releaseUploads_finishOld, { params: { ...params, upload_id }, body: { status: 'committed' } });
}

/** An upload of which a part has arrived, as clients of the file host send it. */
async function beginUpload(world: World): Promise<void> {
  const { ada } = world;
  const { id, token } = await ada.call(releaseUploads_create, { params: needle, body: {} });
  const params = { asset_id: id };
  const { query, body } = uploadsExamples.uploads_setMetadata;
  const file = blobOf(body);
  await ada.call(uploads_setMetadata, { params, query: { ...query, token }, file });
  await ada.call(uploads_addChunk, { params, query: { block_number: 1, token }, file });
  putId(world, uploads_setMetadata, 'asset_id', id);
  putId(world, uploads_setMetadata, 'token', token);
}

/** Where an iPhone finds what it is to install. */
async function knowManifest(world: World): Promise<void> {
  const { install_url = '' } = await world.ada.call(releases_getLatestByUser, {
    params: { ...tides, release_id: '1' },
    query: {},
  });
  const [, id = '', token = ''] = /apps\/([^/]+)\/.*token=(.*)$/.exec(decodeURIComponent(install_url)) ?? [];
  putId(world, releases_getIosManifest, 'app_id', id);
  putId(world, releases_getIosManifest, 'token', token);
}

/** Where a mail program ends ada's mails about releases. */
async function knowUnsubscribing(world: World): Promise<void> {
  const { unsubscribe_url } = await world.ada.call(releaseMails_set, { body: { is_wanted: true } });
  putId(world, releaseMails_unsubscribe, 'token', new URL(unsubscribe_url).searchParams.get('token') ?? '');
}

/** A store, and a release on its way there. */
async function addStore(world: World): Promise<void> {
  const { ada } = world;
  const body = { type: 'googleplay', name: 'Play', track: 'beta' } as const;
  await ada.call(stores_create, { params: needle, body });
  const { id } = await ada.call(stores_get, { params: { ...needle, store_name: 'Play' } });
  putId(world, releases_addStore, 'id', id);
  await ada.call(releases_addStore, { params: { ...needle, release_id: '1' }, body: { id } });
}

/** A program for Windows, which updates itself from what a public group has. */
async function addDesktopApp(world: World): Promise<void> {
  const { ada } = world;
  const harbour = { owner_name: 'ada', app_name: 'harbour' };
  const desks = { ...harbour, distribution_group_name: 'Desks' };
  const app = { name: 'harbour', display_name: 'Harbour', os: 'Windows', platform: 'UWP' } as const;
  await ada.call(apps_create, { body: app });
  await addRelease(world, harbour, msix());
  await ada.call(distributionGroups_create, { params: harbour, body: { name: 'Desks' } });
  await ada.call(distributionGroups_update, { params: desks, body: { is_public: true } });
  const { id } = await ada.call(distributionGroups_get, { params: desks });
  const params = { ...harbour, release_id: '1' };
  await ada.call(releases_addDistributionGroup, { params, body: { id, notify_testers: false } });
}

/** A phone on which ada is told of her private updates. */
async function addDevice(world: World): Promise<void> {
  const { ada, ids } = world;
  const { params, body } = privateUpdatesExamples.privateUpdates_setUp;
  const secret = ids.get(params.app_secret) ?? params.app_secret;
  const release_hash = ids.get(body.release_hash) ?? body.release_hash;
  const { redirect_url } = await ada.call(privateUpdates_setUp, {
    params: { app_secret: secret },
    body: { ...body, release_hash },
  });
  const [, token = ''] = /S\.update_token=(\w+)/.exec(redirect_url) ?? [];
  putId(world, releases_getLatestPrivateRelease, 'x-api-token', token);
  const [device] = await ada.call(updateTokens_list, {});
  putId(world, updateTokens_delete, 'update_token_id', device?.id ?? '');
}

/** An iPhone of ada's, and what another one of hers would register itself with. */
async function addAppleDevice(world: World): Promise<void> {
  const { ada } = world;
  putId(world, devices_registerUserForDevice, 'user_id', ada.id);
  const { body } = devicesExamples.devices_registerUserForDevice;
  await ada.call(devices_registerUserForDevice, { params: { user_id: ada.id }, body });
  const profile = await ada.call(devices_getEnrolmentProfile, {});
  putId(world, devices_enrol, 'token', /enrol\?token=([\w.-]+)/.exec(profile)?.[1] ?? '');
}

/** A release that waits for somebody to sign it for ada's iPhone. */
async function addResigning(world: World): Promise<void> {
  const { ada } = world;
  const params = { ...tides, release_id: '1' };
  await ada.call(releases_addTesters, { params, body: { email: ada.email, notify_testers: false } });
  const { resign_id } = await ada.call(devices_resignRelease, { params, body: {} });
  putId(world, devices_getReleaseUpdateDevicesStatus, 'resign_id', resign_id);
}

/** A release of an Android app, given to a public group and to a tester, one of an iOS app, and uploads on their way. */
export async function addReleases(world: World): Promise<void> {
  const { ada } = world;
  await addRelease(world, needle, apk());
  await addRelease(world, tides, ipa());
  const params = { ...needle, release_id: '1' };
  await ada.call(releases_updateDetails, { params, body: { release_notes: '- Finds north faster' } });
  const divers = { ...needle, distribution_group_name: 'Beta divers' };
  await ada.call(distributionGroups_update, { params: divers, body: { is_public: true } });
  const { id } = await ada.call(distributionGroups_get, { params: divers });
  await ada.call(releases_addDistributionGroup, { params, body: { id, notify_testers: false } });
  await ada.call(releases_addTesters, { params, body: { email: ada.email, notify_testers: false } });
  putId(world, releases_putDistributionGroup, 'group_id', id);
  putId(world, releases_putDistributionTester, 'tester_id', ada.id);
  const {
    download_url = '',
    install_page_url = '',
    package_hashes = [],
  } = await ada.call(releases_getLatestByUser, { params, query: {} });
  putId(world, releases_listPublicGroupsOfRelease, 'release_hash', package_hashes[0] ?? '');
  await addDevice(world);
  await addStore(world);
  const { body: mapping } = appleMappingsExamples.appleMapping_create;
  await ada.call(appleMapping_create, { params: needle, body: mapping });
  await knowUnsubscribing(world);
  await addAppleDevice(world);
  await addResigning(world);
  await addDesktopApp(world);
  await knowManifest(world);
  putId(world, installPages_getLink, 'link', install_page_url.split('/').at(-1) ?? '');
  putId(world, downloads_get, 'link', download_url.split('/').at(-2) ?? '');
  putId(world, releaseUploads_get, 'upload_id', await send(world, needle, apk()));
  await beginUpload(world);
}
