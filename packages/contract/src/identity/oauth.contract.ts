import { empty, endpoint, json } from '../endpoint/index.ts';
import { Time, Uuid } from '../fields.ts';
import { Type } from '../type.ts';

const ClientName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description: 'Shown on the consent page.',
});
const RedirectUris = Type.Array(Type.String({ minLength: 1, maxLength: 2000 }), {
  minItems: 1,
  maxItems: 20,
  description:
    'Where results may be sent: https, or http on the loopback (localhost, 127.0.0.1, [::1]), without a fragment. Compared exactly, except for the port on the loopback.',
});
const AllowsImplicit = Type.Boolean({
  description:
    "False: the client may use only authorization codes with PKCE (response_type=code). True: also the implicit flow (response_type=token), for clients that can't use a code.",
});

export const OauthClient = Type.Object(
  {
    client_id: Uuid,
    name: Type.String(),
    redirect_uris: Type.Array(Type.String()),
    allows_implicit: Type.Boolean(),
    is_built_in: Type.Boolean({ description: "True for clients that come with the server and can't be changed." }),
    created_at: Type.Optional(Time),
  },
  { $id: 'OauthClient' },
);

export const OauthConsent = Type.Object(
  { client_id: Uuid, client_name: Type.String(), granted_at: Time },
  { $id: 'OauthConsent', description: 'A client that may act for you, and when you consented.' },
);

const AuthorizeQuery = Type.String({
  minLength: 1,
  maxLength: 8000,
  description: "The query of the client's request to /common/oauth2/authorize.",
});

const ClientPath = Type.Object({ client_id: Uuid });

export const oauthRequests_get = endpoint({
  id: 'oauthRequests_get',
  method: 'GET',
  path: '/v0.1/oauth/request',
  tag: 'signing in',
  summary: 'Get the request of a client, for the consent page',
  access: 'user',
  effect: 'read',
  query: Type.Object({ request: AuthorizeQuery }),
  response: json(
    Type.Object({
      client_id: Uuid,
      client_name: Type.String(),
      redirect_uri: Type.String(),
      permissions: Type.Array(Type.String(), {
        description: 'The permissions that the client requests, as readable text.',
      }),
    }),
    { description: 'The client, its permissions and its redirect URL.' },
  ),
});

export const oauthConsents_list = endpoint({
  id: 'oauthConsents_list',
  method: 'GET',
  path: '/v0.1/oauth/consents',
  tag: 'signing in',
  summary: 'List the clients that may act for the authenticated user',
  access: 'user',
  effect: 'read',
  response: json(Type.Array(OauthConsent), { description: 'Newest first.' }),
});

export const oauthConsents_answer = endpoint({
  id: 'oauthConsents_answer',
  method: 'POST',
  path: '/v0.1/oauth/consents',
  tag: 'signing in',
  summary: 'Consent to the request of a client, or deny it',
  access: 'user',
  effect: 'change',
  request: json(Type.Object({ request: AuthorizeQuery, is_allowed: Type.Boolean() })),
  response: json(Type.Object({ location: Type.String() }), { description: 'The next URL for the browser.' }),
});

export const oauthConsents_delete = endpoint({
  id: 'oauthConsents_delete',
  method: 'DELETE',
  path: '/v0.1/oauth/consents/{client_id}',
  tag: 'signing in',
  summary: 'Revoke your consent for a client',
  description: 'Its access tokens stop working immediately.',
  access: 'user',
  effect: 'change',
  params: ClientPath,
  response: empty({ description: 'The client may no longer act for you.' }),
  errors: [404],
});

export const adminOauthClients_list = endpoint({
  id: 'adminOauthClients_list',
  method: 'GET',
  path: '/v0.1/admin/oauth_clients',
  tag: 'signing in',
  summary: 'List the OAuth clients',
  access: 'admin',
  effect: 'read',
  response: json(Type.Array(OauthClient), { description: 'The clients, built-in ones first.' }),
});

export const adminOauthClients_create = endpoint({
  id: 'adminOauthClients_create',
  method: 'POST',
  path: '/v0.1/admin/oauth_clients',
  tag: 'signing in',
  summary: 'Register a client',
  description: 'Registers a public client, without a secret. Requests with a flow that is not allowed are rejected.',
  access: 'admin',
  effect: 'change',
  request: json(
    Type.Object({
      name: ClientName,
      redirect_uris: RedirectUris,
      allows_implicit: AllowsImplicit,
    }),
  ),
  response: json(OauthClient, { status: 201, description: 'The client with its ID.' }),
  errors: [409],
});

export const adminOauthClients_update = endpoint({
  id: 'adminOauthClients_update',
  method: 'PATCH',
  path: '/v0.1/admin/oauth_clients/{client_id}',
  tag: 'signing in',
  summary: 'Update a client',
  access: 'admin',
  effect: 'change',
  params: ClientPath,
  request: json(
    Type.Object({
      name: Type.Optional(ClientName),
      redirect_uris: Type.Optional(RedirectUris),
      allows_implicit: Type.Optional(AllowsImplicit),
    }),
  ),
  response: json(OauthClient, { description: 'The updated client.' }),
  errors: [404, 409],
});

export const adminOauthClients_delete = endpoint({
  id: 'adminOauthClients_delete',
  method: 'DELETE',
  path: '/v0.1/admin/oauth_clients/{client_id}',
  tag: 'signing in',
  summary: 'Delete a client',
  description: 'Its access tokens stop working immediately.',
  access: 'admin',
  effect: 'change',
  params: ClientPath,
  response: empty({ description: 'The client is deleted; no one can sign in to it.' }),
  errors: [404, 409],
});

export const adminOauthKeys_rotate = endpoint({
  id: 'adminOauthKeys_rotate',
  method: 'POST',
  path: '/v0.1/admin/oauth/keys',
  tag: 'signing in',
  summary: 'Rotate the key that signs access tokens, immediately',
  description:
    'Keys rotate automatically every 90 days. Tokens signed with the previous key stay valid until they expire, unless `revoke` is true.',
  access: 'admin',
  effect: 'change',
  request: json(
    Type.Object({
      revoke: Type.Optional(
        Type.Boolean({ description: 'Reject all previous keys, for example because one may have leaked.' }),
      ),
    }),
  ),
  response: json(Type.Object({ kid: Type.String(), created_at: Time }), { status: 201, description: 'The new key.' }),
});

export const adminOidcSubjects_delete = endpoint({
  id: 'adminOidcSubjects_delete',
  method: 'DELETE',
  path: '/v0.1/admin/users/{user_id}/oidc_subject',
  tag: 'signing in',
  summary: 'Unlink a user from the trusted identity provider',
  description: 'The next token with their email links it again.',
  access: 'admin',
  effect: 'change',
  params: Type.Object({ user_id: Uuid }),
  response: empty({ description: 'The user is unlinked.' }),
  errors: [404],
});
