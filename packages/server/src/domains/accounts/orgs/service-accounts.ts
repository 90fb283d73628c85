import type { OrgRole } from '@mooring/contract';
import type { OrgCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { publish } from '../../../jobs/index.ts';
import { notFound } from '../../../kernel/errors.ts';
import { readArrangement, type Sorts, type UnpagedListInput } from '../../../kernel/paging.ts';
import { refuseDots } from '../../../kernel/text/names.ts';
import { record } from '../../audit/index.ts';
import { tokensRevoked } from '../accounts.events.ts';
import { decoyHash } from '../sessions/sign-in.ts';
import { insertUser } from '../users/users.store.ts';
import { deleteOwner, saveOrgMember } from './orgs.store.ts';
import { addOwner, refuseLastAdmin } from './orgs.ts';
import { refuseOwners } from './owner-deletion.ts';
import { arrangeServiceAccounts, findServiceAccount } from './service-accounts.store.ts';
import { toServiceAddress } from './service-address.ts';

/** A member of an organization for automation, which keeps working when a person leaves. */
export interface ServiceAccount {
  id: string;
  name: string;
  displayName: string;
  role: OrgRole;
  createdAt: number;
}

type Row = NonNullable<Awaited<ReturnType<typeof findServiceAccount.first>>>;

const toAccount = (row: Row): ServiceAccount => ({
  id: row.id,
  name: row.name,
  displayName: row.display_name,
  role: row.role,
  createdAt: row.created_at,
});

const toAuditSubject = (ctx: OrgCtx, { id, name }: ServiceAccount) =>
  ({ kind: 'user', id, name, orgId: ctx.org.id }) as const;

const sorts = { name: 'name', display_name: 'name', role: 'name', created_at: 'time' } satisfies Sorts<string>;
export type ServiceAccountSort = keyof typeof sorts;

export const listServiceAccounts = async (
  ctx: OrgCtx,
  input: UnpagedListInput<ServiceAccountSort>,
): Promise<ServiceAccount[]> =>
  (await arrangeServiceAccounts(ctx.db, { orgId: ctx.org.id }, readArrangement(input, sorts))).map(toAccount);

export async function getServiceAccount(ctx: OrgCtx, name: string): Promise<ServiceAccount> {
  const row = await findServiceAccount.first(ctx.db, { orgId: ctx.org.id, key: name.toLowerCase() });
  if (!row) throw notFound('service account', name);
  return toAccount(row);
}

export interface NewServiceAccount {
  displayName: string;
  name?: string;
  role?: OrgRole;
}

/** Its address can't receive email, and no password matches its hash. */
export async function createServiceAccount(ctx: OrgCtx, input: NewServiceAccount): Promise<ServiceAccount> {
  refuseDots(input.name);
  const { role = 'collaborator' } = input;
  return tx(ctx, async (ctx) => {
    const { id, name } = await addOwner(ctx, 'user', input.name, input.displayName);
    const email = toServiceAddress(name);
    await insertUser.first(ctx.db, {
      id,
      email,
      email_key: email.toLowerCase(),
      password_hash: decoyHash,
      is_admin: 0,
      is_disabled: 0,
      service_org_id: ctx.org.id,
      is_email_verified: 0,
    });
    await saveOrgMember.run(ctx.db, { org_id: ctx.org.id, user_id: id, role, joined_at: ctx.clock.now() });
    const account = await getServiceAccount(ctx, name);
    await record(ctx, 'service_account.create', toAuditSubject(ctx, account), { after: { role } });
    return account;
  });
}

export const deleteServiceAccount = (ctx: OrgCtx, name: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const account = await getServiceAccount(ctx, name);
    await refuseLastAdmin(ctx, { userId: account.id, name: account.name });
    await refuseOwners(ctx, account.name, [account.id]);
    await publish(ctx, tokensRevoked, { userId: account.id, includesAppTokens: true });
    await deleteOwner.run(ctx.db, { id: account.id });
    await record(ctx, 'service_account.delete', toAuditSubject(ctx, account), { before: { role: account.role } });
  });
