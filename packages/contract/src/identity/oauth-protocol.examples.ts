import type { EndpointExamples } from '../endpoint/example.ts';
import { oauthExamples } from './oauth.examples.ts';

const { client_id } = oauthExamples.adminOauthClients_delete.params;
const redirect_uri = 'https://board.example.com/signed-in';
const here = 'https://mooring.example.com';

export const oauthProtocolExamples = {
  oauth_authorize: {
    query: {
      client_id,
      response_type: 'code',
      redirect_uri,
      state: 'x7',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    },
  },
  oauth_token: {
    body: {
      grant_type: 'authorization_code',
      code: 'k3Vb0nZdHs4Jc9PgAu7EoBi1QtNxVyCf3TqR8vLx2Wm',
      redirect_uri,
      client_id,
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    },
    response: { access_token: 'eyJhbGciOi…', token_type: 'Bearer', expires_in: 3600, scope: 'user_impersonation' },
  },
  oauth_keys: {
    response: { keys: [{ kty: 'RSA', alg: 'RS256', use: 'sig', kid: 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs' }] },
  },
  oauth_discovery: {
    response: {
      issuer: `${here}/common`,
      authorization_endpoint: `${here}/common/oauth2/authorize`,
      token_endpoint: `${here}/common/oauth2/token`,
      device_authorization_endpoint: `${here}/common/oauth2/devicecode`,
      jwks_uri: `${here}/common/discovery/keys`,
      response_types_supported: ['code', 'token'],
      response_modes_supported: ['query', 'fragment'],
      grant_types_supported: [
        'authorization_code',
        'implicit',
        'urn:ietf:params:oauth:grant-type:device_code',
        'urn:ietf:params:oauth:grant-type:token-exchange',
      ],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      scopes_supported: ['user_impersonation'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    },
  },
} satisfies EndpointExamples<typeof import('./oauth-protocol.contract.ts')>;
