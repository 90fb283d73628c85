import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, Time, Uuid } from '../fields.ts';
import { unpagedListQuery } from '../paging.ts';
import { Type } from '../type.ts';

/** Of both kinds together, counted over what an account has made and not deleted. */
export const API_TOKENS_PER_ACCOUNT = 5000;

const Scope = Type.Enum(['all', 'viewer']);
export type TokenScope = 'all' | 'viewer';

const tokenFields = {
  id: Type.String(),
  description: Type.Optional(Type.String({ description: "The token's name." })),
  scope: Type.Array(Scope, { description: '["all"] is Full Access, ["viewer"] is Read-Only.' }),
  created_at: Time,
  expires_at: Type.Optional(Time),
};

export const ApiToken = Type.Object(
  {
    ...tokenFields,
    last_used_at: Type.Optional(Time),
    last_four: Type.String({ description: "The value's last four characters, to recognise it by." }),
    created_by: Type.String({ description: 'Name of the user who made it.' }),
  },
  { $id: 'ApiToken' },
);

export const NewApiToken = Type.Object(
  { ...tokenFields, api_token: Type.String({ description: 'The value: shown here, once, and never again.' }) },
  { $id: 'NewApiToken' },
);

export const CreateToken = Type.Object({
  description: Type.Optional(Type.String({ maxLength: 200, description: "The token's name." })),
  scope: Type.Optional(
    Type.Array(Scope, {
      minItems: 1,
      maxItems: 2,
      description: 'Full Access if it contains "all" or is absent, else Read-Only.',
    }),
  ),
  expires_at: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'From then on the token is refused; absent: it does not expire. A token that is created with another token expires with that one at the latest.',
    }),
  ),
});

export const tokenSorts = [
  'created_at',
  'description',
  'scope',
  'last_four',
  'created_by',
  'last_used_at',
  'expires_at',
] as const;

/** They are answered whole, as existing clients expect it. */
export const TokensQuery = Type.Object(
  unpagedListQuery(tokenSorts, 'the name, the last four characters or the name of whoever made it'),
);
export const TokenId = Type.String({ minLength: 1, maxLength: 64 });

export const userApiTokens_list = endpoint({
  id: 'userApiTokens_list',
  method: 'GET',
  path: '/v0.1/api_tokens',
  tag: 'api tokens',
  summary: 'Lists the user tokens of the authenticated user',
  access: 'user',
  effect: 'read',
  basic: true,
  query: TokensQuery,
  response: json(Type.Array(ApiToken), {
    description: 'The tokens without their values, newest first unless another order is asked for.',
  }),
});

export const userApiTokens_create = endpoint({
  id: 'userApiTokens_create',
  method: 'POST',
  path: '/v0.1/api_tokens',
  tag: 'api tokens',
  summary: 'Creates a user token and shows its value once',
  description:
    'Full Access has the rights that its user has at the moment of each request; Read-Only reads as a Viewer. An account can hold 5000 tokens, user and app tokens together.',
  access: 'user',
  effect: 'change',
  basic: true,
  request: json(CreateToken),
  response: json(NewApiToken, { status: 201, description: 'The token with its value.' }),
  errors: [409],
});

export const userApiTokens_delete = endpoint({
  id: 'userApiTokens_delete',
  method: 'DELETE',
  path: '/v0.1/api_tokens/{api_token_id}',
  tag: 'api tokens',
  summary: 'Revokes a user token, at once and on every server process',
  access: 'user',
  effect: 'change',
  basic: true,
  params: Type.Object({ api_token_id: TokenId }),
  response: empty({ description: 'The token is revoked.' }),
  errors: [404],
});

export const appApiTokens_list = endpoint({
  id: 'appApiTokens_list',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/api_tokens',
  tag: 'api tokens',
  summary: 'Lists the tokens of an app',
  access: 'app:developer',
  effect: 'read',
  basic: true,
  params: Type.Object(AppPath),
  query: TokensQuery,
  response: json(Type.Array(ApiToken), {
    description: 'The tokens without their values, newest first unless another order is asked for.',
  }),
  errors: [404],
});

export const appApiTokens_create = endpoint({
  id: 'appApiTokens_create',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/api_tokens',
  tag: 'api tokens',
  summary: 'Creates an app token and shows its value once',
  description:
    'Full Access is Manager of this one app, and only Managers create it. Read-Only is Viewer of this one app; Managers and Developers create it.',
  access: 'app:developer',
  effect: 'change',
  raises: [
    {
      to: 'manager',
      when: { field: 'scope', has: 'all' },
      what: 'Full Access',
      refusal: 'Only Managers of the app can create a Full Access token; Developers can create a Read-Only one.',
    },
  ],
  basic: true,
  params: Type.Object(AppPath),
  request: json(CreateToken),
  response: json(NewApiToken, { status: 201, description: 'The token with its value.' }),
  errors: [404, 409],
});

export const appApiTokens_delete = endpoint({
  id: 'appApiTokens_delete',
  method: 'DELETE',
  path: '/v0.1/apps/{owner_name}/{app_name}/api_tokens/{api_token_id}',
  tag: 'api tokens',
  summary: 'Revokes an app token, at once and on every server process',
  description: 'Managers revoke any token of the app, Developers those that they made.',
  access: 'app:developer',
  effect: 'change',
  alsoNeeds: 'manager, for a token that somebody else made',
  basic: true,
  params: Type.Object({ ...AppPath, api_token_id: TokenId }),
  response: empty({ description: 'The token is revoked.' }),
  errors: [404],
});

export const adminUserTokens_list = endpoint({
  id: 'adminUserTokens_list',
  method: 'GET',
  path: '/v0.1/admin/users/{user_id}/api_tokens',
  tag: 'administration',
  summary: 'Lists the API tokens that a user made, user tokens and app tokens',
  access: 'admin',
  effect: 'read',
  params: Type.Object({ user_id: Uuid }),
  query: TokensQuery,
  response: json(
    Type.Array(
      Type.Object({
        ...ApiToken.properties,
        app: Type.Optional(Type.String({ description: 'Whom an app token acts for; absent for a user token.' })),
      }),
    ),
    { description: 'The tokens, newest first, without their values.' },
  ),
  errors: [404],
});

export const adminUserTokens_delete = endpoint({
  id: 'adminUserTokens_delete',
  method: 'DELETE',
  path: '/v0.1/admin/users/{user_id}/api_tokens/{api_token_id}',
  tag: 'administration',
  summary: 'Revokes an API token that a user made, at once and on every server process',
  access: 'admin',
  effect: 'change',
  params: Type.Object({ user_id: Uuid, api_token_id: TokenId }),
  response: empty({ description: 'The token is revoked.' }),
  errors: [404],
});

export const adminUserTokens_deleteAll = endpoint({
  id: 'adminUserTokens_deleteAll',
  method: 'DELETE',
  path: '/v0.1/admin/users/{user_id}/api_tokens',
  tag: 'administration',
  summary: 'Revokes every API token that a user made, user tokens and app tokens',
  access: 'admin',
  effect: 'change',
  params: Type.Object({ user_id: Uuid }),
  response: empty({ description: 'The tokens are revoked.' }),
  errors: [404],
});
