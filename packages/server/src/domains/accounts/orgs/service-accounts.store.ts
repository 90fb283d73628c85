import { type Kysely, sql } from 'kysely';
import { containsWords, inOrder } from '../../../db/listing.ts';
import type { Db } from '../../../db/open.ts';
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

export const listServiceAccountsOfOrg = statement((q, p: { orgId: string }) =>
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
  { words, sort, order }: Arrangement<keyof typeof accountKeys>,
) =>
  query(db, (q) =>
    inOrder(
      selectServiceAccounts(q, p).where(containsWords(words, ['owners.name_key', 'owners.display_name_key'])),
      { key: accountKeys[sort], id: sql.ref('users.id') },
      { order },
    ),
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
