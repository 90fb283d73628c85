import type { Ctx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { publish } from '../../../jobs/index.ts';
import { conflict } from '../../../kernel/errors.ts';
import { auditFields, record } from '../../audit/index.ts';
import { tokensRevoked } from '../accounts.events.ts';
import { deleteOwner, listUserOrgs, lockOrgAdmins } from '../orgs/orgs.store.ts';
import { refuseOwners } from '../orgs/owner-deletion.ts';
import { lockActiveAdmins } from './users.store.ts';
import { type Account, getAccount } from './users.ts';

/** Organizations whose only admin is this user. */
async function listOrgsLed(ctx: Ctx, userId: string): Promise<string[]> {
  const led: string[] = [];
  for (const org of await listUserOrgs.all(ctx.db, { userId })) {
    if (org.role === 'admin' && (await lockOrgAdmins.all(ctx.db, { orgId: org.id })).length === 1) led.push(org.name);
  }
  return led;
}

const audited = auditFields('email', 'displayName', 'isAdmin');

/** Refuses to delete the last administrator, or the last admin of an organization. */
export async function refuseIndispensable(ctx: Ctx, { id, name }: Pick<Account, 'id' | 'name'>): Promise<void> {
  const admins = await lockActiveAdmins.all(ctx.db);
  if (admins.length === 1 && admins[0]?.id === id) {
    throw conflict(`Can't delete ${name}: this is the last administrator. Promote another user first.`);
  }
  await refuseOwners(ctx, name, [id]);
  const led = await listOrgsLed(ctx, id);
  if (led.length > 0) {
    throw conflict(
      `Can't delete ${name}: this is the last admin of ${led.join(', ')}. Promote another member or delete the organization first.`,
    );
  }
}

/** Deletes all data of the user except the name in the audit log. Refuses if others depend on the user. */
export const deleteUser = (ctx: Ctx, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const account = await getAccount(ctx, id);
    const { name } = account;
    if (account.isServiceAccount)
      throw conflict(`Can't delete ${name} here: it is a service account. Delete it in its organization.`);
    await refuseIndispensable(ctx, account);
    await publish(ctx, tokensRevoked, { userId: id, includesAppTokens: true });
    await deleteOwner.run(ctx.db, { id });
    await record(ctx, 'user.delete', { kind: 'user', id, name }, { before: audited(account) });
  });
