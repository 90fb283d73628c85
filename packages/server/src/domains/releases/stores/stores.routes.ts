import { hash } from 'node:crypto';
import {
  releases_addStore,
  releases_deleteDistributionStore,
  storeNotifications_getNotificationByAppId,
  storeReleasePublishLogs_get,
  storeReleases_delete,
  storeReleases_get,
  storeReleases_getLatest,
  storeReleases_getPublishError,
  storeReleases_getRealTimeStatusByReleaseId,
  storeReleases_list,
  stores_create,
  stores_delete,
  stores_get,
  stores_list,
  stores_patch,
  stores_setCredentials,
} from '@mooring/contract';
import type { AppCtx } from '../../../context.ts';
import { route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';
import { getApp } from '../../apps/index.ts';
import { installLinks } from '../install/install-links.ts';
import {
  connectStore,
  createStore,
  deleteStore,
  explainPublishing,
  findMissing,
  findSilentStore,
  getStore,
  getStoreRelease,
  listStoreReleases,
  listStores,
  publishRelease,
  readPublishLog,
  type Store,
  type StoreRelease,
  setStoreCredentials,
  takeFromStore,
} from './stores.ts';

const storeToWire = (
  { id, name, type, track, serviceConnectionId, hasCredentials, createdBy, intune }: Store,
  missing?: string,
) => ({
  id,
  name,
  type,
  track: track as 'production' | undefined,
  service_connection_id: serviceConnectionId,
  intune_details: intune && { target_audience: intune.target_audience, app_category: intune.app_category },
  has_credentials: hasCredentials,
  missing,
  created_by: createdBy,
  created_by_principal_type: createdBy === undefined ? undefined : 'user',
});

const publishingToWire = ({ id, name, type }: Store, { publishing }: StoreRelease) => ({
  id,
  name,
  type,
  publishing_status: publishing.status,
  is_latest: publishing.isLatest,
});

const listedToWire = (store: Store, release: StoreRelease) => ({
  id: release.id,
  version: release.version,
  short_version: release.shortVersion,
  uploaded_at: toIso(release.uploadedAt),
  destination_type: 'store' as const,
  distribution_stores: [publishingToWire(store, release)],
});

async function detailsToWire(ctx: AppCtx, store: Store, release: StoreRelease) {
  const app = await getApp(ctx);
  return {
    id: release.id,
    status: release.isEnabled ? ('available' as const) : ('unavailable' as const),
    app_name: app.name,
    app_display_name: app.displayName,
    version: release.version,
    short_version: release.shortVersion,
    release_notes: release.notes,
    size: release.size,
    min_os: release.minOs,
    android_min_api_level: release.minApiLevel,
    bundle_identifier: release.bundleIdentifier,
    fingerprint: release.sha256,
    uploaded_at: toIso(release.uploadedAt),
    download_url: installLinks(ctx, app.id, release).downloadUrl,
    install_url: 'store' as const,
    distribution_stores: [publishingToWire(store, release)],
  };
}

/** Finds a store and one of its releases; throws a 404 otherwise. */
async function find(ctx: AppCtx, { store_name, release_id }: { store_name: string; release_id: string }) {
  const store = await getStore(ctx, store_name);
  return { store, release: await getStoreRelease(ctx, store, Number(release_id)) };
}

export const storeRoutes = [
  route(stores_create, async (ctx, { body }) => {
    const { secret_json: secrets, ...intune } = body.intune_details ?? {};
    const store = await createStore(ctx, {
      type: body.type,
      name: body.name,
      track: body.track,
      serviceConnectionId: body.service_connection_id,
      intune: body.intune_details && intune,
      secrets,
    });
    return storeToWire(store, (await findMissing(ctx, [store])).get(store.id));
  }),
  route(stores_list, async (ctx) => {
    const stores = await listStores(ctx);
    const missing = await findMissing(ctx, stores);
    return stores.map((store) => storeToWire(store, missing.get(store.id)));
  }),
  route(stores_get, async (ctx, { params }) => {
    const store = await getStore(ctx, params.store_name);
    return storeToWire(store, (await findMissing(ctx, [store])).get(store.id));
  }),
  route(stores_patch, (ctx, { params, body }) => connectStore(ctx, params.store_name, body.service_connection_id)),
  route(stores_setCredentials, (ctx, { params, body }) =>
    setStoreCredentials(ctx, params.store_name, { account: body.service_account, secrets: body.secrets }),
  ),
  route(stores_delete, (ctx, { params }) => deleteStore(ctx, params.store_name)),
  route(storeNotifications_getNotificationByAppId, async (ctx) => {
    const silent = await findSilentStore(ctx);
    return silent ? { service: silent, status: 'unavailable' } : {};
  }),
  route(storeReleases_getLatest, async (ctx, { params }) => {
    const store = await getStore(ctx, params.store_name);
    return [await detailsToWire(ctx, store, await getStoreRelease(ctx, store, 'latest'))];
  }),
  route(storeReleases_list, async (ctx, { params }) => {
    const store = await getStore(ctx, params.store_name);
    return (await listStoreReleases(ctx, store)).map((release) => listedToWire(store, release));
  }),
  route(storeReleases_get, async (ctx, { params }) => {
    const { store, release } = await find(ctx, params);
    return [await detailsToWire(ctx, store, release)];
  }),
  route(storeReleases_delete, async (ctx, { params }) => {
    const { store, release } = await find(ctx, params);
    await takeFromStore(ctx, release.id, store.id);
  }),
  route(storeReleases_getPublishError, async (ctx, { params }) => {
    const { store, release } = await find(ctx, params);
    const { message, hasLog } = await explainPublishing(ctx, store, release);
    return { message, is_log_available: hasLog };
  }),
  route(storeReleasePublishLogs_get, async (ctx, { params }) => {
    const { store, release } = await find(ctx, params);
    const text = await readPublishLog(ctx, store, release);
    return { text, etag: `"${hash('sha256', text, 'hex').slice(0, 32)}"` };
  }),
  route(storeReleases_getRealTimeStatusByReleaseId, async (ctx, { params }) => {
    const { store, release } = await find(ctx, params);
    return {
      release_id: String(release.id),
      app_id: ctx.app.id,
      status: {
        status: release.publishing.status,
        storetype: store.type,
        track: store.track,
        version: release.version,
      },
    };
  }),
  route(releases_addStore, async (ctx, { params, body }) => {
    await publishRelease(ctx, Number(params.release_id), body.id);
    return { id: body.id };
  }),
  route(releases_deleteDistributionStore, (ctx, { params }) =>
    takeFromStore(ctx, Number(params.release_id), params.store_id),
  ),
];
