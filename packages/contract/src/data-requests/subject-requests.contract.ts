import { endpoint, json } from '../endpoint/index.ts';
import { AppPath, Time, Uuid } from '../fields.ts';
import { Type } from '../type.ts';

/** A request about the data of one installation of an app, or of one of its users. */
export const SenderRequest = Type.Object(
  {
    id: Uuid,
    kind: Type.Enum(['export', 'delete']),
    install_id: Type.Optional(Type.String({ description: 'Removed once the data is deleted.' })),
    user_id: Type.Optional(Type.String({ description: 'Removed once the data is deleted.' })),
    status: Type.Enum(['Created', 'InProgress', 'Completed', 'Failed']),
    message: Type.String(),
    records: Type.Optional(Type.Integer({ description: 'For exports: the number of records.' })),
    left: Type.Optional(
      Type.Integer({
        description:
          'For deletions: the number of files, requests and records that may still contain the data. They are no longer shown.',
      }),
    ),
    created_at: Time,
    ended_at: Type.Optional(Time),
    url: Type.Optional(
      Type.String({ description: 'Downloads the export, as JSON Lines. Not included for Read-Only tokens.' }),
    ),
    expires_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'When the download of the export expires.' }),
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
  summary: 'List requests to export or delete the data of users of an app',
  effect: 'read',
  params: Type.Object(AppPath),
  response: json(Type.Object({ values: Type.Array(SenderRequest) }), {
    description: 'The requests, newest first, at most 100. They are deleted 90 days after they end.',
  }),
  errors: [404],
});

export const senderRequests_create = endpoint({
  ...common,
  id: 'senderRequests_create',
  method: 'POST',
  path,
  summary: 'Export or delete all data of a user or an installation of an app',
  description:
    'Covers telemetry, crashes, errors and attachments. An export is one file of JSON Lines. Deleted data stops counting immediately. The request is Completed once no table, file or raw request contains the data and a search has confirmed this. Exports with the same ID are deleted too. Reports of installs and CodePush updates are only anonymous counts. Backups keep the data until they are deleted.',
  effect: 'change',
  params: Type.Object(AppPath),
  request: json(
    Type.Object({
      kind: Type.Enum(['export', 'delete']),
      install_id: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
      user_id: Type.Optional(
        Type.String({ minLength: 1, maxLength: 256, description: 'The user ID that the app set.' }),
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
  summary: 'Get the status of a request about a user of an app',
  effect: 'read',
  params: Type.Object({ ...AppPath, request_id: Type.String({ minLength: 1, maxLength: 100 }) }),
  response: json(SenderRequest, { description: 'The request.' }),
  errors: [404],
});
