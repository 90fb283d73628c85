import type { Ctx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { HOUR } from '../../../kernel/clock.ts';
import { Failure, notFound } from '../../../kernel/errors.ts';
import { endProviderSessions } from '../../accounts/index.ts';
import { record } from '../../audit/index.ts';
import { useOnce } from '../../tokens/index.ts';
import type { Directory } from '../oidc/directory.ts';
import { findProvider } from '../providers/providers.ts';
import { type EndedSession, verifyLogoutToken } from './logout-token.ts';

/** Longer than a logout token is accepted. */
const MEMORY = HOUR;

const invalidRequest = (message: string) => new Failure('BadRequest', message, {}, 'invalid_request');

async function readToken(ctx: Ctx, directory: Directory, name: string, token: unknown) {
  const provider = await findProvider(ctx, name);
  if (!provider?.isEnabled) throw notFound('identity provider', name);
  if (typeof token !== 'string' || token === '') throw invalidRequest('logout_token is missing.');
  try {
    const metadata = await directory.find(provider.issuer);
    const expected = { clientId: provider.clientId, now: ctx.clock.now() };
    return { provider, ended: await verifyLogoutToken(token, directory, metadata, expected) };
  } catch (error) {
    // Details are logged, because the caller may be anyone.
    ctx.log.warn({ provider: name, err: error }, 'logout token refused');
    throw invalidRequest('logout_token is invalid.');
  }
}

/** Ends the sessions that a session at the provider, or its user, had opened here; on every process immediately. */
export async function endByProvider(ctx: Ctx, directory: Directory, name: string, token: unknown): Promise<void> {
  const { provider, ended } = await readToken(ctx, directory, name, token);
  const { jti, subject, sid }: EndedSession = ended;
  await tx(ctx, async (ctx) => {
    if (!(await useOnce(ctx, `logout ${provider.issuer} ${jti}`, MEMORY))) {
      throw invalidRequest('logout_token was already used.');
    }
    const count = await endProviderSessions(ctx, { provider: name, subject, sid });
    const reference = { kind: 'identity_provider', id: name, name } as const;
    await record(ctx, 'identity_provider.sign_out', reference, { after: { subject, sessions: count } });
  });
}
