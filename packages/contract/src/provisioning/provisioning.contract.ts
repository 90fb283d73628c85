import { empty, endpoint, json } from '../endpoint/index.ts';
import { OrgPath, Time } from '../fields.ts';
import { Type } from '../type.ts';

export const SCIM_TOKENS_MAX = 10;
export const ORG_DOMAINS_MAX = 50;

const OrgParams = Type.Object(OrgPath);
const Domain = Type.String({
  maxLength: 253,
  pattern: '^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$',
});
const Domains = Type.Object(
  { domains: Type.Array(Domain, { maxItems: ORG_DOMAINS_MAX, description: 'Domains of email addresses.' }) },
  { $id: 'OrganizationDomains' },
);

const tokenFields = {
  id: Type.String(),
  description: Type.Optional(Type.String({ description: "The token's name." })),
  created_at: Time,
};

export const ScimToken = Type.Object(
  {
    ...tokenFields,
    last_four: Type.String({ description: 'The last four characters of the value, to recognize the token.' }),
    last_used_at: Type.Optional(Time),
    created_by: Type.Optional(Type.String({ description: 'The admin who created the token.' })),
  },
  { $id: 'ScimToken' },
);

const common = { tag: 'provisioning', params: OrgParams } as const;

export const orgProvisioning_get = endpoint({
  ...common,
  id: 'orgProvisioning_get',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/provisioning',
  summary: 'Get the SCIM URL of an organization, its domains, and the number of users and groups in its directory',
  access: 'org:admin',
  effect: 'read',
  response: json(
    Type.Object(
      {
        base_url: Type.String({ description: 'The URL to enter in the identity provider.' }),
        domains: Type.Array(Type.String(), { description: 'The domains whose accounts the directory manages.' }),
        users: Type.Integer(),
        groups: Type.Integer(),
      },
      { $id: 'OrganizationProvisioning' },
    ),
    { description: 'The state.' },
  ),
});

export const orgScimTokens_list = endpoint({
  ...common,
  id: 'orgScimTokens_list',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/provisioning/tokens',
  summary: 'List the SCIM tokens of an organization',
  access: 'org:admin',
  effect: 'read',
  response: json(Type.Array(ScimToken), { description: 'The tokens without their values, newest first.' }),
});

export const orgScimTokens_create = endpoint({
  ...common,
  id: 'orgScimTokens_create',
  method: 'POST',
  path: '/v0.1/orgs/{org_name}/provisioning/tokens',
  summary: 'Create a SCIM token; its value is shown once',
  description: `The token works only at the SCIM URL of this organization. An organization has at most ${SCIM_TOKENS_MAX}.`,
  access: 'org:admin',
  effect: 'change',
  needsUnlimited: true,
  confirms: true,
  request: json(
    Type.Object({ description: Type.Optional(Type.String({ maxLength: 200, description: "The token's name." })) }),
  ),
  response: json(
    Type.Object(
      { ...tokenFields, scim_token: Type.String({ description: 'The value of the token. Shown only once.' }) },
      { $id: 'NewScimToken' },
    ),
    { status: 201, description: 'The token with its value.' },
  ),
  errors: [409],
});

export const orgScimTokens_delete = endpoint({
  ...common,
  id: 'orgScimTokens_delete',
  method: 'DELETE',
  path: '/v0.1/orgs/{org_name}/provisioning/tokens/{scim_token_id}',
  summary: 'Revoke a SCIM token; it stops working immediately on all server processes',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object({ ...OrgPath, scim_token_id: Type.String({ minLength: 1, maxLength: 64 }) }),
  response: empty({ description: 'The token is revoked.' }),
  errors: [404],
});

export const adminOrgDomains_get = endpoint({
  ...common,
  id: 'adminOrgDomains_get',
  method: 'GET',
  path: '/v0.1/admin/orgs/{org_name}/domains',
  summary: 'Get the email domains of an organization',
  access: 'admin',
  effect: 'read',
  response: json(Domains, { description: 'The domains, from A to Z.' }),
  errors: [404],
});

export const adminOrgDomains_set = endpoint({
  ...common,
  id: 'adminOrgDomains_set',
  method: 'PUT',
  path: '/v0.1/admin/orgs/{org_name}/domains',
  summary: 'Set the email domains of an organization',
  description:
    'The directory of an organization creates, renames and disables accounts with addresses in its domains, except those of administrators of this server. A domain belongs to at most one organization. Setting it vouches that the organization owns the domain.',
  access: 'admin',
  effect: 'change',
  needsUnlimited: true,
  request: json(Domains),
  response: json(Domains, { description: 'The domains, from A to Z.' }),
  errors: [404, 409],
});
