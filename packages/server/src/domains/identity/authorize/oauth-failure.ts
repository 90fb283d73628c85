import { Failure } from '../../../kernel/errors.ts';

/** The codes of RFC 6749, of RFC 8628 and of OpenID Connect that this server sends, and `invalid_resource` of the API that it replaces. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_resource'
  | 'access_denied'
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token'
  | 'login_required'
  | 'consent_required'
  | 'interaction_required'
  | 'temporarily_unavailable'
  | 'server_error';

/** An error of the token endpoint, in the format of the standard. */
export const oauthFailure = (error: OAuthErrorCode, description: string): Failure =>
  new Failure('BadRequest', description, {}, error);
