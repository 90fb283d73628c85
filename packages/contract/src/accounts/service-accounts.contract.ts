import { empty, endpoint, json } from '../endpoint/index.ts';
import { DisplayName, OrgPath, OwnerName, PathName, Time, Uuid } from '../fields.ts';
import { unpagedListQuery } from '../paging.ts';
import { orgRoles } from '../permissions.ts';
import { ApiToken, CreateToken, NewApiToken, TokenId, TokensQuery } from '../tokens/api-tokens.contract.ts';
import { Type } from '../type.ts';

const Role = Type.Enum([...orgRoles]);

export const ServiceAccount = Type.Object(
  { id: Uuid, name: Type.String(), display_name: Type.String(), role: Role, created_at: Time },
  {
    $id: 'ServiceAccount',
    description: "A member of an organization for automation: it acts through its tokens and can't sign in.",
  },
);

const AccountPath = { ...OrgPath, account_name: PathName };

export const serviceAccounts_list = endpoint({
  id: 'serviceAccounts_list',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/service_accounts',
  tag: 'service accounts',
  summary: 'List the service accounts of an organization',
  access: 'org:admin',
  effect: 'read',
  params: Type.Object(OrgPath),
  query: Type.Object(unpagedListQuery(['name', 'display_name', 'role', 'created_at'], 'the name or the display name')),
  response: json(Type.Array(ServiceAccount), { description: 'The service accounts, sorted by name by default.' }),
  errors: [404],
});

export const serviceAccounts_create = endpoint({
  id: 'serviceAccounts_create',
  method: 'POST',
  path: '/v0.1/orgs/{org_name}/service_accounts',
  tag: 'service accounts',
  summary: 'Create a service account',
  description:
    'A service account is a member like any other: you can change its role and add it to apps and teams. No one can sign in as it.',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(OrgPath),
  request: json(
    Type.Object({
      display_name: DisplayName,
      name: Type.Optional(OwnerName),
      role: Type.Optional(
        Type.Enum([...orgRoles], { description: 'The role in the organization (default: collaborator).' }),
      ),
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
  summary: 'Delete a service account and its tokens',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(AccountPath),
  response: empty({ description: 'The service account is deleted. Its tokens stop working immediately.' }),
  errors: [404, 409],
});

export const serviceAccountTokens_list = endpoint({
  id: 'serviceAccountTokens_list',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/service_accounts/{account_name}/api_tokens',
  tag: 'service accounts',
  summary: 'List the tokens of a service account',
  access: 'org:admin',
  effect: 'read',
  params: Type.Object(AccountPath),
  query: TokensQuery,
  response: json(Type.Array(ApiToken), {
    description: 'The tokens without their values, newest first by default.',
  }),
  errors: [404],
});

export const serviceAccountTokens_create = endpoint({
  id: 'serviceAccountTokens_create',
  method: 'POST',
  path: '/v0.1/orgs/{org_name}/service_accounts/{account_name}/api_tokens',
  tag: 'service accounts',
  summary: 'Create a token for a service account; its value is shown once',
  description: 'The token keeps working when the user who created it leaves. A service account can have 5000 tokens.',
  access: 'org:admin',
  effect: 'change',
  confirms: true,
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
  summary: 'Revoke a token of a service account; it stops working immediately on all server processes',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object({ ...AccountPath, api_token_id: TokenId }),
  response: empty({ description: 'The token is revoked.' }),
  errors: [404],
});
