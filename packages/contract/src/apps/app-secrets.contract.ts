import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, Time } from '../fields.ts';
import { formerKeys, OverlapHours } from '../rotated-keys.ts';
import { Type } from '../type.ts';

export const AppSecrets = Type.Object(
  {
    app_secret: Type.String({ description: 'The key that SDKs inside the app send.' }),
    former: Type.Array(Type.Object({ app_secret: Type.String(), ends_at: Time }), formerKeys),
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
  summary: 'Returns the secret of an app, and former ones that still count',
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
  summary: 'Gives an app a new secret, or the one that it had elsewhere',
  description:
    'The old one counts for a while, because what is installed goes on to send it. Once it has ended, SDKs that send it are told 403 and throw away what they have.',
  access: 'app:manager',
  effect: 'change',
  request: json(
    Type.Object({
      overlap_hours: Type.Optional(OverlapHours),
      app_secret: Type.Optional(
        Type.String({
          pattern: '^([0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12})$',
          description:
            'That of another server, which is in apps already: they need nothing but another address. With or without dashes, as identifiers of HockeyApp have none. A new one is made without it.',
        }),
      ),
    }),
  ),
  response: json(AppSecrets, { description: 'The new secret, and what still counts.' }),
  errors: [404, 409],
});

export const appSecrets_endFormer = endpoint({
  ...common,
  id: 'appSecrets_endFormer',
  method: 'DELETE',
  path: `${home}/former`,
  summary: 'Lets no former secret of an app count any more',
  access: 'app:manager',
  effect: 'change',
  response: empty({ description: 'Only the newest secret counts.' }),
  errors: [404],
});
