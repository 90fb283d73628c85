import { orgRoles } from '@mooring/contract';
import { type Kysely, sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { lockRows, lockRowsForNoKeyUpdate } from '../../../db/portable.ts';
import { userKeys, userNames } from '../../../db/rows/columns.ts';
import { containsTerms, selectPage } from '../../../db/rows/listing.ts';
import type { Listing } from '../../../kernel/paging.ts';
import { insertInto, type OrgMembersTable, query, statement, type Tables } from '../accounts.tables.ts';

const orgColumns = [
  'owners.id',
  'owners.name',
  'owners.display_name',
  'owners.avatar_url',
  'owners.created_at',
  'owners.updated_at',
] as const;

/** An organization by name, with the role of a user in it. */
export const findOrgForUser = statement((q, p: { key: string; userId: string }) =>
  q
    .selectFrom('owners')
    .innerJoin('org_members', (join) =>
      join.onRef('org_members.org_id', '=', 'owners.id').on('org_members.user_id', '=', p.userId),
    )
    .select(['owners.id', 'owners.name', 'owners.display_name', 'org_members.role'])
    .where('owners.name_key', '=', p.key)
    .where('owners.kind', '=', 'org'),
);

/** The current name of the owner that previously had this name. */
export const findPreviousName = statement((q, p: { key: string }) =>
  q
    .selectFrom('former_names')
    .innerJoin('owners', 'owners.id', 'former_names.owner_id')
    .select('owners.name')
    .where('former_names.name_key', '=', p.key),
);

export const savePreviousName = insertInto('former_names', (insert, p) =>
  insert.onConflict((c) => c.column('name_key').doUpdateSet({ owner_id: p.owner_id })),
);

/** A new owner of a name also takes over the addresses that led to its previous owner. */
export const deletePreviousName = statement((q, p: { key: string }) =>
  q.deleteFrom('former_names').where('name_key', '=', p.key),
);

export const findOrg = statement((q, p: { id: string }) =>
  q.selectFrom('owners').select(orgColumns).where('id', '=', p.id).where('kind', '=', 'org'),
);

export const listUserOrgs = statement((q, p: { userId: string }) =>
  q
    .selectFrom('org_members')
    .innerJoin('owners', 'owners.id', 'org_members.org_id')
    .select([...orgColumns, 'org_members.role'])
    .where('org_members.user_id', '=', p.userId)
    .orderBy('owners.name_key'),
);

export const findOwnerName = statement((q, p: { key: string }) =>
  q.selectFrom('owners').select(['id', 'kind', 'name']).where('name_key', '=', p.key),
);

/** Reads the avatar and locks it until the transaction ends. */
export const lockOrgAvatar = statement((q, p: { id: string }, dialect) =>
  lockRowsForNoKeyUpdate(
    dialect,
    q.selectFrom('owners').select('avatar_url').where('owners.id', '=', p.id).where('owners.kind', '=', 'org'),
  ),
);

export const lockOwner = statement((q, p: { id: string }, dialect) =>
  lockRows(dialect, q.selectFrom('owners').select('id').where('id', '=', p.id)),
);

export const deleteOwner = statement((q, p: { id: string }) =>
  q.deleteFrom('owners').where('id', '=', p.id).returning('avatar_url'),
);

const selectMembers = (q: Kysely<Tables>) =>
  q
    .selectFrom('org_members')
    .innerJoin('users', 'users.id', 'org_members.user_id')
    .innerJoin('owners', 'owners.id', 'users.id')
    .select([
      'users.id',
      'owners.name',
      'owners.display_name',
      'users.email',
      'org_members.role',
      'org_members.joined_at',
    ]);

export const listOrgMembers = statement((q, p: { orgId: string }) =>
  selectMembers(q).where('org_members.org_id', '=', p.orgId).orderBy('owners.name_key'),
);

const roleRanks = orgRoles.map((role, rank) => sql`when ${sql.lit(role)} then ${sql.lit(rank)}`);
const memberKeys = {
  ...userKeys,
  role: sql<number>`case org_members.role ${sql.join(roleRanks, sql` `)} end`,
  joined_at: sql.ref<number>('org_members.joined_at'),
};

export const pageOrgMembers = (
  db: Db,
  { orgId, role }: { orgId: string; role?: OrgMembersTable['role'] | undefined },
  listing: Listing<keyof typeof memberKeys>,
) =>
  query(db, (q) => {
    const members = selectMembers(q)
      .select(['owners.avatar_url', 'users.service_org_id'])
      .where('org_members.org_id', '=', orgId)
      .where(containsTerms(listing.terms, userNames));
    const matching = role ? members.where('org_members.role', '=', role) : members;
    return selectPage(matching, { key: memberKeys[listing.sort], id: sql.ref('users.id') }, listing);
  });

export const findOrgMember = statement((q, p: { orgId: string; key: string }) =>
  selectMembers(q).where('org_members.org_id', '=', p.orgId).where('owners.name_key', '=', p.key),
);

export const lockOrgMember = statement((q, p: { orgId: string; emailKey: string }, dialect) =>
  lockRows(
    dialect,
    q
      .selectFrom('org_members')
      .select('user_id')
      .where('org_id', '=', p.orgId)
      .where('user_id', 'in', q.selectFrom('users').select('id').where('email_key', '=', p.emailKey)),
  ),
);

/** Locked so that two admins can't demote or remove each other at the same time. */
export const lockOrgAdmins = statement((q, p: { orgId: string }, dialect) =>
  lockRows(
    dialect,
    q.selectFrom('org_members').select('user_id').where('org_id', '=', p.orgId).where('role', '=', 'admin'),
  ),
);

export const findOrgRole = statement((q, p: { orgId: string; userId: string }) =>
  q
    .selectFrom('org_members')
    .innerJoin('users', 'users.id', 'org_members.user_id')
    .select('org_members.role')
    .where('org_members.org_id', '=', p.orgId)
    .where('org_members.user_id', '=', p.userId)
    .where('users.is_disabled', '=', 0),
);

export const saveOrgMember = insertInto('org_members', (insert, p) =>
  insert.onConflict((c) => c.columns(['org_id', 'user_id']).doUpdateSet({ role: p.role })),
);

export const deleteOrgMember = statement((q, p: { orgId: string; userId: string }) =>
  q.deleteFrom('org_members').where('org_id', '=', p.orgId).where('user_id', '=', p.userId),
);
