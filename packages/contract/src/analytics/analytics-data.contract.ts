import { empty, endpoint, json } from '../endpoint/index.ts';
import { Type } from '../type.ts';
import { AppPath, at, Count, reading, Time } from './query-range.ts';

const deleting = {
  ...reading,
  method: 'DELETE',
  access: 'app:manager',
  effect: 'change',
  response: empty({ description: 'The data no longer counts in any figure. Its files are rewritten within minutes.' }),
} as const;
const description =
  'Everything sent so far stops counting immediately. Data sent later counts again; to prevent that, block the install. Raw requests are deleted at the end of the UTC day.';

export const analytics_deleteInstall = endpoint({
  ...deleting,
  id: 'analytics_deleteInstall',
  path: `${at}/installs/{install_id}`,
  summary: 'Delete all telemetry of an installation of the app',
  description,
  params: Type.Object({ ...AppPath, install_id: Type.String({ minLength: 1, maxLength: 128 }) }),
});

export const analytics_deleteUser = endpoint({
  ...deleting,
  id: 'analytics_deleteUser',
  path: `${at}/users/{user_id}`,
  summary: 'Delete all telemetry sent with a user ID',
  description,
  params: Type.Object({ ...AppPath, user_id: Type.String({ minLength: 1, maxLength: 256 }) }),
});

export const deletionKinds = ['event', 'install', 'user'] as const;

const Deletion = Type.Object(
  {
    kind: Type.Enum([...deletionKinds]),
    value: Type.String({ description: 'The name of the event, or the ID of the installation or user.' }),
    requested_at: Type.Optional(Time),
    file_count: Type.Integer({ minimum: 0, description: 'The number of files that may have contained the data.' }),
    files_left: Type.Integer({ minimum: 0, description: 'The number of those files that are still to be rewritten.' }),
    former_files: Type.Integer({
      minimum: 0,
      description: 'The number of replaced files. They are never read, and are deleted a few minutes later.',
    }),
    has_batches: Type.Boolean({
      description:
        'True while raw requests may still contain the data: events until the end of the UTC day, other data for minutes. They are never read.',
    }),
  },
  { $id: 'TelemetryDeletion' },
);

export const MAX_DELETIONS = 100;

export const analytics_listDeletions = endpoint({
  ...reading,
  id: 'analytics_listDeletions',
  path: `${at}/deletions`,
  summary: 'List deletions of telemetry and their progress',
  description: 'Deleted data stops counting immediately. A deletion is listed until no file contains its data.',
  access: 'app:manager',
  params: Type.Object(AppPath),
  response: json(Type.Object({ total: Count, values: Type.Array(Deletion, { maxItems: MAX_DELETIONS }) }), {
    description: `The deletions, latest first, at most ${MAX_DELETIONS}.`,
  }),
});

/** Logs can arrive up to 25 days late, and a day is closed after 28 days. */
export const RETENTION_DAYS = { minimum: 28, maximum: 3650 };
const Days = Type.Integer(RETENTION_DAYS);

const Storage = Type.Object(
  {
    retention_days: Type.Integer({ description: 'The number of days that telemetry of the app is stored.' }),
    server_retention_days: Type.Integer({ description: 'The retention of apps that do not set their own.' }),
    max_retention_days: Type.Integer({ description: 'The highest value that an app may set.' }),
    is_own: Type.Boolean({ description: 'True if the app sets its own retention.' }),
    log_count: Count,
    bytes: Type.Integer({ minimum: 0, description: 'The size of the files.' }),
    oldest_day: Type.Optional(Type.String({ format: 'date' })),
    newest_day: Type.Optional(Type.String({ format: 'date' })),
  },
  { $id: 'TelemetryStorage' },
);

const storage = { ...reading, path: `${at}/storage`, params: Type.Object(AppPath) } as const;

export const analytics_getStorage = endpoint({
  ...storage,
  id: 'analytics_getStorage',
  summary: 'Get the amount of stored telemetry of an app, and its retention',
  response: json(Storage, { description: 'The amount of stored telemetry, and the retention.' }),
});

export const analytics_updateStorage = endpoint({
  ...storage,
  id: 'analytics_updateStorage',
  method: 'PATCH',
  summary: 'Set how long telemetry of an app is stored',
  description: "Older days are deleted within minutes and can't be restored.",
  access: 'app:manager',
  effect: 'change',
  request: json(
    Type.Object({
      retention_days: Type.Union([Days, Type.Null()], {
        description: '`null` uses the retention of the server. At most `max_retention_days` of the response.',
      }),
    }),
  ),
  response: json(Storage, { description: 'The amount of stored telemetry, and the retention.' }),
});

export const analyticsLimits = [
  'retention_days',
  'event_name_length',
  'event_names_per_day',
  'properties_per_event',
  'property_length',
  'audiences',
  'charts',
] as const;

export const analytics_limits = endpoint({
  ...reading,
  id: 'analytics_limits',
  path: `${at}/limits`,
  summary: 'List the limits of analytics, and how often the app exceeded them',
  params: Type.Object(AppPath),
  response: json(
    Type.Object({
      limits: Type.Array(
        Type.Object({
          name: Type.Enum([...analyticsLimits]),
          value: Type.Integer({ minimum: 0, description: '0 means no limit.' }),
          setting: Type.String({
            description: 'The server setting that defines the limit, unless the app sets its own.',
          }),
          exceeded_count: Type.Optional(
            Type.Integer({ minimum: 0, description: 'How often the limit was exceeded in the last 28 days.' }),
          ),
        }),
      ),
      other_event_name: Type.String({
        description: 'The name that events count under once the limit of event names is reached.',
      }),
    }),
    { description: 'The limits.' },
  ),
});
