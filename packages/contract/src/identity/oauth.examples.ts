import type { EndpointExamples } from '../endpoint/example.ts';

const client = {
  client_id: '0198c7b0-0000-7c1e-9a53-2f4be3a0b2d7',
  name: 'Status board',
  redirect_uris: ['https://board.example.com/signed-in'],
  allows_implicit: false,
  is_built_in: false,
  created_at: '2026-11-01T09:00:00.000Z',
};
const request =
  'client_id=0198c7b0-0000-7c1e-9a53-2f4be3a0b2d7&response_type=token&redirect_uri=https%3A%2F%2Fboard.example.com%2Fsigned-in';
const path = { client_id: client.client_id };

export const oauthExamples = {
  oauthRequests_get: {
    query: { request },
    response: {
      client_id: client.client_id,
      client_name: 'Status board',
      redirect_uri: 'https://board.example.com/signed-in',
      permissions: ['Act as you, with your permissions'],
    },
  },
  oauthConsents_list: {
    response: [{ client_id: client.client_id, client_name: client.name, granted_at: '2026-11-01T09:30:00.000Z' }],
  },
  oauthConsents_answer: {
    body: { request, is_allowed: true },
    response: { location: `/common/oauth2/authorize?${request}` },
  },
  oauthConsents_delete: { params: path },
  adminOauthClients_list: { response: [client] },
  adminOauthClients_create: {
    body: {
      name: 'Status board',
      redirect_uris: ['https://board.example.com/signed-in'],
      allows_implicit: false,
    },
    response: client,
  },
  adminOauthClients_update: { params: path, body: { name: 'Status board' }, response: client },
  adminOauthClients_delete: { params: path },
  adminOauthKeys_rotate: {
    body: {},
    response: { kid: 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs', created_at: '2026-11-01T09:00:00.000Z' },
  },
  adminOidcSubjects_delete: { params: { user_id: '0198c7a2-5f10-7c1e-9a53-2f4be3a0b2d7' } },
} satisfies EndpointExamples<typeof import('./oauth.contract.ts')>;
