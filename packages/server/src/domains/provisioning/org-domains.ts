import type { Ctx, OrgCtx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { conflict, notFound } from '../../kernel/errors.ts';
import { findOwner } from '../accounts/index.ts';
import { record } from '../audit/index.ts';
import { countGroups, countUsers, deleteDomains, findDomain, insertDomain, listDomains } from './org-domains.store.ts';

async function getOrgByName(ctx: Ctx, name: string): Promise<{ id: string; name: string }> {
  const owner = await findOwner(ctx, name);
  if (owner?.kind !== 'org') throw notFound('organization', name);
  return owner;
}

export const listOrgDomains = async (ctx: Pick<Ctx, 'db'>, orgId: string): Promise<string[]> =>
  (await listDomains.all(ctx.db, { orgId })).map(({ domain }) => domain);

export const getOrgDomains = async (ctx: Ctx, name: string): Promise<string[]> =>
  listOrgDomains(ctx, (await getOrgByName(ctx, name)).id);

/** An administrator of the server vouches that the organization owns these domains. */
export const setOrgDomains = (ctx: Ctx, name: string, requested: readonly string[]): Promise<string[]> =>
  tx(ctx, async (ctx) => {
    const org = await getOrgByName(ctx, name);
    const domains = [...new Set(requested.map((domain) => domain.toLowerCase()))].sort();
    const before = await listOrgDomains(ctx, org.id);
    await deleteDomains.run(ctx.db, { orgId: org.id });
    for (const domain of domains) {
      if (await insertDomain.first(ctx.db, { domain, org_id: org.id })) continue;
      throw conflict(`${domain} belongs to another organization. Remove it there first.`);
    }
    const subject = { kind: 'org', id: org.id, name: org.name, orgId: org.id } as const;
    const changes = { before: { domains: before.join(' ') }, after: { domains: domains.join(' ') } };
    await record(ctx, 'org.set_domains', subject, changes);
    return domains;
  });

/** True if an address is in a domain of the organization. */
export async function ownsAddress(ctx: Pick<Ctx, 'db'>, orgId: string, email: string): Promise<boolean> {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return (await findDomain.first(ctx.db, { orgId, domain })) !== undefined;
}

export interface ProvisioningState {
  baseUrl: string;
  domains: string[];
  users: number;
  groups: number;
}

export async function getProvisioning(ctx: OrgCtx): Promise<ProvisioningState> {
  const { id: orgId, name } = ctx.org;
  const [users, groups] = [await countUsers.first(ctx.db, { orgId }), await countGroups.first(ctx.db, { orgId })];
  const domains = await listOrgDomains(ctx, orgId);
  const baseUrl = `${ctx.publicUrl()}/scim/v2/${encodeURIComponent(name)}`;
  return { baseUrl, domains, users: users?.count ?? 0, groups: groups?.count ?? 0 };
}
