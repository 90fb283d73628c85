import type { Kysely } from 'kysely';
import { statement, type Tables } from './accounts.tables.ts';

const selectServiceAccounts = (q: Kysely<Tables>, p: { orgId: string }) =>
  q
    .selectFrom('users')
    .innerJoin('owners', 'owners.id', 'users.id')
    .innerJoin('org_members', (join) =>
      join.onRef('org_members.user_id', '=', 'users.id').onRef('org_members.org_id', '=', 'users.service_org_id'),
    )
    .select(['users.id', 'owners.name', 'owners.display_name', 'org_members.role', 'owners.created_at'])
    .where('users.service_org_id', '=', p.orgId);

export const listServiceAccountsOfOrg = statement((q, p: { orgId: string }) =>
  selectServiceAccounts(q, p).orderBy('owners.name_key'),
);

export const findServiceAccount = statement((q, p: { orgId: string; key: string }) =>
  selectServiceAccounts(q, p).where('owners.name_key', '=', p.key),
);

/** With the organization go its service accounts; their owners' rows carry everything else along. */
export const deleteServiceAccountsOfOrg = statement((q, p: { orgId: string }) =>
  q
    .deleteFrom('owners')
    .where('id', 'in', q.selectFrom('users').select('users.id').where('users.service_org_id', '=', p.orgId)),
);
