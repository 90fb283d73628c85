import { endpoint, form, json, redirect } from '../endpoint/index.ts';
import { Type } from '../type.ts';

/** Called by clients and their libraries, which find the URLs in the discovery document. */
const common = { tag: 'signing in', access: 'public', effect: 'read' } as const;

/** Validated one by one in the handler, so that each error has the code of the standard. */
const unchecked = (description: string) => Type.Optional(Type.Unknown({ description }));

export const oauth_authorize = endpoint({
  ...common,
  id: 'oauth_authorize',
  method: 'GET',
  path: '/common/oauth2/authorize',
  summary: "Request a user's consent for a client to act for them",
  description:
    'For browsers. Redirects to the sign-in page, to the consent page, or back to the client with the result. If the redirect_uri is invalid, a page explains the error.',
  query: Type.Object({
    client_id: unchecked('The ID of the client.'),
    response_type: unchecked('`code`, with PKCE, or `token` if the client may use it.'),
    redirect_uri: unchecked('Where to send the result: a registered redirect URL of the client.'),
    scope: unchecked('`user_impersonation`.'),
    state: unchecked('Returned with the result.'),
    code_challenge: unchecked('For `code`: the SHA-256 of the verifier, in base64url.'),
    code_challenge_method: unchecked('`S256`.'),
    response_mode: unchecked('`query` or `fragment`.'),
    resource: unchecked('The resource that the token is for.'),
    prompt: unchecked('`none`, `login` or `consent`.'),
    login_hint: unchecked('The user who is expected to sign in.'),
  }),
  response: redirect({ description: 'The next URL for the browser.' }),
  errorShape: 'page',
  errors: [400],
});

export const oauth_token = endpoint({
  ...common,
  id: 'oauth_token',
  method: 'POST',
  path: '/common/oauth2/token',
  summary: 'Exchange a code for a token',
  description:
    'The consent of the user was recorded earlier; this only returns the token. An authorization code works once, within a minute, and returns an access token. A device code returns an API token once the person has confirmed it; until then, the error is `authorization_pending`, or `slow_down` if the calls are less than 5 seconds apart. The ID token of a CI job returns a token of an app for 15 minutes, if a CI rule of the app allows it (RFC 8693). Browser pages of registered clients may call this operation.',
  request: form(
    Type.Object({
      grant_type: unchecked(
        '`authorization_code`, `urn:ietf:params:oauth:grant-type:device_code` or `urn:ietf:params:oauth:grant-type:token-exchange`.',
      ),
      code: unchecked('The code from the authorize endpoint.'),
      redirect_uri: unchecked('The redirect_uri that the code was sent to.'),
      client_id: unchecked('The ID of the client that requested the code.'),
      code_verifier: unchecked('The verifier of the code_challenge.'),
      device_code: unchecked('For a device code: the one from the device authorization endpoint.'),
      subject_token: unchecked(
        'For a token exchange: the ID token of the CI job. Its audience is the URL of this server.',
      ),
      subject_token_type: unchecked(
        'For a token exchange: `urn:ietf:params:oauth:token-type:jwt` or `urn:ietf:params:oauth:token-type:id_token`.',
      ),
      requested_token_type: unchecked(
        'For a token exchange: `urn:ietf:params:oauth:token-type:access_token` (default).',
      ),
      audience: unchecked('For a token exchange: the app, as `owner/name`.'),
      resource: unchecked('For a token exchange, instead of `audience`: the URL of the app in this API.'),
    }),
    { maxBytes: 32_768, maxFields: 20, orJson: true },
  ),
  response: json(
    Type.Object(
      {
        access_token: Type.String(),
        token_type: Type.Enum(['Bearer']),
        expires_in: Type.Optional(Type.Integer({ description: 'The lifetime in seconds; absent for an API token.' })),
        token_id: Type.Optional(Type.String({ description: 'The ID of an API token.' })),
        issued_token_type: Type.Optional(Type.String({ description: 'The type of the token, for a token exchange.' })),
        scope: Type.String(),
      },
      { $id: 'OauthToken' },
    ),
    { description: 'The access token.' },
  ),
  errorShape: 'oauth',
  readableFrom: 'clients',
});

export const oauth_keys = endpoint({
  ...common,
  id: 'oauth_keys',
  method: 'GET',
  path: '/common/discovery/keys',
  summary: 'Get the public keys that sign access tokens',
  response: json(
    Type.Object({ keys: Type.Array(Type.Record(Type.String(), Type.Unknown()), { description: 'JSON Web Keys.' }) }),
    { description: 'A JSON Web Key Set.', cache: 'public, max-age=300' },
  ),
  readableFrom: 'anywhere',
});

const addresses = (description: string) => Type.Array(Type.String(), { description });

export const oauth_discovery = endpoint({
  ...common,
  id: 'oauth_discovery',
  method: 'GET',
  path: '/common/.well-known/openid-configuration',
  summary: 'Get the URLs and features of the OAuth endpoints, for libraries',
  response: json(
    Type.Object(
      {
        issuer: Type.String(),
        authorization_endpoint: Type.String(),
        token_endpoint: Type.String(),
        device_authorization_endpoint: Type.String(),
        jwks_uri: Type.String(),
        response_types_supported: addresses('For the authorize endpoint.'),
        response_modes_supported: addresses('How the authorize endpoint returns results.'),
        grant_types_supported: addresses('For the token endpoint.'),
        code_challenge_methods_supported: addresses('For PKCE.'),
        token_endpoint_auth_methods_supported: addresses('Clients have no secrets.'),
        scopes_supported: addresses('The scopes that clients can request.'),
        subject_types_supported: addresses('Required by OpenID Connect.'),
        id_token_signing_alg_values_supported: addresses('Required by OpenID Connect.'),
      },
      { $id: 'OauthDiscovery' },
    ),
    { description: 'Metadata as specified by RFC 8414 and OpenID Connect Discovery.', cache: 'public, max-age=300' },
  ),
  readableFrom: 'anywhere',
});
