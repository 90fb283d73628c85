import { type SignInProblem, signInProblems } from '@mooring/contract';
import type { Ctx, User } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { conflict, notFound } from '../../kernel/errors.ts';
import { endUserSessions, getAccount } from '../accounts/index.ts';
import { record } from '../audit/index.ts';
import { deleteLinks, findLinkedUser, insertLink, listLinks } from './links.store.ts';
import { findProvider } from './providers/providers.ts';

/** A user of an identity provider. */
export interface ProviderUser {
  issuer: string;
  subject: string;
}

export interface SignInLink extends ProviderUser {
  linkedAt: number;
}

/** Links an account to a user of a provider. Throws if either is linked to another one. */
export const linkAccount = (ctx: Ctx, { issuer, subject }: ProviderUser, user: Pick<User, 'id' | 'name'>) =>
  tx(ctx, async (ctx): Promise<SignInLink> => {
    const linkedAt = ctx.clock.now();
    if (!(await insertLink.first(ctx.db, { issuer, subject, user_id: user.id, linked_at: linkedAt }))) {
      // A second request of the same user changes nothing.
      if ((await findLinkedUser.first(ctx.db, { issuer, subject, provider: '' }))?.id !== user.id) {
        throw conflict(signInProblems['taken' satisfies SignInProblem]);
      }
      return { issuer, subject, linkedAt };
    }
    const account = { kind: 'user', id: user.id, name: user.name } as const;
    await record(ctx, 'sign_in_link.create', account, { after: { issuer, subject } });
    return { issuer, subject, linkedAt };
  });

export async function listUserLinks(ctx: Ctx, userId: string): Promise<SignInLink[]> {
  const rows = await listLinks.all(ctx.db, { userId });
  if (rows.length === 0) await getAccount(ctx, userId);
  return rows.map(({ issuer, subject, linked_at }) => ({ issuer, subject, linkedAt: linked_at }));
}

/** Links an account in advance, without its password. */
export async function linkInAdvance(
  ctx: Ctx,
  userId: string,
  { provider: name, subject }: { provider: string; subject: string },
): Promise<SignInLink> {
  const provider = await findProvider(ctx, name);
  if (!provider) throw notFound('identity provider', name);
  const account = await getAccount(ctx, userId);
  if (account.isServiceAccount) {
    throw conflict(`${account.name} is a service account and can't sign in. Use a personal account.`);
  }
  return linkAccount(ctx, { issuer: provider.issuer, subject }, account);
}

/** Sessions end, too: they may have been opened with the provider. */
export const unlinkAccount = (ctx: Ctx, userId: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const { name } = await getAccount(ctx, userId);
    if ((await deleteLinks.run(ctx.db, { userId })) === 0) throw notFound('link to an identity provider');
    await endUserSessions(ctx, userId);
    await record(ctx, 'sign_in_link.delete', { kind: 'user', id: userId, name });
  });
