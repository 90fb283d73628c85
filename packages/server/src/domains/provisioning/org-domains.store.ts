import { insertInto, statement } from './provisioning.tables.ts';

export const listDomains = statement((q, p: { orgId: string }) =>
  q.selectFrom('org_domains').select('domain').where('org_id', '=', p.orgId).orderBy('domain'),
);

export const findDomain = statement((q, p: { orgId: string; domain: string }) =>
  q.selectFrom('org_domains').select('domain').where('org_id', '=', p.orgId).where('domain', '=', p.domain),
);

export const deleteDomains = statement((q, p: { orgId: string }) =>
  q.deleteFrom('org_domains').where('org_id', '=', p.orgId),
);

/** Returns nothing if another organization has the domain. */
export const insertDomain = insertInto('org_domains', (insert) =>
  insert.onConflict((c) => c.column('domain').doNothing()).returning('domain'),
);

export const countUsers = statement((q, p: { orgId: string }) =>
  q
    .selectFrom('scim_users')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('org_id', '=', p.orgId)
    .where('user_name_key', 'is not', null),
);

export const countGroups = statement((q, p: { orgId: string }) =>
  q
    .selectFrom('scim_groups')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('org_id', '=', p.orgId),
);
