import { endpoint, json } from '../endpoint/index.ts';
import { Email, Time, Uuid } from '../fields.ts';
import { Type } from '../type.ts';

const common = { tag: 'data requests', access: 'user', only: 'person' } as const;
const Path = { token: Uuid };
const nothing = json(Type.Object({}));

const Receipt = Type.Object(
  {
    token: Type.String({ format: 'uuid', description: 'Follows the request, and cancels it.' }),
    createdAt: Time,
  },
  { $id: 'DataRequestReceipt' },
);

export const dataRequestStates = ['None', 'Created', 'Queued', 'InProgress', 'Completed', 'Failed'] as const;

const state = {
  sasUrl: Type.Optional(Type.String({ description: 'Downloads the archive without a credential, for a while.' })),
  sasUrlExpired: Type.Optional(Type.Boolean({ description: 'Whether the archive is gone; ask for a new one.' })),
  status: Type.Enum([...dataRequestStates]),
  message: Type.String(),
};

const State = Type.Object(state, { $id: 'DataRequestState' });

export const dataSubjectRight_exportRequest = endpoint({
  ...common,
  id: 'dataSubjectRight_exportRequest',
  method: 'POST',
  path: '/v0.1/user/dsr/export',
  summary: 'Asks for everything that is kept about your account',
  description:
    'An archive is made: profile, memberships, tokens without their values, sessions, audit entries and the rest, each as JSON Lines. At most 15 within a day.',
  effect: 'change',
  request: nothing,
  response: json(Receipt, { status: 202, description: 'The archive is being made.' }),
  errors: [429],
});

export const dataSubjectRight_exportStatusRequest = endpoint({
  ...common,
  id: 'dataSubjectRight_exportStatusRequest',
  method: 'GET',
  path: '/v0.1/user/dsr/export/{token}',
  summary: 'Says how far the archive is, and where to download it',
  effect: 'read',
  params: Type.Object(Path),
  response: json(State, { description: 'How far it is.' }),
  errors: [404],
});

export const dataSubjectRight_cancelExportRequest = endpoint({
  ...common,
  id: 'dataSubjectRight_cancelExportRequest',
  method: 'POST',
  path: '/v0.1/user/dsr/export/{token}/cancel',
  summary: 'Takes back the request for an archive; one that is made already is deleted',
  effect: 'change',
  params: Type.Object(Path),
  request: nothing,
  response: json(Receipt, { status: 202, description: 'It is cancelled.' }),
  errors: [404, 503],
});

export const dataSubjectRight_deleteRequest = endpoint({
  ...common,
  id: 'dataSubjectRight_deleteRequest',
  method: 'POST',
  path: '/v0.1/user/dsr/delete',
  summary: 'Asks for your account, and everything about you, to be deleted',
  description:
    'It is done after some days (28 unless whoever runs the server chose another number), until when it can be cancelled and the account works as before; asking again takes the place of what was asked before. It fails while others depend on the account: while it owns apps, or is the last admin of an organization or of the server; the status says so beforehand. Audit entries stay, without your name and address.',
  effect: 'change',
  request: nothing,
  response: json(Receipt, { status: 202, description: 'The account is going to be deleted.' }),
});

export const dataSubjectRight_deleteStatusRequest = endpoint({
  id: 'dataSubjectRight_deleteStatusRequest',
  method: 'GET',
  path: '/v0.1/user/dsr/delete/{token}',
  tag: 'data requests',
  summary: 'Says how far the deletion of an account is',
  description:
    'Needs no credential, as the account may be gone: the receipt and the e-mail that the account had are the proof. A wrong one of either gets 404.',
  access: 'public',
  effect: 'read',
  params: Type.Object(Path),
  query: Type.Object({ email: Email }),
  response: json(State, { description: 'How far it is.' }),
  errors: [404],
});

export const dataSubjectRight_cancelDeleteRequest = endpoint({
  ...common,
  id: 'dataSubjectRight_cancelDeleteRequest',
  method: 'POST',
  path: '/v0.1/user/dsr/delete/{token}/cancel',
  summary: 'Keeps the account after all',
  effect: 'change',
  params: Type.Object(Path),
  request: json(Type.Object({ email: Type.Optional(Email) })),
  response: json(Receipt, { status: 202, description: 'The account stays.' }),
  errors: [404, 503],
});

export const dataRequests_list = endpoint({
  ...common,
  id: 'dataRequests_list',
  method: 'GET',
  path: '/v0.1/user/dsr',
  summary: 'Lists what you asked for: archives, and the deletion of your account',
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
              Type.String({ format: 'date-time', description: 'Until when the archive can be downloaded.' }),
            ),
          },
          { $id: 'DataRequest' },
        ),
      ),
    }),
    { description: 'The newest first.' },
  ),
});

export const sharedconnection_Connections = endpoint({
  ...common,
  id: 'sharedconnection_Connections',
  method: 'GET',
  path: '/v0.1/user/export/serviceConnections',
  summary: 'Lists the credentials of other services that you gave for apps, without them',
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
    { description: 'Bug trackers of Jira and GitLab, and stores of Google Play.' },
  ),
});
