import { timingSafeEqual } from 'node:crypto';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Ctx, User } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { Failure, forbidden } from '../../../kernel/errors.ts';
import { type OpenedSession, openSession, toUser } from '../../accounts/index.ts';
import { useOnce } from '../../tokens/index.ts';
import { type Browser, LIFETIME, startedPasskey } from '../oidc/browser-state.ts';
import { findRequiredProvider } from '../rules/rules.ts';
import { findPasskeyUser, notePasskeyUse } from './passkeys.store.ts';
import { loadWebAuthn, readRelyingParty } from './relying-party.ts';

/** Options for the browser: any passkey of this server, and the authenticator must verify its owner. */
export async function startPasskeySignIn(ctx: Ctx, browser: Browser): Promise<object> {
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const { rpId } = readRelyingParty(ctx);
  const options = await generateAuthenticationOptions({ rpID: rpId, userVerification: 'required' });
  startedPasskey.save(ctx, browser, { purpose: 'get', challenge: options.challenge });
  return options;
}

/** One message for all reasons, so that it reveals no accounts. */
const refused = () =>
  new Failure('Unauthorized', 'The passkey is not registered here, or the attempt is no longer valid. Try again.');

type Row = NonNullable<Awaited<ReturnType<typeof findPasskeyUser.first>>>;

const isSame = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

async function verify(ctx: Ctx, row: Row, challenge: string, response: AuthenticationResponseJSON) {
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const { origin, rpId } = readRelyingParty(ctx);
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
    credential: {
      id: response.id,
      publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
      // Compared below: passkeys that are synced between devices may send lower numbers.
      counter: 0,
    },
  });
  if (!verified) throw new Error('The signature is invalid.');
  return authenticationInfo;
}

/** Verifies the passkey that a browser used, and returns its owner. */
export async function checkPasskey(ctx: Ctx, credential: object, browser: Browser): Promise<User> {
  const started = startedPasskey.read(ctx, browser);
  startedPasskey.clear(browser);
  if (started?.purpose !== 'get') throw refused();
  if (!(await useOnce(ctx, `passkey ${started.challenge}`, LIFETIME))) throw refused();
  const response = credential as unknown as AuthenticationResponseJSON;
  const id = typeof response.id === 'string' && /^[\w-]{1,1400}$/.test(response.id) ? response.id : '';
  const row = await findPasskeyUser.first(ctx.db, { id });
  if (!row || row.is_disabled || row.service_org_id !== null) throw refused();
  try {
    const handle = response.response?.userHandle;
    if (typeof handle !== 'string' || !isSame(handle, row.handle))
      throw new Error('The user handle is of another user.');
    const { newCounter, credentialBackedUp } = await verify(ctx, row, started.challenge, response);
    if (newCounter > 0 && newCounter <= row.sign_count) {
      ctx.log.warn({ user: row.id }, 'The counter of a passkey did not increase: it may have been copied.');
    }
    const use = { id, now: ctx.clock.now(), count: newCounter, isSynced: credentialBackedUp ? 1 : 0 } as const;
    await tx(ctx, ({ db }) => notePasskeyUse.run(db, use));
  } catch (error) {
    ctx.log.info({ err: error, user: row.id }, 'passkey refused');
    throw refused();
  }
  return toUser(row);
}

/** Signs in with a passkey alone. A rule that requires an identity provider applies to passkeys, too. */
export async function signInWithPasskey(ctx: Ctx, credential: object, browser: Browser): Promise<OpenedSession> {
  const user = await checkPasskey(ctx, credential, browser);
  const provider = await findRequiredProvider(ctx, user);
  if (provider) {
    throw forbidden(`Your account requires ${provider.displayName}. Sign in with ${provider.displayName}.`);
  }
  return openSession(ctx, user);
}
