import type { Ctx } from '../../context.ts';
import { findRole } from '../accounts/index.ts';
import { appSubject, findUserPermission, getAppRef } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import {
  deleteInvitation,
  invitationsTo,
  listInOrgTo,
  listInvitedBy,
  listToApp,
  type OpenInvitation,
} from './invitations.store.ts';

type Inviting = Pick<OpenInvitation, 'org_id' | 'app_id' | 'invited_by'>;

/** An invitation is valid only while its inviter may send it. */
export async function mayInvite(ctx: Pick<Ctx, 'db'>, { org_id, app_id, invited_by }: Inviting): Promise<boolean> {
  if (org_id !== null) return (await findRole(ctx, org_id, invited_by)) === 'admin';
  return (await findUserPermission(ctx, app_id ?? '', invited_by)) === 'manager';
}

async function readSubject(ctx: Ctx, { id, email, org_id, app_id }: OpenInvitation) {
  const readers = app_id === null ? undefined : appSubject(await getAppRef(ctx, app_id));
  return {
    kind: 'invitation',
    id,
    name: email,
    appId: readers?.appId,
    orgId: readers?.orgId ?? org_id ?? undefined,
  } as const;
}

async function withdraw(ctx: Ctx, invitations: readonly OpenInvitation[]): Promise<void> {
  for (const invitation of invitations) {
    if (!(await deleteInvitation.first(ctx.db, { id: invitation.id }))) continue;
    const before = { role: invitation.role };
    await record(ctx, 'invitation.revoke', await readSubject(ctx, invitation), { before });
  }
}

/** Withdraws invitations that their inviters may no longer send. */
export async function withdrawUnentitled(ctx: Ctx, { userIds }: { userIds: readonly string[] }): Promise<void> {
  const unentitled: OpenInvitation[] = [];
  for (const invitation of await listInvitedBy.all(ctx.db, { userIds: JSON.stringify(userIds) })) {
    if (!(await mayInvite(ctx, invitation))) unentitled.push(invitation);
  }
  await withdraw(ctx, unentitled);
}

export const withdrawForApp = async (ctx: Ctx, appId: string): Promise<void> =>
  withdraw(ctx, await listToApp.all(ctx.db, { appId }));

/** Withdraws invitations for a removed user, so that an older link does not let them in again. */
export async function withdrawForRemoved(
  ctx: Ctx,
  { email, orgId, appId }: { email: string; orgId?: string; appId?: string },
): Promise<void> {
  const key = email.toLowerCase();
  if (orgId !== undefined) await withdraw(ctx, await listInOrgTo.all(ctx.db, { orgId, key }));
  if (appId === undefined) return;
  const open = await invitationsTo.app.find.all(ctx.db, { targetId: appId, key });
  const ids = new Set(open.map(({ id }) => id));
  await withdraw(
    ctx,
    (await listToApp.all(ctx.db, { appId })).filter(({ id }) => ids.has(id)),
  );
}
