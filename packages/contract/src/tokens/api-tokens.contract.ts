import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, Time, Uuid } from '../fields.ts';
import { unpagedListQuery } from '../paging.ts';
import { Type } from '../type.ts';
import { type TokenPermission, tokenPermissions } from './token-permissions.ts';

/** The maximum for an account, of user and app tokens together. Deleted tokens do not count. */
export const API_TOKENS_PER_ACCOUNT = 5000;

export type TokenScope = 'all' | 'viewer';
export type TokenScopeValue = TokenScope | TokenPermission;
const Scope = Type.Enum(['all', 'viewer', ...tokenPermissions] as TokenScopeValue[]);

const Names = (what: string, maxItems: number, maxLength: number) =>
  Type.Array(Type.String({ minLength: 1, maxLength }), { minItems: 1, maxItems, description: what });

/** Limits of a token, beside its scope. */
const limits = {
  apps: Type.Optional(Names('The only apps that the token works for, each as owner/name.', 100, 201)),
  deployments: Type.Optional(
    Names(
      'The only CodePush deployments that the token works for, by name. Other operations of CodePush are refused.',
      100,
      100,
    ),
  ),
  networks: Type.Optional(
    Names('The only networks that the token works from, each an IP address or CIDR such as 10.0.0.0/8.', 20, 50),
  ),
  not_before: Type.Optional(
    Type.String({ format: 'date-time', description: 'The token works only from this time on.' }),
  ),
};

const tokenFields = {
  id: Type.String(),
  description: Type.Optional(Type.String({ description: "The token's name." })),
  scope: Type.Array(Scope, {
    description:
      '["all"] is Full Access, ["viewer"] is Read-Only, all others are permissions such as "releases:write".',
  }),
  created_at: Time,
  expires_at: Type.Optional(Time),
  ...limits,
};

export const ApiToken = Type.Object(
  {
    ...tokenFields,
    last_used_at: Type.Optional(Time),
    last_used_from: Type.Optional(Type.String({ description: 'The IP address of the last use.' })),
    last_four: Type.String({ description: 'The last four characters of the value, to recognize the token.' }),
    created_by: Type.String({ description: 'The user who created the token.' }),
  },
  { $id: 'ApiToken' },
);

export const NewApiToken = Type.Object(
  { ...tokenFields, api_token: Type.String({ description: 'The value of the token. Shown only once.' }) },
  { $id: 'NewApiToken' },
);

export const CreateToken = Type.Object({
  description: Type.Optional(Type.String({ maxLength: 200, description: "The token's name." })),
  scope: Type.Optional(
    Type.Array(Scope, {
      minItems: 1,
      maxItems: 100,
      description:
        'Full Access if it contains "all" or is omitted, Read-Only if it is ["viewer"]. Otherwise the permissions of the token, each an area and an action; all include reading in their area.',
    }),
  ),
  expires_at: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'When the token expires (default: never). A token that is created with another token expires with that one at the latest, and has its limits.',
    }),
  ),
  ...limits,
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

/** Existing clients expect lists without pages. */
export const TokensQuery = Type.Object(
  unpagedListQuery(tokenSorts, 'the name, the last four characters or the creator'),
);
export const TokenId = Type.String({ minLength: 1, maxLength: 64 });

export const userApiTokens_list = endpoint({
  id: 'userApiTokens_list',
  method: 'GET',
  path: '/v0.1/api_tokens',
  tag: 'api tokens',
  summary: 'List the user tokens of the authenticated user',
  access: 'user',
  effect: 'read',
  basic: true,
  query: TokensQuery,
  response: json(Type.Array(ApiToken), {
    description: 'The tokens without their values, newest first by default.',
  }),
});

export const userApiTokens_create = endpoint({
  id: 'userApiTokens_create',
  method: 'POST',
  path: '/v0.1/api_tokens',
  tag: 'api tokens',
  summary: 'Create a user token; its value is shown once',
  description:
    'Full Access has the rights of its user at the time of each request. Read-Only reads as a Viewer. Permissions and limits narrow the rights of the user further. An account can have 5000 tokens, user and app tokens together.',
  access: 'user',
  effect: 'change',
  confirms: true,
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
  summary: 'Revoke a user token; it stops working immediately on all server processes',
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
  summary: 'List the tokens of an app',
  access: 'app:developer',
  effect: 'read',
  basic: true,
  params: Type.Object(AppPath),
  query: TokensQuery,
  response: json(Type.Array(ApiToken), {
    description: 'The tokens without their values, newest first by default.',
  }),
  errors: [404],
});

export const appApiTokens_create = endpoint({
  id: 'appApiTokens_create',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/api_tokens',
  tag: 'api tokens',
  summary: 'Create an app token; its value is shown once',
  description:
    'Full Access acts as Manager of this app; only Managers can create it. Read-Only acts as Viewer of this app; Managers and Developers can create it.',
  access: 'app:developer',
  effect: 'change',
  confirms: true,
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
  summary: 'Revoke an app token; it stops working immediately on all server processes',
  description: 'Managers revoke any token of the app, Developers only their own.',
  access: 'app:developer',
  effect: 'change',
  alsoNeeds: 'manager, for a token that another user created',
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
  summary: 'List the API tokens that a user created, user tokens and app tokens',
  access: 'admin',
  effect: 'read',
  params: Type.Object({ user_id: Uuid }),
  query: TokensQuery,
  response: json(
    Type.Array(
      Type.Object({
        ...ApiToken.properties,
        app: Type.Optional(
          Type.String({ description: 'The app that an app token acts for. Absent for a user token.' }),
        ),
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
  summary: 'Revoke an API token that a user created; it stops working immediately on all server processes',
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
  summary: 'Revoke all API tokens that a user created, user tokens and app tokens',
  access: 'admin',
  effect: 'change',
  params: Type.Object({ user_id: Uuid }),
  response: empty({ description: 'The tokens are revoked.' }),
  errors: [404],
});
