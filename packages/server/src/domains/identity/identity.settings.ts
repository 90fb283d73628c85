import {
  addresses,
  flag,
  integer,
  isLoopback,
  list,
  must,
  optional,
  type SettingValues,
  text,
} from '../../setting-kinds.ts';

export const identitySettings = {
  accessTokenMinutes: integer(
    { variable: 'MOORING_ACCESS_TOKEN_MINUTES', description: 'How long an OAuth access token is valid.' },
    60,
    1,
    1440,
  ),
  oauthAudiences: text(
    {
      variable: 'MOORING_OAUTH_AUDIENCES',
      description:
        'Comma-separated URLs that clients may send as `resource` besides the public URL, such as `https://management.azure.com/`.',
    },
    '',
    addresses,
  ),
  oidcIssuer: optional(
    {
      variable: 'MOORING_OIDC_ISSUER',
      togetherWith: 'MOORING_OIDC_AUDIENCE',
      description:
        'External identity provider whose access tokens are accepted too: the issuer exactly as in its discovery document.',
    },
    (value) => {
      const url = URL.canParse(value) ? new URL(value) : undefined;
      const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url));
      must(isSafe && url?.search === '' && url.hash === '', 'an https URL such as https://login.example.com/realm');
      return value;
    },
  ),
  oidcAudience: optional(
    {
      variable: 'MOORING_OIDC_AUDIENCE',
      description:
        'Comma-separated audiences; an access token of that provider must be issued for at least one of them.',
    },
    (value) => {
      must(list(value).length > 0, 'at least one audience');
      return list(value);
    },
  ),
  oidcTrustEmail: flag(
    {
      variable: 'MOORING_OIDC_TRUST_EMAIL',
      description:
        'Finds users by the email address, `upn` or `preferred_username` of that provider even without `email_verified`.',
    },
    false,
  ),
};

declare module '../../config.ts' {
  interface Config extends SettingValues<typeof identitySettings> {}
}
