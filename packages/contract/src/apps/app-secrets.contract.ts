import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, Time } from '../fields.ts';
import { OverlapHours, previousKeys } from '../rotated-keys.ts';
import { Type } from '../type.ts';

export const AppSecrets = Type.Object(
  {
    app_secret: Type.String({ description: 'The secret that SDKs inside the app send.' }),
    former: Type.Array(Type.Object({ app_secret: Type.String(), ends_at: Time }), previousKeys),
  },
  { $id: 'AppSecrets' },
);

const home = '/v0.1/apps/{owner_name}/{app_name}/secrets';
const common = { tag: 'apps', params: Type.Object(AppPath) } as const;

export const appSecrets_get = endpoint({
  ...common,
  id: 'appSecrets_get',
  method: 'GET',
  path: home,
  summary: 'Get the secret of an app, and its previous secrets that are still valid',
  access: 'app:viewer',
  effect: 'read',
  response: json(AppSecrets, { description: 'The secrets.' }),
  errors: [404],
});

export const appSecrets_rotate = endpoint({
  ...common,
  id: 'appSecrets_rotate',
  method: 'POST',
  path: `${home}/rotate`,
  summary: 'Rotate the secret of an app, or set one from another server',
  description:
    'The previous secret stays valid for a while, because installed apps still send it. After that, SDKs that send it get 403 and drop their data.',
  access: 'app:manager',
  effect: 'change',
  request: json(
    Type.Object({
      overlap_hours: Type.Optional(OverlapHours),
      app_secret: Type.Optional(
        Type.String({
          pattern: '^([0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12})$',
          description:
            'The secret of the app on another server. Shipped apps that contain it only need a new URL. Dashes are optional, for HockeyApp identifiers. Omit it to generate a new secret.',
        }),
      ),
    }),
  ),
  response: json(AppSecrets, { description: 'The new secret, and the secrets that are still valid.' }),
  errors: [404, 409],
});

export const appSecrets_endFormer = endpoint({
  ...common,
  id: 'appSecrets_endFormer',
  method: 'DELETE',
  path: `${home}/former`,
  summary: 'Revoke all previous secrets of an app',
  access: 'app:manager',
  effect: 'change',
  response: empty({ description: 'Only the current secret is valid.' }),
  errors: [404],
});
