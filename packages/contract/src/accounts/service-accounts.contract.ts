import { empty, endpoint, json } from '../endpoint/index.ts';
import { DisplayName, OrgPath, OwnerName, PathName, Time, Uuid } from '../fields.ts';
import { unpagedListQuery } from '../paging.ts';
import { orgRoles } from '../permissions.ts';
import { ApiToken, CreateToken, NewApiToken, TokenId, TokensQuery } from '../tokens/api-tokens.contract.ts';
import { Type } from '../type.ts';

const Role = Type.Enum([...orgRoles]);

export const ServiceAccount = Type.Object(
  { id: Uuid, name: Type.String(), display_name: Type.String(), role: Role, created_at: Time },
  { $id: 'ServiceAccount', description: 'A member of an organization that is no person: it acts by its tokens only.' },
);

const AccountPath = { ...OrgPath, account_name: PathName };

export const serviceAccounts_list = endpoint({
  id: 'serviceAccounts_list',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/service_accounts',
  tag: 'service accounts',
  summary: 'Lists the service accounts of an organization',
  access: 'org:admin',
  effect: 'read',
  params: Type.Object(OrgPath),
  query: Type.Object(unpagedListQuery(['name', 'display_name', 'role', 'created_at'], 'the name or the display name')),
  response: json(Type.Array(ServiceAccount), { description: 'By name, unless another order is asked for.' }),
  errors: [404],
});

export const serviceAccounts_create = endpoint({
  id: 'serviceAccounts_create',
  method: 'POST',
  path: '/v0.1/orgs/{org_name}/service_accounts',
  tag: 'service accounts',
  summary: 'Creates a service account',
  description: 'It is a member like any other: change its role, give it apps and teams. Nobody can sign in as it.',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(OrgPath),
  request: json(
    Type.Object({
      display_name: DisplayName,
      name: Type.Optional(OwnerName),
      role: Type.Optional(Type.Enum([...orgRoles], { description: 'collaborator if absent.' })),
    }),
  ),
  response: json(ServiceAccount, { status: 201, description: 'The new account.' }),
  errors: [404, 409],
});

export const serviceAccounts_delete = endpoint({
  id: 'serviceAccounts_delete',
  method: 'DELETE',
  path: '/v0.1/orgs/{org_name}/service_accounts/{account_name}',
  tag: 'service accounts',
  summary: 'Deletes a service account and its tokens',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(AccountPath),
  response: empty({ description: 'It is gone, and its tokens are refused from the next request on.' }),
  errors: [404, 409],
});

export const serviceAccountTokens_list = endpoint({
  id: 'serviceAccountTokens_list',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/service_accounts/{account_name}/api_tokens',
  tag: 'service accounts',
  summary: 'Lists the tokens of a service account',
  access: 'org:admin',
  effect: 'read',
  params: Type.Object(AccountPath),
  query: TokensQuery,
  response: json(Type.Array(ApiToken), {
    description: 'The tokens without their values, newest first unless another order is asked for.',
  }),
  errors: [404],
});

export const serviceAccountTokens_create = endpoint({
  id: 'serviceAccountTokens_create',
  method: 'POST',
  path: '/v0.1/orgs/{org_name}/service_accounts/{account_name}/api_tokens',
  tag: 'service accounts',
  summary: 'Creates a token that acts as the service account, and shows its value once',
  description: 'It goes on working when the person who made it leaves. The account has 5000 tokens of its own.',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(AccountPath),
  request: json(CreateToken),
  response: json(NewApiToken, { status: 201, description: 'The token with its value.' }),
  errors: [404, 409],
});

export const serviceAccountTokens_delete = endpoint({
  id: 'serviceAccountTokens_delete',
  method: 'DELETE',
  path: '/v0.1/orgs/{org_name}/service_accounts/{account_name}/api_tokens/{api_token_id}',
  tag: 'service accounts',
  summary: 'Revokes a token of a service account, at once and on every server process',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object({ ...AccountPath, api_token_id: TokenId }),
  response: empty({ description: 'The token is revoked.' }),
  errors: [404],
});
