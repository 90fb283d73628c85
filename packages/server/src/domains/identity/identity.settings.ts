import { addresses, flag, integer, isLoopback, list, must, optional, text } from '../../setting-kinds.ts';

export const identitySettings = {
  accessTokenMinutes: integer(
    { variable: 'MOORING_ACCESS_TOKEN_MINUTES', description: 'How long an OAuth access token holds.' },
    60,
    1,
    1440,
  ),
  oauthAudiences: text(
    {
      variable: 'MOORING_OAUTH_AUDIENCES',
      description:
        'Addresses, with commas, that clients may name as `resource` beside the public URL, such as `https://management.azure.com/`.',
    },
    '',
    addresses,
  ),
  oidcIssuer: optional(
    {
      variable: 'MOORING_OIDC_ISSUER',
      description:
        'An identity provider whose access tokens are taken too: the issuer exactly as its discovery document has it.',
    },
    (value) => {
      const url = URL.canParse(value) ? new URL(value) : undefined;
      const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url));
      must(isSafe && url?.search === '' && url.hash === '', 'an https address such as https://login.example.com/realm');
      return value;
    },
  ),
  oidcAudience: optional(
    {
      variable: 'MOORING_OIDC_AUDIENCE',
      description: 'Audiences, with commas, that the tokens of that provider must be made for, one of them at least.',
    },
    (value) => {
      must(list(value).length > 0, 'one audience at least');
      return list(value);
    },
  ),
  oidcTrustEmail: flag(
    {
      variable: 'MOORING_OIDC_TRUST_EMAIL',
      description:
        'Finds people by the e-mail, `upn` or `preferred_username` of that provider even if it does not say `email_verified`.',
    },
    false,
  ),
};
