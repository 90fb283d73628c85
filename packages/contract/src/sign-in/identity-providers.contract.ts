import { empty, endpoint, json } from '../endpoint/index.ts';
import { DisplayName, Time } from '../fields.ts';
import { Type } from '../type.ts';

export const PROVIDER_NAME_PATTERN = '^[a-z0-9][a-z0-9-]{0,39}$';
const ProviderName = Type.String({
  pattern: PROVIDER_NAME_PATTERN,
  description: 'Part of its addresses: lower-case letters, digits and "-", at most 40 characters.',
});

const Domain = Type.String({
  minLength: 1,
  maxLength: 253,
  pattern: '^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$',
});

const fields = {
  display_name: DisplayName,
  issuer: Type.String({
    minLength: 1,
    maxLength: 1000,
    description:
      'The issuer, exactly as in its discovery document. It must use https; http is accepted only for a loopback address in MOORING_OUTBOUND_ALLOW.',
  }),
  client_id: Type.String({ minLength: 1, maxLength: 500, description: 'The ID of this server at the provider.' }),
  scopes: Type.Array(Type.String({ pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,200}$' }), {
    maxItems: 20,
    description: 'The requested scopes; `openid` is always requested.',
  }),
  allowed_domains: Type.Array(Domain, {
    maxItems: 100,
    description:
      'If not empty, only people whose email address is in one of these domains may sign in. The domains belong to the provider: a sign-in rule applies to their accounts.',
  }),
  creates_accounts: Type.Boolean({ description: 'Whether people without an account get one at their first sign-in.' }),
  trusts_email: Type.Boolean({
    description:
      'Whether its email addresses count as verified without `email_verified`. Enable it only if people cannot change their address at the provider.',
  }),
  groups_claim: Type.String({
    pattern: '^[\\x21-\\x7e]{1,200}$',
    description: 'The claim with the groups of a person, for group mappings (default: `groups`).',
  }),
  signs_out: Type.Boolean({
    description:
      'Whether signing out in the console also signs out at the provider. Register the sign-in page of this server there as post-logout redirect URI.',
  }),
  is_enabled: Type.Boolean({ description: 'Whether people can sign in with it.' }),
};

const ClientSecret = Type.String({
  maxLength: 1000,
  description:
    'The secret of this server at the provider; never returned. Omit it to keep the current one, send an empty text for a client without a secret. A text of asterisks is ignored.',
});

export const IdentityProvider = Type.Object(
  {
    name: ProviderName,
    ...fields,
    has_client_secret: Type.Boolean(),
    redirect_uri: Type.String({ description: 'The redirect URI to register at the provider.' }),
    is_from_settings: Type.Boolean({
      description: "True for the provider of MOORING_SSO_ISSUER, which can't be changed here.",
    }),
    created_at: Type.Optional(Time),
  },
  { $id: 'IdentityProvider' },
);

const ProviderPath = Type.Object({ provider_name: Type.String({ minLength: 1, maxLength: 100 }) });

export const adminIdentityProviders_list = endpoint({
  id: 'adminIdentityProviders_list',
  method: 'GET',
  path: '/v0.1/admin/identity_providers',
  tag: 'signing in',
  summary: 'List the identity providers that people can sign in with',
  access: 'admin',
  effect: 'read',
  response: json(Type.Array(IdentityProvider), { description: 'By name; the one from the settings first.' }),
});

export const adminIdentityProviders_create = endpoint({
  id: 'adminIdentityProviders_create',
  needsUnlimited: true,
  method: 'POST',
  path: '/v0.1/admin/identity_providers',
  tag: 'signing in',
  summary: 'Add an identity provider',
  description: 'An OpenID Connect provider. Register the returned redirect_uri there.',
  access: 'admin',
  effect: 'change',
  request: json(
    Type.Object({
      name: ProviderName,
      display_name: fields.display_name,
      issuer: fields.issuer,
      client_id: fields.client_id,
      client_secret: Type.Optional(ClientSecret),
      scopes: Type.Optional(fields.scopes),
      allowed_domains: Type.Optional(fields.allowed_domains),
      creates_accounts: Type.Optional(fields.creates_accounts),
      trusts_email: Type.Optional(fields.trusts_email),
      groups_claim: Type.Optional(fields.groups_claim),
      signs_out: Type.Optional(fields.signs_out),
      is_enabled: Type.Optional(fields.is_enabled),
    }),
  ),
  response: json(IdentityProvider, { status: 201, description: 'The provider.' }),
  errors: [409],
});

export const adminIdentityProviders_update = endpoint({
  id: 'adminIdentityProviders_update',
  needsUnlimited: true,
  method: 'PATCH',
  path: '/v0.1/admin/identity_providers/{provider_name}',
  tag: 'signing in',
  summary: 'Update an identity provider',
  description: 'A new issuer or client_id needs its client_secret, too.',
  access: 'admin',
  effect: 'change',
  params: ProviderPath,
  request: json(
    Type.Object({
      display_name: Type.Optional(fields.display_name),
      issuer: Type.Optional(fields.issuer),
      client_id: Type.Optional(fields.client_id),
      client_secret: Type.Optional(ClientSecret),
      scopes: Type.Optional(fields.scopes),
      allowed_domains: Type.Optional(fields.allowed_domains),
      creates_accounts: Type.Optional(fields.creates_accounts),
      trusts_email: Type.Optional(fields.trusts_email),
      groups_claim: Type.Optional(fields.groups_claim),
      signs_out: Type.Optional(fields.signs_out),
      is_enabled: Type.Optional(fields.is_enabled),
    }),
  ),
  response: json(IdentityProvider, { description: 'The updated provider.' }),
  errors: [404, 409],
});

export const adminIdentityProviders_delete = endpoint({
  id: 'adminIdentityProviders_delete',
  method: 'DELETE',
  path: '/v0.1/admin/identity_providers/{provider_name}',
  tag: 'signing in',
  summary: 'Delete an identity provider',
  description: 'People keep their accounts and their open sessions, but can no longer sign in with it.',
  access: 'admin',
  effect: 'change',
  params: ProviderPath,
  response: empty({ description: 'The provider is deleted.' }),
  errors: [404, 409],
});
