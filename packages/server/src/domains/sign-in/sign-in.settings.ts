import { readFileSync } from 'node:fs';
import { PROVIDER_NAME_PATTERN } from '@mooring/contract';
import { flag, list, must, optional, readableFile, type SettingValues, text } from '../../setting-kinds.ts';

export const signInSettings = {
  ssoIssuer: optional(
    {
      variable: 'MOORING_SSO_ISSUER',
      togetherWith: 'MOORING_SSO_CLIENT_ID',
      description:
        'Identity provider (OpenID Connect) that people sign in with: the issuer exactly as in its discovery document. It must use https; http is accepted only for a loopback address in MOORING_OUTBOUND_ALLOW.',
    },
    (value) => {
      const url = URL.canParse(value) ? new URL(value) : undefined;
      const isUrl = url?.protocol === 'https:' || url?.protocol === 'http:';
      must(isUrl && !/[?#@]/.test(value), 'an https URL such as https://login.example.com/realm');
      return value;
    },
  ),
  ssoClientId: optional(
    {
      variable: 'MOORING_SSO_CLIENT_ID',
      togetherWith: 'MOORING_SSO_ISSUER',
      description: 'ID of this server at that provider.',
    },
    (value) => value,
  ),
  ssoClientSecret: optional(
    {
      variable: 'MOORING_SSO_CLIENT_SECRET',
      description: 'Secret of this server at that provider. Unset for a client without a secret.',
      secret: true,
    },
    (value) => value,
  ),
  ssoClientSecretFile: optional(
    {
      variable: 'MOORING_SSO_CLIENT_SECRET_FILE',
      description: 'File that contains this secret, instead of MOORING_SSO_CLIENT_SECRET.',
    },
    (value) => {
      const file = readableFile(value);
      must(readFileSync(file, 'utf8').trim() !== '', 'the path of a file that contains the secret');
      return file;
    },
  ),
  ssoName: text(
    {
      variable: 'MOORING_SSO_NAME',
      description:
        'Name of that provider in addresses: its redirect URI is `/auth/oidc/<name>/callback`. The sign-in page shows it, too.',
    },
    'sso',
    (value) => {
      must(new RegExp(PROVIDER_NAME_PATTERN).test(value), 'lower-case letters, digits and "-", at most 40 characters');
      return value;
    },
  ),
  ssoScopes: text(
    { variable: 'MOORING_SSO_SCOPES', description: 'Comma-separated scopes that are requested besides `openid`.' },
    'profile,email',
    (value) => {
      must(!/[^\x21\x23-\x5b\x5d-\x7e ]/.test(value), 'comma-separated scopes, such as profile,email');
      return list(value);
    },
  ),
  ssoAllowedDomains: text(
    {
      variable: 'MOORING_SSO_ALLOWED_DOMAINS',
      description:
        'Comma-separated email domains of that provider. If set, only people whose address is in one of them may sign in with it.',
    },
    '',
    (value) => {
      const domains = list(value.toLowerCase());
      must(
        domains.every((domain) => /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(domain)),
        'comma-separated domains, such as example.com',
      );
      return domains;
    },
  ),
  ssoCreateAccounts: flag(
    {
      variable: 'MOORING_SSO_CREATE_ACCOUNTS',
      description: 'Whether people of that provider without an account get one when they first sign in.',
    },
    false,
  ),
  ssoGroupsClaim: text(
    {
      variable: 'MOORING_SSO_GROUPS_CLAIM',
      description: 'Claim of that provider with the groups of a person, for group mappings.',
    },
    'groups',
    (value) => {
      must(/^[\x21-\x7e]{1,200}$/.test(value), 'the name of a claim, such as groups');
      return value;
    },
  ),
  ssoSignOut: flag(
    {
      variable: 'MOORING_SSO_SIGN_OUT',
      description:
        'Whether signing out in the console also signs out at that provider. Register `<public URL>/sign-in` there as post-logout redirect URI.',
    },
    false,
  ),
  ssoTrustEmail: flag(
    {
      variable: 'MOORING_SSO_TRUST_EMAIL',
      description:
        'Whether email addresses of that provider count as verified without `email_verified`. Only for providers where people cannot change their address.',
    },
    false,
  ),
};

declare module '../../config.ts' {
  interface Config extends SettingValues<typeof signInSettings> {}
}
