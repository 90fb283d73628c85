import { endpoint, json } from '../endpoint/index.ts';
import { AppPath, Time, Uuid } from '../fields.ts';
import { Type } from '../type.ts';

/** What was sent by one installation of an app, or with one id of a user of it. */
export const SenderRequest = Type.Object(
  {
    id: Uuid,
    kind: Type.Enum(['export', 'delete']),
    install_id: Type.Optional(Type.String({ description: 'Forgotten once it is deleted.' })),
    user_id: Type.Optional(Type.String({ description: 'Forgotten once it is deleted.' })),
    status: Type.Enum(['Created', 'InProgress', 'Completed', 'Failed']),
    message: Type.String(),
    records: Type.Optional(Type.Integer({ description: 'Of an export: how many records are in it.' })),
    left: Type.Optional(
      Type.Integer({
        description: 'Of a deletion: how many files, requests and records may still hold something, shown to nobody.',
      }),
    ),
    created_at: Time,
    ended_at: Type.Optional(Time),
    url: Type.Optional(Type.String({ description: 'Downloads the export, as JSON Lines; not for Read-Only tokens.' })),
    expires_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'Until when the export can be downloaded.' }),
    ),
  },
  { $id: 'SenderRequest' },
);

const path = '/v0.1/apps/{owner_name}/{app_name}/data_requests';
const common = { tag: 'data requests', access: 'app:manager' } as const;

export const senderRequests_list = endpoint({
  ...common,
  id: 'senderRequests_list',
  method: 'GET',
  path,
  summary: 'Lists requests about users of an app: copies of what they sent, and deletions',
  effect: 'read',
  params: Type.Object(AppPath),
  response: json(Type.Object({ values: Type.Array(SenderRequest) }), {
    description: 'The newest first, at most 100; kept for 90 days after their end.',
  }),
  errors: [404],
});

export const senderRequests_create = endpoint({
  ...common,
  id: 'senderRequests_create',
  method: 'POST',
  path,
  summary: 'Exports or deletes all that a user or an installation of an app sent',
  description:
    'Telemetry, crashes, errors and attachments. An export is one file of JSON Lines. What is deleted counts nowhere from this moment on; the request is Completed once nothing of it is left in any table, file or request as it came, and a search has found nothing; copies that were exported by the same id go with it. Reports of installs and over-the-air updates are only counted, for nobody in particular. Backups keep what they have until they are deleted.',
  effect: 'change',
  params: Type.Object(AppPath),
  request: json(
    Type.Object({
      kind: Type.Enum(['export', 'delete']),
      install_id: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
      user_id: Type.Optional(
        Type.String({ minLength: 1, maxLength: 256, description: 'The id that the app gave the user.' }),
      ),
    }),
  ),
  response: json(SenderRequest, { status: 202, description: 'The request.' }),
  errors: [404, 409],
});

export const senderRequests_get = endpoint({
  ...common,
  id: 'senderRequests_get',
  method: 'GET',
  path: `${path}/{request_id}`,
  summary: 'Says how far a request about a user of an app is',
  effect: 'read',
  params: Type.Object({ ...AppPath, request_id: Type.String({ minLength: 1, maxLength: 100 }) }),
  response: json(SenderRequest, { description: 'The request.' }),
  errors: [404],
});
