import { endpoint, form, json, redirect } from '../endpoint/index.ts';
import { Type } from '../type.ts';

/** What clients and their libraries call; the discovery document tells them where it is. */
const common = { tag: 'signing in', access: 'public', effect: 'read' } as const;

/** Checked one by one, so that each refusal says what the standard has for it. */
const word = (description: string) => Type.Optional(Type.Unknown({ description }));

export const oauth_authorize = endpoint({
  ...common,
  id: 'oauth_authorize',
  method: 'GET',
  path: '/common/oauth2/authorize',
  summary: 'Asks a person to let a client act for them',
  description:
    'For browsers. Leads to the sign-in page, to the page that asks, or back to the client with what the person has allowed. A request that cannot be answered to the client is explained on a page.',
  query: Type.Object({
    client_id: word('The client that asks.'),
    response_type: word('`code`, with PKCE; or `token`, where the client may.'),
    redirect_uri: word('Where the answer goes: one of those that the client was registered with.'),
    scope: word('`user_impersonation`.'),
    state: word('Comes back with the answer.'),
    code_challenge: word('For `code`: the SHA-256 of the verifier, in base64url.'),
    code_challenge_method: word('`S256`.'),
    response_mode: word('`query` or `fragment`.'),
    resource: word('Whom the token is for.'),
    prompt: word('`none`, `login` or `consent`.'),
    login_hint: word('Who is about to sign in.'),
  }),
  response: redirect({ description: 'Where the browser goes next.' }),
  errorShape: 'page',
  errors: [400],
});

export const oauth_token = endpoint({
  ...common,
  id: 'oauth_token',
  method: 'POST',
  path: '/common/oauth2/token',
  summary: 'Changes a code into an access token',
  description:
    'Hands out what the person has allowed already, which was recorded then. A code works once, within a minute. Pages of registered clients may call it from the browser.',
  request: form(
    Type.Object({
      grant_type: word('`authorization_code`.'),
      code: word('From the answer of the authorize endpoint.'),
      redirect_uri: word('The one that the code was sent to.'),
      client_id: word('The client that asked for the code.'),
      code_verifier: word('What the code_challenge was made of.'),
    }),
    { maxBytes: 8192, maxFields: 20, orJson: true },
  ),
  response: json(
    Type.Object(
      {
        access_token: Type.String(),
        token_type: Type.Enum(['Bearer']),
        expires_in: Type.Integer({ description: 'In seconds.' }),
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
  summary: 'Returns the public keys that sign access tokens',
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
  summary: 'Tells libraries where everything is, and what it takes',
  response: json(
    Type.Object(
      {
        issuer: Type.String(),
        authorization_endpoint: Type.String(),
        token_endpoint: Type.String(),
        jwks_uri: Type.String(),
        response_types_supported: addresses('Of the authorize endpoint.'),
        response_modes_supported: addresses('How its answers come.'),
        grant_types_supported: addresses('Of the token endpoint.'),
        code_challenge_methods_supported: addresses('Of PKCE.'),
        token_endpoint_auth_methods_supported: addresses('Clients have no secrets.'),
        scopes_supported: addresses('What can be asked for.'),
        subject_types_supported: addresses('As OpenID Connect asks for.'),
        id_token_signing_alg_values_supported: addresses('As OpenID Connect asks for.'),
      },
      { $id: 'OauthDiscovery' },
    ),
    { description: 'As RFC 8414 and OpenID Connect Discovery have it.', cache: 'public, max-age=300' },
  ),
  readableFrom: 'anywhere',
});
