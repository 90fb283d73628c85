import type { Ctx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { publish } from '../../../jobs/index.ts';
import { conflict } from '../../../kernel/errors.ts';
import { auditFields, record } from '../../audit/index.ts';
import { tokensRevoked } from '../accounts.events.ts';
import { deleteOwner, listOrgsOfUser, lockOrgAdmins } from '../orgs/orgs.store.ts';
import { refuseOwners } from '../orgs/owner-deletion.ts';
import { lockActiveAdmins } from './users.store.ts';
import { type Account, getAccount } from './users.ts';

/** Organizations that would have no admin without them. */
async function listOrgsLed(ctx: Ctx, userId: string): Promise<string[]> {
  const led: string[] = [];
  for (const org of await listOrgsOfUser.all(ctx.db, { userId })) {
    if (org.role === 'admin' && (await lockOrgAdmins.all(ctx.db, { orgId: org.id })).length === 1) led.push(org.name);
  }
  return led;
}

const audited = auditFields('email', 'displayName', 'isAdmin');

/** Refuses to take somebody away whom others rely on. */
export async function refuseIndispensable(ctx: Ctx, { id, name }: Pick<Account, 'id' | 'name'>): Promise<void> {
  const admins = await lockActiveAdmins.all(ctx.db);
  if (admins.length === 1 && admins[0]?.id === id) {
    throw conflict(`${name} is the last administrator; make somebody else one first.`);
  }
  await refuseOwners(ctx, name, [id]);
  const led = await listOrgsLed(ctx, id);
  if (led.length > 0) {
    throw conflict(`${name} is the last admin of ${led.join(', ')}; make somebody else one, or delete it, first.`);
  }
}

/** The audit log keeps their name; everything else of the person goes. Nothing that others rely on is lost by the way. */
export const deleteUser = (ctx: Ctx, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const account = await getAccount(ctx, id);
    const { name } = account;
    if (account.isServiceAccount) throw conflict(`${name} is a service account; delete it in its organization.`);
    await refuseIndispensable(ctx, account);
    await publish(ctx, tokensRevoked, { userId: id, alsoOfApps: true });
    await deleteOwner.run(ctx.db, { id });
    await record(ctx, 'user.delete', { kind: 'user', id, name }, { before: audited(account) });
  });
