import { ACCESS_TOKEN_TYPE, subjectTokenTypes } from '@mooring/contract';
import type { Ctx } from '../../../context.ts';
import { issueCiToken } from '../../tokens/index.ts';
import { oauthFailure } from './oauth-failure.ts';
import { required, type TokenRequest, type TokenResponse } from './token-fields.ts';

const MAX_ID_TOKEN = 24_000;

/** The app, by its name in `audience`, or its URL in `resource`. */
function readApp(ctx: Ctx, request: TokenRequest): { owner: string; name: string } {
  const isUrl = request.audience === undefined && request.resource !== undefined;
  const text = required(request, isUrl ? 'resource' : 'audience');
  const home = `${ctx.publicUrl()}/v0.1/apps/`;
  const path = !isUrl || text.startsWith(home) ? text.slice(isUrl ? home.length : 0) : '';
  const [, owner, name] = /^([\w.-]{1,100})\/([\w.-]{1,100})$/.exec(path) ?? [];
  if (!owner || !name) {
    throw oauthFailure(
      'invalid_request',
      `Name the app as owner/name in audience, or as ${home}owner/name in resource.`,
    );
  }
  return { owner, name };
}

/** Exchanges the ID token of a CI job for a token of an app (RFC 8693). */
export async function exchangeIdToken(ctx: Ctx, request: TokenRequest): Promise<TokenResponse> {
  const idToken = required(request, 'subject_token', MAX_ID_TOKEN);
  const type = required(request, 'subject_token_type');
  if (!(subjectTokenTypes as readonly string[]).includes(type)) {
    throw oauthFailure('invalid_request', `subject_token_type must be ${subjectTokenTypes.join(' or ')}.`);
  }
  const requested = request.requested_token_type ?? ACCESS_TOKEN_TYPE;
  if (requested !== ACCESS_TOKEN_TYPE) {
    throw oauthFailure('invalid_request', `requested_token_type must be ${ACCESS_TOKEN_TYPE}.`);
  }
  const outcome = await issueCiToken(ctx, readApp(ctx, request), idToken);
  if ('error' in outcome) throw oauthFailure(outcome.error, outcome.description);
  return {
    access_token: outcome.value,
    issued_token_type: ACCESS_TOKEN_TYPE,
    token_type: 'Bearer',
    expires_in: outcome.expiresIn,
    scope: outcome.permissions.join(' '),
  };
}
