import { DEVICE_GRANT, EXCHANGE_GRANT } from '@mooring/contract';
import type { Deps } from '../../../context.ts';
import { DEVICE_PATH } from '../device/device-sign-ins.ts';
import { ALGORITHM } from '../tokens/keys.ts';
import { getIssuer } from '../tokens/tenant.ts';
import { AUTHORIZE_PATH } from './authorize.ts';
import { SCOPE } from './authorize-checks.ts';

export const TOKEN_PATH = '/common/oauth2/token';
export const KEYS_PATH = '/common/discovery/keys';

/** The discovery document: URLs and supported features, for client libraries. */
export const discoveryDocument = (deps: Deps) => ({
  issuer: getIssuer(deps),
  authorization_endpoint: deps.publicUrl() + AUTHORIZE_PATH,
  token_endpoint: deps.publicUrl() + TOKEN_PATH,
  device_authorization_endpoint: deps.publicUrl() + DEVICE_PATH,
  jwks_uri: deps.publicUrl() + KEYS_PATH,
  response_types_supported: ['code', 'token'],
  response_modes_supported: ['query', 'fragment'],
  grant_types_supported: ['authorization_code', 'implicit', DEVICE_GRANT, EXCHANGE_GRANT],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  scopes_supported: [SCOPE],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: [ALGORITHM],
});
