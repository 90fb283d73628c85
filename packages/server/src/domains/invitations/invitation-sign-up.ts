import type { AppPermission, OrgRole } from '@mooring/contract';
import type { Ctx, UserCtx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { sha256 } from '../../kernel/crypto/crypto.ts';
import {
  addUser,
  findPersonByEmail,
  type NewUser,
  type OpenedSession,
  openSession,
  withPasswordHash,
} from '../accounts/index.ts';
import { acceptGroupInvitations, findGroupOffer, type InvitedApp, toInvitedApp } from '../groups/index.ts';
import { findOfferByToken } from './invitations.store.ts';
import { acceptAppInvitation, acceptOrgInvitation, gone } from './invitations.ts';

export type InvitationKind = 'org' | 'app' | 'group';

/** Contents of an invitation, for the holder of its link, who may not have an account yet. */
export interface Offer {
  email: string;
  role: OrgRole | AppPermission;
  /** Absent for invitations to groups. */
  inviter?: string;
  expiresAt: number;
  target: string;
  /** Undefined for organizations and shared groups. */
  app: InvitedApp | undefined;
  orgName?: string | undefined;
}

async function findOffer(ctx: Ctx, kind: InvitationKind, token: string): Promise<Offer | undefined> {
  if (kind === 'group') {
    const offer = await findGroupOffer(ctx, token);
    return offer && { ...offer, role: 'tester' };
  }
  const row = await findOfferByToken.first(ctx.db, { hash: sha256(token), kind });
  if (!row || row.expires_at <= ctx.clock.now()) return undefined;
  const { email, role, inviter, expires_at: expiresAt } = row;
  return {
    email,
    role: role as Offer['role'],
    inviter,
    expiresAt,
    target: row.org ?? row.app ?? '',
    app: toInvitedApp(row),
    orgName: row.org_name ?? undefined,
  };
}

export async function getOffer(
  ctx: Ctx,
  kind: InvitationKind,
  token: string,
): Promise<Offer & { hasAccount: boolean }> {
  const offer = await findOffer(ctx, kind, token);
  if (!offer) throw gone();
  return { ...offer, hasAccount: (await findPersonByEmail(ctx, offer.email)) !== undefined };
}

const accept = { org: acceptOrgInvitation, app: acceptAppInvitation, group: acceptGroupInvitations };

/** Signs up by an invitation, even if sign-up is closed: the link proves that the email was received. */
export async function signUpByInvitation(
  ctx: Ctx,
  kind: InvitationKind,
  token: string,
  person: Omit<NewUser, 'email' | 'isAdmin' | 'isEmailVerified'>,
): Promise<OpenedSession> {
  const { email } = await getOffer(ctx, kind, token);
  const ready = await withPasswordHash(ctx, { ...person, email, isEmailVerified: true });
  const user = await tx(ctx, async (ctx) => {
    const added = await addUser(ctx, ready);
    const actor: UserCtx['actor'] = { kind: 'user', user: added, credential: { kind: 'password' }, tokenScope: 'all' };
    await accept[kind]({ ...ctx, actor }, token);
    return added;
  });
  return openSession(ctx, user);
}
