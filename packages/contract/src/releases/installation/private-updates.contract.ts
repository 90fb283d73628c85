import { empty, endpoint, json } from '../../endpoint/index.ts';
import { Time, Uuid } from '../../fields.ts';
import { Type } from '../../type.ts';
import { latestRelease, updateCheckQuery } from './update-check.ts';

const Secret = { app_secret: Type.String({ maxLength: 100 }) };
const common = { tag: 'in-app updates', errorShape: 'flat' } as const;

export const releases_getLatestPrivateRelease = endpoint({
  ...common,
  id: 'releases_getLatestPrivateRelease',
  method: 'GET',
  path: '/v0.1/sdk/apps/{app_secret}/releases/private/latest',
  summary: 'Get the latest release for the tester of a device, for an SDK',
  description:
    'The header X-API-Token holds the update token of the device, from privateUpdates_setUp. A revoked token returns 401, and the SDK asks the tester to sign in again.',
  access: 'appSecret',
  alsoNeeds: 'an update token of the app',
  effect: 'read',
  params: Type.Object(Secret),
  query: Type.Object(updateCheckQuery),
  headers: Type.Object({ 'x-api-token': Type.Optional(Type.String({ maxLength: 200 })) }),
  response: latestRelease,
  errors: [401, 404],
});

export const privateUpdates_setUp = endpoint({
  ...common,
  id: 'privateUpdates_setUp',
  method: 'POST',
  path: '/v0.1/sdk/apps/{app_secret}/private_update_setup',
  summary: "Create an update token for the app on the caller's device",
  description:
    'For the page that an SDK opens, with the parameters that the SDK put into its URL. The response has the next URL for the browser: back to the app, with an update token if the installed build was distributed to the caller, otherwise with an error. A redirect to anything but this app is rejected.',
  access: 'user',
  only: 'person',
  effect: 'change',
  params: Type.Object(Secret),
  request: json(
    Type.Object({
      release_hash: Type.String({
        maxLength: 200,
        description: 'The hash of the installed build, computed by the SDK.',
      }),
      redirect_id: Type.String({
        maxLength: 300,
        description: 'The package name of an Android app, or appcenter-<secret> for iOS.',
      }),
      request_id: Type.String({ maxLength: 100, description: 'Returned unchanged.' }),
      platform: Type.Enum(['Android', 'iOS']),
    }),
  ),
  response: json(
    Type.Object({
      is_set_up: Type.Boolean({
        description: 'True if the installed build was distributed to the caller; the app then gets a token.',
      }),
      redirect_url: Type.String({ description: 'A URL that opens the app.' }),
      app_display_name: Type.String(),
    }),
    { description: 'Where to continue.' },
  ),
  errors: [404],
});

const UpdateToken = Type.Object(
  {
    id: Uuid,
    platform: Type.String(),
    app: Type.Object({ owner_name: Type.String(), name: Type.String(), display_name: Type.String() }),
    created_at: Time,
  },
  { $id: 'UpdateToken' },
);

export const updateTokens_list = endpoint({
  ...common,
  id: 'updateTokens_list',
  method: 'GET',
  path: '/v0.1/user/update_tokens',
  summary: 'List the devices that receive private updates of the caller',
  access: 'user',
  effect: 'read',
  response: json(Type.Array(UpdateToken), { description: 'The devices, newest first.' }),
});

export const updateTokens_delete = endpoint({
  ...common,
  id: 'updateTokens_delete',
  method: 'DELETE',
  path: '/v0.1/user/update_tokens/{update_token_id}',
  summary: 'Revoke the update token of a device',
  access: 'user',
  effect: 'change',
  params: Type.Object({ update_token_id: Uuid }),
  response: empty({ status: 204, description: 'The device asks its tester to sign in again.' }),
  errors: [404],
});
