import { type Kysely, sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { containsTerms, inOrder } from '../../../db/rows/listing.ts';
import type { Arrangement } from '../../../kernel/paging.ts';
import { query, statement, type Tables } from '../accounts.tables.ts';

const selectServiceAccounts = (q: Kysely<Tables>, p: { orgId: string }) =>
  q
    .selectFrom('users')
    .innerJoin('owners', 'owners.id', 'users.id')
    .innerJoin('org_members', (join) =>
      join.onRef('org_members.user_id', '=', 'users.id').onRef('org_members.org_id', '=', 'users.service_org_id'),
    )
    .select(['users.id', 'owners.name', 'owners.display_name', 'org_members.role', 'owners.created_at'])
    .where('users.service_org_id', '=', p.orgId);

export const listOrgServiceAccounts = statement((q, p: { orgId: string }) =>
  selectServiceAccounts(q, p).orderBy('owners.name_key'),
);

const accountKeys = {
  name: sql.ref<string>('owners.name_key'),
  display_name: sql.ref<string>('owners.display_name_key'),
  role: sql.ref<string>('org_members.role'),
  created_at: sql.ref<number>('owners.created_at'),
};

export const arrangeServiceAccounts = (
  db: Db,
  p: { orgId: string },
  { terms, sort, order }: Arrangement<keyof typeof accountKeys>,
) =>
  query(db, (q) =>
    inOrder(
      selectServiceAccounts(q, p).where(containsTerms(terms, ['owners.name_key', 'owners.display_name_key'])),
      { key: accountKeys[sort], id: sql.ref('users.id') },
      { order },
    ),
  );

export const findServiceAccount = statement((q, p: { orgId: string; key: string }) =>
  selectServiceAccounts(q, p).where('owners.name_key', '=', p.key),
);

/** Deletes the owner rows; all other rows of the service accounts are deleted with them. */
export const deleteOrgServiceAccounts = statement((q, p: { orgId: string }) =>
  q
    .deleteFrom('owners')
    .where('id', 'in', q.selectFrom('users').select('users.id').where('users.service_org_id', '=', p.orgId)),
);
