import { empty, endpoint, json } from '../endpoint/index.ts';
import { Time, Uuid } from '../fields.ts';
import { Type } from '../type.ts';
import { latestRelease, updateCheckQuery } from './update-check.ts';

const Secret = { app_secret: Type.String({ maxLength: 100 }) };
const common = { tag: 'in-app updates', errorShape: 'flat' } as const;

export const releases_getLatestPrivateRelease = endpoint({
  ...common,
  id: 'releases_getLatestPrivateRelease',
  method: 'GET',
  path: '/v0.1/sdk/apps/{app_secret}/releases/private/latest',
  summary: 'Tells an SDK the latest release that its tester has',
  description:
    'The header X-API-Token holds the update token of the device, which privateUpdates_setUp gave it. A token that was taken back is answered with 401, which makes an SDK ask its tester to sign in again.',
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
  summary: 'Gives the app on a device a token for the updates of its tester',
  description:
    'For the page that an SDK opens, with what the SDK wrote into its address. The answer says where the browser goes on: back to the app, with an update token if the caller was given the build that is installed, and else with the reason. An address that leads anywhere but into this app is refused.',
  access: 'user',
  only: 'person',
  effect: 'change',
  params: Type.Object(Secret),
  request: json(
    Type.Object({
      release_hash: Type.String({ maxLength: 200, description: 'What the SDK computed of the installed build.' }),
      redirect_id: Type.String({
        maxLength: 300,
        description: 'The package of an Android app, or appcenter-<secret> for iOS.',
      }),
      request_id: Type.String({ maxLength: 100, description: 'Goes back as it came.' }),
      platform: Type.Enum(['Android', 'iOS']),
    }),
  ),
  response: json(
    Type.Object({
      is_set_up: Type.Boolean({ description: 'Whether the caller was given the build, and the app gets a token.' }),
      redirect_url: Type.String({ description: 'Leads back into the app.' }),
      app_display_name: Type.String(),
    }),
    { description: 'Where to go on.' },
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
  summary: 'Lists the devices on which apps are told of private updates of the caller',
  access: 'user',
  effect: 'read',
  response: json(Type.Array(UpdateToken), { description: 'The newest first.' }),
});

export const updateTokens_delete = endpoint({
  ...common,
  id: 'updateTokens_delete',
  method: 'DELETE',
  path: '/v0.1/user/update_tokens/{update_token_id}',
  summary: 'Takes the update token of a device back',
  access: 'user',
  effect: 'change',
  params: Type.Object({ update_token_id: Uuid }),
  response: empty({ status: 204, description: 'The device asks its tester to sign in again.' }),
  errors: [404],
});
