import { CONFIRMATION_HEADER } from '@mooring/contract';
import type { Actor, Ctx, Deps, UserCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { MINUTE } from '../../../kernel/clock.ts';
import { badRequest, Failure, forbidden } from '../../../kernel/errors.ts';
import { checkSignIn, findConfirmedAt, noteConfirmation } from '../../accounts/index.ts';
import { record } from '../../audit/index.ts';
import type { Browser } from '../oidc/browser-state.ts';
import { checkPasskey } from '../passkeys/passkey-sign-in.ts';

/** How long a sign-in or a confirmation counts. */
const VALIDITY = 5 * MINUTE;

/**
 * For `confirmationChecks`: throws if the session of a request is older than its last confirmation allows. Other credentials
 * pass, because programs can't confirm anything.
 */
export async function requireConfirmation({ db, clock }: Pick<Deps, 'db' | 'clock'>, actor: Actor): Promise<void> {
  if (actor.kind !== 'user' || actor.credential.kind !== 'session') return;
  const confirmedAt = await findConfirmedAt({ db }, actor.credential.id);
  if (confirmedAt !== undefined && clock.now() - confirmedAt <= VALIDITY) return;
  throw new Failure(
    'Forbidden',
    'Confirm who you are before this operation: your last sign-in or confirmation is more than 5 minutes ago.',
    { [CONFIRMATION_HEADER]: 'required' },
  );
}

export interface Proof {
  password?: string;
  code?: string;
  credential?: object;
}

async function checkProof(ctx: UserCtx, { password, code, credential }: Proof, browser: Browser): Promise<boolean> {
  const { user } = ctx.actor;
  if (credential) return (await checkPasskey(ctx, credential, browser)).id === user.id;
  if (password === undefined) throw badRequest('Send your password, or the credential of a passkey.');
  return (await checkSignIn(ctx, user.name, password, code)) !== undefined;
}

/** Confirms who the person of a session is. */
export async function confirmIdentity(ctx: UserCtx, proof: Proof, browser: Browser): Promise<void> {
  const { user, credential } = ctx.actor;
  if (credential.kind !== 'session') throw forbidden("A token can't be confirmed, and needs no confirmation.");
  if (!(await checkProof(ctx, proof, browser))) throw forbidden('The password or the passkey is not yours. Try again.');
  await tx(ctx, async (ctx: Ctx) => {
    await noteConfirmation(ctx, credential.id);
    await record(ctx, 'session.confirm', { kind: 'session', id: credential.id, name: user.name });
  });
}
