import type { Deps, UserCtx } from '../../../context.ts';
import { open, seal } from '../../../kernel/crypto/sealed.ts';
import { endSession, findProviderSession } from '../../accounts/index.ts';
import { type Directory, isInsecure } from '../oidc/directory.ts';
import { findProvider } from '../providers/providers.ts';

const PURPOSE = 'id-token';
/** The provider gets the token back in a URL. */
const MAX_ID_TOKEN = 4000;

/** Longer tokens are not stored: the provider then asks the person to confirm. */
export const sealIdToken = ({ secretKey }: Pick<Deps, 'secretKey'>, token: string): string | undefined =>
  token === '' || token.length > MAX_ID_TOKEN ? undefined : seal(secretKey, PURPOSE, token);

/**
 * Ends the session of this request. Returns the sign-out page of the provider, if it opened the session (OpenID Connect RP-Initiated Logout).
 */
export async function signOut(ctx: UserCtx, directory: Directory): Promise<string | undefined> {
  const { credential } = ctx.actor;
  const opener = credential.kind === 'session' ? await findProviderSession(ctx, credential.id) : undefined;
  await endSession(ctx, 'current');
  const provider = opener && (await findProvider(ctx, opener.provider));
  if (!provider?.signsOut || !provider.isEnabled) return undefined;
  const metadata = await directory.find(provider.issuer).catch((error: unknown) => {
    ctx.log.warn({ provider: provider.name, err: error }, 'sign-out at the identity provider failed');
    return undefined;
  });
  const endpoint = metadata?.server.end_session_endpoint;
  if (typeof endpoint !== 'string' || !URL.canParse(endpoint)) return undefined;
  const url = new URL(endpoint);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isInsecure(provider.issuer))) return undefined;
  const hint = opener?.sealedIdToken === undefined ? undefined : open(ctx.secretKey, PURPOSE, opener.sealedIdToken);
  if (hint !== undefined) url.searchParams.set('id_token_hint', hint);
  url.searchParams.set('client_id', provider.clientId);
  url.searchParams.set('post_logout_redirect_uri', `${ctx.publicUrl()}/sign-in`);
  return url.href;
}
