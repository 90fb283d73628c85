import { endpoint, json } from '../endpoint/index.ts';
import { Email, Time, Uuid } from '../fields.ts';
import { Type } from '../type.ts';

const common = { tag: 'data requests', access: 'user', only: 'person' } as const;
const Path = { token: Uuid };
const nothing = json(Type.Object({}));

const Receipt = Type.Object(
  {
    token: Type.String({ format: 'uuid', description: 'Identifies the request: to get its status, and to cancel it.' }),
    createdAt: Time,
  },
  { $id: 'DataRequestReceipt' },
);

export const dataRequestStates = ['None', 'Created', 'Queued', 'InProgress', 'Completed', 'Failed'] as const;

const state = {
  sasUrl: Type.Optional(Type.String({ description: 'Downloads the archive without a credential. Expires.' })),
  sasUrlExpired: Type.Optional(Type.Boolean({ description: 'True if the archive has expired; request a new one.' })),
  status: Type.Enum([...dataRequestStates]),
  message: Type.String(),
};

const State = Type.Object(state, { $id: 'DataRequestState' });

export const dataSubjectRight_exportRequest = endpoint({
  ...common,
  id: 'dataSubjectRight_exportRequest',
  method: 'POST',
  path: '/v0.1/user/dsr/export',
  summary: 'Request an archive of all data about your account',
  description:
    'The archive contains your profile, memberships, tokens without their values, sessions, audit events and all other data, as JSON Lines. At most 15 requests a day.',
  effect: 'change',
  request: nothing,
  response: json(Receipt, { status: 202, description: 'Accepted. The server creates the archive in the background.' }),
  errors: [429],
});

export const dataSubjectRight_exportStatusRequest = endpoint({
  ...common,
  id: 'dataSubjectRight_exportStatusRequest',
  method: 'GET',
  path: '/v0.1/user/dsr/export/{token}',
  summary: 'Get the status and download URL of an archive',
  effect: 'read',
  params: Type.Object(Path),
  response: json(State, { description: 'The status of the archive.' }),
  errors: [404],
});

export const dataSubjectRight_cancelExportRequest = endpoint({
  ...common,
  id: 'dataSubjectRight_cancelExportRequest',
  method: 'POST',
  path: '/v0.1/user/dsr/export/{token}/cancel',
  summary: 'Cancel the request for an archive; an existing archive is deleted',
  effect: 'change',
  params: Type.Object(Path),
  request: nothing,
  response: json(Receipt, { status: 202, description: 'The request is canceled.' }),
  errors: [404, 503],
});

export const dataSubjectRight_deleteRequest = endpoint({
  ...common,
  id: 'dataSubjectRight_deleteRequest',
  method: 'POST',
  path: '/v0.1/user/dsr/delete',
  summary: 'Request the deletion of your account, and of all data about you',
  description:
    'The account is deleted after some days (default: 28). Until then it works as before and you can cancel the request. A new request replaces a previous one. The deletion fails while the account owns apps, or is the last admin of an organization or of the server; the status says so in advance. Audit events stay, without your name and address.',
  effect: 'change',
  request: nothing,
  response: json(Receipt, { status: 202, description: 'The account is scheduled for deletion.' }),
});

export const dataSubjectRight_deleteStatusRequest = endpoint({
  id: 'dataSubjectRight_deleteStatusRequest',
  method: 'GET',
  path: '/v0.1/user/dsr/delete/{token}',
  tag: 'data requests',
  summary: 'Get the status of the deletion of an account',
  description:
    'Requires no credential, because the account may already be deleted. Identify the request by its token and the email of the account; if either is wrong, it fails with 404.',
  access: 'public',
  effect: 'read',
  params: Type.Object(Path),
  query: Type.Object({ email: Email }),
  response: json(State, { description: 'The status of the deletion.' }),
  errors: [404],
});

export const dataSubjectRight_cancelDeleteRequest = endpoint({
  ...common,
  id: 'dataSubjectRight_cancelDeleteRequest',
  method: 'POST',
  path: '/v0.1/user/dsr/delete/{token}/cancel',
  summary: 'Cancel the deletion of your account',
  effect: 'change',
  params: Type.Object(Path),
  request: json(Type.Object({ email: Type.Optional(Email) })),
  response: json(Receipt, { status: 202, description: 'The deletion is canceled.' }),
  errors: [404, 503],
});

export const dataRequests_list = endpoint({
  ...common,
  id: 'dataRequests_list',
  method: 'GET',
  path: '/v0.1/user/dsr',
  summary: 'List your requests for archives and for the deletion of your account',
  effect: 'read',
  response: json(
    Type.Object({
      values: Type.Array(
        Type.Object(
          {
            ...state,
            token: Uuid,
            kind: Type.Enum(['export', 'delete']),
            created_at: Time,
            due_at: Type.Optional(Type.String({ format: 'date-time', description: 'When the account is deleted.' })),
            expires_at: Type.Optional(
              Type.String({ format: 'date-time', description: 'When the download of the archive expires.' }),
            ),
          },
          { $id: 'DataRequest' },
        ),
      ),
    }),
    { description: 'The requests, newest first.' },
  ),
});

export const sharedconnection_Connections = endpoint({
  ...common,
  id: 'sharedconnection_Connections',
  method: 'GET',
  path: '/v0.1/user/export/serviceConnections',
  summary: 'List the connections to other services for which you provided credentials',
  effect: 'read',
  response: json(
    Type.Array(
      Type.Object({
        id: Type.String(),
        displayName: Type.Optional(Type.String()),
        serviceType: Type.Enum(['apple', 'jira', 'googleplay', 'gitlab']),
        credentialType: Type.Enum(['credentials', 'certificate']),
        isValid: Type.Optional(Type.Boolean()),
        is2FA: Type.Optional(Type.Boolean()),
      }),
    ),
    { description: 'Connections to Jira, GitLab and Google Play, without their credentials.' },
  ),
});
