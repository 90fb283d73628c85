import { empty, endpoint, json } from '../endpoint/index.ts';
import { Type } from '../type.ts';
import { AppPath, at, Count, reading, Time } from './asked.ts';

const deleting = {
  ...reading,
  method: 'DELETE',
  access: 'app:manager',
  effect: 'change',
  response: empty({ description: 'It is gone from all figures; its files are written anew within minutes.' }),
} as const;
const description =
  'What came until now is gone at once, from every figure. What comes later counts; block the install if it should not. Requests as they came are deleted when the UTC day is over.';

export const analytics_deleteInstall = endpoint({
  ...deleting,
  id: 'analytics_deleteInstall',
  path: `${at}/installs/{install_id}`,
  summary: 'Deletes all that an installation of the app sent',
  description,
  params: Type.Object({ ...AppPath, install_id: Type.String({ minLength: 1, maxLength: 128 }) }),
});

export const analytics_deleteUser = endpoint({
  ...deleting,
  id: 'analytics_deleteUser',
  path: `${at}/users/{user_id}`,
  summary: 'Deletes all that was sent with the id that the app gave a user',
  description,
  params: Type.Object({ ...AppPath, user_id: Type.String({ minLength: 1, maxLength: 256 }) }),
});

export const deletionKinds = ['event', 'install', 'user'] as const;

const Deletion = Type.Object(
  {
    kind: Type.Enum([...deletionKinds]),
    value: Type.String({ description: 'The name of the event, or the id of the installation or the user.' }),
    requested_at: Type.Optional(Time),
    file_count: Type.Integer({ minimum: 0, description: 'Files that may have held some of it.' }),
    files_left: Type.Integer({ minimum: 0, description: 'Of those, the ones that are still to be written anew.' }),
    former_files: Type.Integer({
      minimum: 0,
      description: 'Files that were replaced, which nobody is shown and which are deleted a few minutes later.',
    }),
    has_batches: Type.Boolean({
      description:
        'Requests as they came, which nobody is shown, may still hold it: an event until the UTC day is over, others for minutes.',
    }),
  },
  { $id: 'TelemetryDeletion' },
);

export const MOST_DELETIONS = 100;

export const analytics_listDeletions = endpoint({
  ...reading,
  id: 'analytics_listDeletions',
  path: `${at}/deletions`,
  summary: 'Shows how far deletions of telemetry are',
  description:
    'What was deleted counts nowhere from the moment it was. Here it is shown until nothing of it is left in any file.',
  access: 'app:manager',
  params: Type.Object(AppPath),
  response: json(Type.Object({ total: Count, values: Type.Array(Deletion, { maxItems: MOST_DELETIONS }) }), {
    description: `The latest first, at most ${MOST_DELETIONS}.`,
  }),
});

/** Logs come up to 25 days late, and days that are over for them are closed after 28. */
export const RETENTION_DAYS = { minimum: 28, maximum: 3650 };
const Days = Type.Integer(RETENTION_DAYS);

const Storage = Type.Object(
  {
    retention_days: Type.Integer({ description: 'How many days telemetry of the app is kept.' }),
    server_retention_days: Type.Integer({ description: 'What holds for apps that say nothing of their own.' }),
    max_retention_days: Type.Integer({ description: 'The most that an app may say of its own.' }),
    is_own: Type.Boolean({ description: 'The app says so itself.' }),
    log_count: Count,
    bytes: Type.Integer({ minimum: 0, description: 'Of the files that hold them.' }),
    oldest_day: Type.Optional(Type.String({ format: 'date' })),
    newest_day: Type.Optional(Type.String({ format: 'date' })),
  },
  { $id: 'TelemetryStorage' },
);

const storage = { ...reading, path: `${at}/storage`, params: Type.Object(AppPath) } as const;

export const analytics_getStorage = endpoint({
  ...storage,
  id: 'analytics_getStorage',
  summary: 'Shows how much telemetry of an app is kept, and for how long',
  response: json(Storage, { description: 'What is kept.' }),
});

export const analytics_updateStorage = endpoint({
  ...storage,
  id: 'analytics_updateStorage',
  method: 'PATCH',
  summary: 'Sets for how long telemetry of an app is kept',
  description: 'Days that are older go within minutes, and cannot be brought back.',
  access: 'app:manager',
  effect: 'change',
  request: json(
    Type.Object({
      retention_days: Type.Union([Days, Type.Null()], {
        description: '`null`: as long as the server says. At most `max_retention_days` of the answer.',
      }),
    }),
  ),
  response: json(Storage, { description: 'What is kept.' }),
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
  summary: 'Shows the limits of analytics, and what was more than they allow',
  params: Type.Object(AppPath),
  response: json(
    Type.Object({
      limits: Type.Array(
        Type.Object({
          name: Type.Enum([...analyticsLimits]),
          value: Type.Integer({ minimum: 0, description: '0 is no limit.' }),
          setting: Type.String({
            description: 'The setting of the server that it comes from, unless the app has its own.',
          }),
          exceeded_count: Type.Optional(
            Type.Integer({ minimum: 0, description: 'How often something was cut in the last 28 days.' }),
          ),
        }),
      ),
      other_event_name: Type.String({ description: 'The name under which events beyond the limit of names count.' }),
    }),
    { description: 'The limits.' },
  ),
});
