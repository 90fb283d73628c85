import { empty, endpoint, json, text } from '../../endpoint/index.ts';
import { AppPath, Time, Uuid } from '../../fields.ts';
import { Type } from '../../type.ts';
import { ReleaseId, ReleasePath } from '../releases.contract.ts';

const common = { tag: 'stores', errorShape: 'flat', errors: [404] } as const;
const ofApp = '/v0.1/apps/{owner_name}/{app_name}';
const ofStore = `${ofApp}/distribution_stores/{store_name}`;
const StorePath = { ...AppPath, store_name: Type.String({ minLength: 1, maxLength: 200 }) };
const StoreReleasePath = { ...StorePath, release_id: ReleaseId };

const Track = Type.Enum(['production', 'alpha', 'beta', 'testflight-internal', 'testflight-external']);

const Named = Type.Optional(Type.Object({ name: Type.Optional(Type.String({ maxLength: 200 })) }));

const Store = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    type: Type.Enum(['googleplay', 'intune', 'apple']),
    track: Type.Optional(Track),
    service_connection_id: Type.Optional(Type.String()),
    intune_details: Type.Optional(Type.Object({ target_audience: Named, app_category: Named })),
    has_credentials: Type.Boolean({ description: 'True if the store has a credential. Mooring only.' }),
    missing: Type.Optional(
      Type.String({
        description: 'The missing setup before the store can publish. Absent if nothing is missing. Mooring only.',
      }),
    ),
    created_by: Type.Optional(Type.String()),
    created_by_principal_type: Type.Optional(Type.String()),
  },
  { $id: 'DistributionStore' },
);

const Secret = Type.Optional(Type.String({ maxLength: 10_000 }));
const IntuneDetails = Type.Object({
  secret_json: Type.Optional(
    Type.Object(
      { id_token: Secret, refresh_token: Secret, refresh_token_expiry: Secret },
      { description: 'The credential for the runner; stored encrypted and never shown again.' },
    ),
  ),
  target_audience: Named,
  app_category: Named,
  tenant_id: Type.Optional(Type.String({ maxLength: 100 })),
});

export const stores_create = endpoint({
  ...common,
  id: 'stores_create',
  method: 'POST',
  path: `${ofApp}/distribution_stores`,
  summary: 'Connect a store to an app',
  description:
    'This server publishes to Google Play itself. For the App Store and Intune, a command of a runner publishes. Set the credential with stores_setCredentials.',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object(AppPath),
  request: json(
    Type.Object({
      type: Type.Enum(['googleplay', 'intune', 'apple']),
      name: Type.String({ minLength: 1, maxLength: 128, pattern: '^\\S(.*\\S)?$' }),
      track: Type.Optional(Track),
      service_connection_id: Type.Optional(Type.String({ maxLength: 100 })),
      intune_details: Type.Optional(IntuneDetails),
    }),
  ),
  response: json(Store, { status: 201, description: 'The store.' }),
  errors: [409],
});

export const stores_list = endpoint({
  ...common,
  id: 'stores_list',
  method: 'GET',
  path: `${ofApp}/distribution_stores`,
  summary: 'List the stores of an app',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  response: json(Type.Array(Store), { description: 'The stores, sorted by name.' }),
});

export const stores_get = endpoint({
  ...common,
  id: 'stores_get',
  method: 'GET',
  path: ofStore,
  summary: 'Get a store of an app',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(StorePath),
  response: json(Store, { description: 'The store.' }),
});

export const stores_patch = endpoint({
  ...common,
  id: 'stores_patch',
  method: 'PATCH',
  path: ofStore,
  summary: 'Set the service connection that a store was created with',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object(StorePath),
  request: json(Type.Object({ service_connection_id: Type.String({ maxLength: 100 }) })),
  response: empty({ status: 200, description: 'The connection is stored.' }),
});

export const stores_setCredentials = endpoint({
  ...common,
  id: 'stores_setCredentials',
  method: 'PUT',
  path: `${ofStore}/credentials`,
  summary: 'Set the credential of a store',
  description:
    'For Google Play: the key file of a service account. For other stores: the credentials for the command of a runner. Stored encrypted and never shown again.',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object(StorePath),
  request: json(
    Type.Object({
      service_account: Type.Optional(
        Type.Object(
          {
            client_email: Type.String({ format: 'email', maxLength: 254 }),
            private_key: Type.String({ minLength: 1, maxLength: 10_000, description: 'PEM, of an RSA key.' }),
            private_key_id: Type.Optional(Type.String({ maxLength: 200 })),
          },
          { description: 'For Google Play: the key file. Other fields are ignored.' },
        ),
      ),
      secrets: Type.Optional(
        Type.Record(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$' }), Type.String({ maxLength: 10_000 }), {
          maxProperties: 20,
          description:
            'For other stores: variables for the command of your runner, by name. Only this command receives them.',
        }),
      ),
    }),
  ),
  response: empty({ status: 204, description: 'The store can publish now.' }),
});

export const stores_delete = endpoint({
  ...common,
  id: 'stores_delete',
  method: 'DELETE',
  path: ofStore,
  summary: 'Disconnect a store from an app',
  description: 'Published releases stay in the store.',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object(StorePath),
  response: empty({ status: 204, description: 'Deleted.' }),
});

export const storeNotifications_getNotificationByAppId = endpoint({
  ...common,
  id: 'storeNotifications_getNotificationByAppId',
  method: 'GET',
  path: `${ofApp}/store_service_status`,
  summary: 'Check whether the store that a release is being published to is unavailable',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  response: json(
    Type.Object({
      service: Type.Optional(Type.String({ description: 'googleplay.' })),
      status: Type.Optional(
        Type.String({ description: '`unavailable`: the last request failed and will be repeated.' }),
      ),
    }),
    { description: 'The status. Empty if all stores respond, or nothing is being published.' },
  ),
});

const Publishing = Type.Object({
  id: Uuid,
  name: Type.String(),
  type: Type.Enum(['googleplay', 'intune', 'apple']),
  publishing_status: Type.String({ description: 'submitted, processing, published or failed.' }),
  is_latest: Type.Optional(Type.Boolean()),
});

const StoreRelease = Type.Object(
  {
    id: Type.Integer(),
    version: Type.String(),
    short_version: Type.String(),
    uploaded_at: Time,
    destination_type: Type.Enum(['store']),
    distribution_stores: Type.Array(Publishing),
  },
  { $id: 'StoreRelease' },
);

const StoreReleaseDetails = Type.Object(
  {
    id: Type.Integer(),
    status: Type.Enum(['available', 'unavailable']),
    app_name: Type.String(),
    app_display_name: Type.String(),
    version: Type.String(),
    short_version: Type.String(),
    release_notes: Type.Optional(Type.String()),
    size: Type.Integer(),
    min_os: Type.Optional(Type.String()),
    android_min_api_level: Type.Optional(Type.String()),
    bundle_identifier: Type.Optional(Type.String()),
    fingerprint: Type.String(),
    uploaded_at: Time,
    download_url: Type.Optional(Type.String()),
    install_url: Type.Optional(Type.Enum(['group', 'store'])),
    distribution_stores: Type.Array(Publishing),
  },
  { $id: 'StoreReleaseDetails' },
);

export const storeReleases_getLatest = endpoint({
  ...common,
  id: 'storeReleases_getLatest',
  method: 'GET',
  path: `${ofStore}/latest_release`,
  summary: 'Get the latest release of a store',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(StorePath),
  response: json(Type.Array(StoreReleaseDetails), {
    description: 'A list with one release, as existing clients expect it.',
  }),
});

export const storeReleases_list = endpoint({
  ...common,
  id: 'storeReleases_list',
  method: 'GET',
  path: `${ofStore}/releases`,
  summary: 'List the releases of a store',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(StorePath),
  response: json(Type.Array(StoreRelease), { description: 'The releases, newest first.' }),
});

export const storeReleases_get = endpoint({
  ...common,
  id: 'storeReleases_get',
  method: 'GET',
  path: `${ofStore}/releases/{release_id}`,
  summary: 'Get a release of a store',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(StoreReleasePath),
  response: json(Type.Array(StoreReleaseDetails), {
    description: 'A list with one release, as existing clients expect it.',
  }),
});

export const storeReleases_delete = endpoint({
  ...common,
  id: 'storeReleases_delete',
  method: 'DELETE',
  path: `${ofStore}/releases/{release_id}`,
  summary: 'Remove a store from a release',
  description: 'A published release stays in the store. If a runner is publishing it, this is stopped.',
  access: 'app:developer',
  effect: 'change',
  params: Type.Object(StoreReleasePath),
  response: empty({ status: 204, description: 'The store is removed from the release.' }),
});

export const storeReleases_getPublishError = endpoint({
  ...common,
  id: 'storeReleases_getPublishError',
  method: 'GET',
  path: `${ofStore}/releases/{release_id}/publish_error_details`,
  summary: 'Get the reason why a release could not be published',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(StoreReleasePath),
  response: json(Type.Object({ message: Type.Optional(Type.String()), is_log_available: Type.Boolean() }), {
    description: 'The reason of a failure or delay. Empty if the release was published or is in progress.',
  }),
});

export const storeReleasePublishLogs_get = endpoint({
  ...common,
  id: 'storeReleasePublishLogs_get',
  method: 'GET',
  path: `${ofStore}/releases/{release_id}/publish_logs`,
  summary: 'Get the log of publishing a release',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(StoreReleasePath),
  response: text({
    type: 'text/plain',
    description: 'One step per line and, for a runner, the output of its command.',
  }),
});

export const storeReleases_getRealTimeStatusByReleaseId = endpoint({
  ...common,
  id: 'storeReleases_getRealTimeStatusByReleaseId',
  method: 'GET',
  path: `${ofStore}/releases/{release_id}/realtimestatus`,
  summary: 'Get the publishing status of a release',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(StoreReleasePath),
  response: json(
    Type.Object({
      release_id: Type.String(),
      app_id: Type.String(),
      status: Type.Object({
        status: Type.String(),
        storetype: Type.String(),
        track: Type.Optional(Type.String()),
        version: Type.String(),
      }),
    }),
    { description: 'The status.' },
  ),
});

export const releases_addStore = endpoint({
  ...common,
  id: 'releases_addStore',
  tokenAction: 'distribute',
  method: 'POST',
  path: `${ofApp}/releases/{release_id}/stores`,
  summary: 'Publish a release to a store',
  description:
    'A job publishes it; storeReleases_getRealTimeStatusByReleaseId returns its status. Repeat the request to retry, unless publishing is in progress.',
  access: 'app:developer',
  effect: 'change',
  params: Type.Object(ReleasePath),
  request: json(Type.Object({ id: Uuid })),
  response: json(Type.Object({ id: Uuid }), { status: 201, description: 'Publishing has started.' }),
  errors: [404, 409],
});

export const releases_deleteDistributionStore = endpoint({
  ...common,
  id: 'releases_deleteDistributionStore',
  tokenAction: 'distribute',
  method: 'DELETE',
  path: `${ofApp}/releases/{release_id}/stores/{store_id}`,
  summary: 'Remove a store from a release',
  access: 'app:developer',
  effect: 'change',
  params: Type.Object({ ...ReleasePath, store_id: Uuid }),
  response: empty({ status: 200, description: 'The store is removed from the release.' }),
});
