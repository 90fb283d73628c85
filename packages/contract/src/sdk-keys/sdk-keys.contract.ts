import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, Time } from '../fields.ts';
import { OVERLAP_HOURS_MAX } from '../rotated-keys.ts';
import { Type } from '../type.ts';

export const SDK_KEYS_MAX = 20;

const ProjectId = Type.Integer({
  minimum: 1,
  description: 'The number that identifies the app to Sentry SDKs. It never changes.',
});
const PublicKey = Type.String({ description: '32 hexadecimal digits.' });
const Dsn = Type.String({
  description: 'The DSN to build into the app. Anyone can extract it, so it authorizes nothing beyond sending data.',
});
const KeyName = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', description: 'A name for your own use.' });

export const SentryDsn = Type.Object(
  { dsn: Dsn, project_id: ProjectId, public_key: PublicKey },
  { $id: 'SentryDsn', description: 'The newest enabled key of an app.' },
);

export const SentryKey = Type.Object(
  {
    public_key: PublicKey,
    name: KeyName,
    is_enabled: Type.Boolean({ description: 'False if data with this key is rejected.' }),
    dsn: Dsn,
    created_at: Time,
    ends_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'When the key stops working, if it is being revoked.' }),
    ),
  },
  { $id: 'SentryKey' },
);

/** All of these are not in the API of App Center. */
const home = '/v0.1/apps/{owner_name}/{app_name}/sentry';
const common = { tag: 'sentry', params: Type.Object(AppPath), errors: [404] } as const;
const KeyPath = { ...AppPath, public_key: Type.String({ minLength: 1, maxLength: 100 }) };

export const sentry_get = endpoint({
  ...common,
  id: 'sentry_get',
  method: 'GET',
  path: home,
  summary: 'Get the DSN of an app for Sentry SDKs',
  description: 'Returns the newest enabled key. 409 if the app has none: enable or create one.',
  access: 'app:viewer',
  effect: 'read',
  response: json(SentryDsn, { description: 'The DSN.' }),
  errors: [404, 409],
});

export const sentryKeys_list = endpoint({
  ...common,
  id: 'sentryKeys_list',
  method: 'GET',
  path: `${home}/keys`,
  summary: 'List the keys of an app for Sentry SDKs',
  access: 'app:viewer',
  effect: 'read',
  response: json(Type.Object({ values: Type.Array(SentryKey) }), { description: 'The keys, newest first.' }),
});

export const sentryKeys_create = endpoint({
  ...common,
  id: 'sentryKeys_create',
  method: 'POST',
  path: `${home}/keys`,
  summary: 'Create a key for Sentry SDKs',
  description: `Other keys stay valid, so that you can replace one step by step. An app has at most ${SDK_KEYS_MAX} keys.`,
  access: 'app:manager',
  effect: 'change',
  request: json(Type.Object({ name: Type.Optional(KeyName) })),
  response: json(SentryKey, { status: 201, description: 'The key.' }),
  errors: [404, 409],
});

export const sentryKeys_update = endpoint({
  ...common,
  id: 'sentryKeys_update',
  method: 'PATCH',
  path: `${home}/keys/{public_key}`,
  summary: 'Rename, enable or disable a key for Sentry SDKs',
  description: 'Apps that send a disabled key get 403 and drop their data.',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object(KeyPath),
  request: json(Type.Object({ name: Type.Optional(KeyName), is_enabled: Type.Optional(Type.Boolean()) })),
  response: json(SentryKey, { description: 'The changed key.' }),
});

export const sentryKeys_delete = endpoint({
  ...common,
  id: 'sentryKeys_delete',
  method: 'DELETE',
  path: `${home}/keys/{public_key}`,
  summary: 'Revoke a key for Sentry SDKs, immediately or after a while',
  description: 'Apps that send a revoked key get 403 and drop their data.',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object(KeyPath),
  query: Type.Object({
    overlap_hours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: OVERLAP_HOURS_MAX,
        description: 'How many hours the key stays valid, for installed apps that use it (default: 0).',
      }),
    ),
  }),
  response: empty({ description: 'The key is revoked, or ends after these hours.' }),
});
