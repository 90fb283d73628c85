import { oauthFailure } from './oauth-failure.ts';

export interface TokenResponse {
  access_token: string;
  token_type: 'Bearer';
  expires_in?: number;
  scope: string;
  token_id?: string;
  issued_token_type?: string;
}

/** Fields of a token request, by the names of the standard; values that are not text count as missing. */
export type TokenRequest = Partial<Record<string, unknown>>;

export function required(request: TokenRequest, name: string, maxLength = 2000): string {
  const value = Object.hasOwn(request, name) ? request[name] : undefined;
  if (typeof value !== 'string' || value === '') throw oauthFailure('invalid_request', `${name} is missing.`);
  if (value.length > maxLength)
    throw oauthFailure('invalid_request', `${name} is longer than ${maxLength} characters.`);
  return value;
}
