import { empty, endpoint, json } from '../endpoint/index.ts';
import { Time, Uuid } from '../fields.ts';
import { Type } from '../type.ts';

const ClientName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description: 'People see it when they are asked.',
});
const RedirectUris = Type.Array(Type.String({ minLength: 1, maxLength: 2000 }), {
  minItems: 1,
  maxItems: 20,
  description:
    'Where answers may be sent: https, or http on the loopback (localhost, 127.0.0.1, [::1]), without a fragment. Compared character by character; on the loopback any port will do.',
});
const AllowsImplicit = Type.Boolean({
  description:
    'The flow: false allows only an authorization code with PKCE (response_type=code), true also the implicit flow (response_type=token), for clients that cannot use a code.',
});

export const OauthClient = Type.Object(
  {
    client_id: Uuid,
    name: Type.String(),
    redirect_uris: Type.Array(Type.String()),
    allows_implicit: Type.Boolean(),
    is_built_in: Type.Boolean({ description: 'Comes with the server and cannot be changed.' }),
    created_at: Type.Optional(Time),
  },
  { $id: 'OauthClient' },
);

export const OauthConsent = Type.Object(
  { client_id: Uuid, client_name: Type.String(), granted_at: Time },
  { $id: 'OauthConsent', description: 'That you let a client act for you.' },
);

const AuthorizeQuery = Type.String({
  minLength: 1,
  maxLength: 8000,
  description: 'The query with which the client asked at /common/oauth2/authorize.',
});

const ClientPath = Type.Object({ client_id: Uuid });

export const oauthRequests_get = endpoint({
  id: 'oauthRequests_get',
  method: 'GET',
  path: '/v0.1/oauth/request',
  tag: 'signing in',
  summary: 'Tells what a client asks for, for the page that asks the person',
  access: 'user',
  effect: 'read',
  query: Type.Object({ request: AuthorizeQuery }),
  response: json(
    Type.Object({
      client_id: Uuid,
      client_name: Type.String(),
      redirect_uri: Type.String(),
      permissions: Type.Array(Type.String(), { description: 'What the client will be able to do, in words.' }),
    }),
    { description: 'Who asks, and where the answer goes.' },
  ),
});

export const oauthConsents_list = endpoint({
  id: 'oauthConsents_list',
  method: 'GET',
  path: '/v0.1/oauth/consents',
  tag: 'signing in',
  summary: 'Lists the clients that may act for the authenticated user',
  access: 'user',
  effect: 'read',
  response: json(Type.Array(OauthConsent), { description: 'Newest first.' }),
});

export const oauthConsents_answer = endpoint({
  id: 'oauthConsents_answer',
  method: 'POST',
  path: '/v0.1/oauth/consents',
  tag: 'signing in',
  summary: 'Lets a client act for the authenticated user, or refuses it',
  access: 'user',
  effect: 'change',
  request: json(Type.Object({ request: AuthorizeQuery, is_allowed: Type.Boolean() })),
  response: json(Type.Object({ location: Type.String() }), { description: 'Where the browser goes next.' }),
});

export const oauthConsents_delete = endpoint({
  id: 'oauthConsents_delete',
  method: 'DELETE',
  path: '/v0.1/oauth/consents/{client_id}',
  tag: 'signing in',
  summary: 'Takes back what was allowed to a client',
  description: 'The access tokens that it has are refused from the next request on.',
  access: 'user',
  effect: 'change',
  params: ClientPath,
  response: empty({ description: 'It may no longer act for you.' }),
  errors: [404],
});

export const adminOauthClients_list = endpoint({
  id: 'adminOauthClients_list',
  method: 'GET',
  path: '/v0.1/admin/oauth_clients',
  tag: 'signing in',
  summary: 'Lists the clients that people can sign in to',
  access: 'admin',
  effect: 'read',
  response: json(Type.Array(OauthClient), { description: 'Those that come with the server first.' }),
});

export const adminOauthClients_create = endpoint({
  id: 'adminOauthClients_create',
  method: 'POST',
  path: '/v0.1/admin/oauth_clients',
  tag: 'signing in',
  summary: 'Registers a client',
  description: 'A public client, without a secret. The flow must be chosen, as any other is refused later.',
  access: 'admin',
  effect: 'change',
  request: json(
    Type.Object({
      name: ClientName,
      redirect_uris: RedirectUris,
      allows_implicit: AllowsImplicit,
    }),
  ),
  response: json(OauthClient, { status: 201, description: 'The client with its id.' }),
  errors: [409],
});

export const adminOauthClients_update = endpoint({
  id: 'adminOauthClients_update',
  method: 'PATCH',
  path: '/v0.1/admin/oauth_clients/{client_id}',
  tag: 'signing in',
  summary: 'Changes a client',
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
  response: json(OauthClient, { description: 'The client as it is now.' }),
  errors: [404, 409],
});

export const adminOauthClients_delete = endpoint({
  id: 'adminOauthClients_delete',
  method: 'DELETE',
  path: '/v0.1/admin/oauth_clients/{client_id}',
  tag: 'signing in',
  summary: 'Removes a client',
  description: 'The access tokens that it has are refused from the next request on.',
  access: 'admin',
  effect: 'change',
  params: ClientPath,
  response: empty({ description: 'Nobody can sign in to it any more.' }),
  errors: [404, 409],
});

export const adminOauthKeys_rotate = endpoint({
  id: 'adminOauthKeys_rotate',
  method: 'POST',
  path: '/v0.1/admin/oauth/keys',
  tag: 'signing in',
  summary: 'Makes a new key that signs access tokens, at once',
  description:
    'Happens by itself every 90 days. Tokens that the former key signed hold until they expire, unless `revoke` is true.',
  access: 'admin',
  effect: 'change',
  request: json(
    Type.Object({
      revoke: Type.Optional(
        Type.Boolean({ description: 'The former keys are no longer believed, because one may have leaked.' }),
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
  summary: 'Forgets who a user is to the trusted identity provider',
  description: 'The next token with their e-mail decides anew.',
  access: 'admin',
  effect: 'change',
  params: Type.Object({ user_id: Uuid }),
  response: empty({ description: 'Forgotten.' }),
  errors: [404],
});
