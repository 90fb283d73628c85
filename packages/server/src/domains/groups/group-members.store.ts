import { type Kysely, sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { personColumns } from '../../db/rows/columns.ts';
import { containsTerms, selectPage } from '../../db/rows/listing.ts';
import type { Listing } from '../../kernel/paging.ts';
import { type DistributionGroupInvitationsTable, insertInto, query, statement, type Tables } from './groups.tables.ts';

const selectPeople = (q: Kysely<Tables>) => q.selectFrom('people').select(personColumns);

/** IDs of the users in a group. For a group with the ID of its app: the users of the app, without service accounts. */
const memberIds = (q: Kysely<Tables>, p: { groupId: string }) =>
  q
    .selectFrom('distribution_group_members')
    .select('distribution_group_members.user_id')
    .where('distribution_group_members.group_id', '=', p.groupId)
    .union(
      q
        .selectFrom('app_readers')
        .innerJoin('people', 'people.id', 'app_readers.user_id')
        .innerJoin('distribution_groups', 'distribution_groups.id', 'app_readers.app_id')
        .select('app_readers.user_id')
        .where('app_readers.app_id', '=', p.groupId)
        .where('people.service_org_id', 'is', null),
    );

export const listMembers = statement((q, p: { groupId: string }) =>
  selectPeople(q).where('people.id', 'in', memberIds(q, p)).orderBy('people.email_key'),
);

export const listInvitations = statement((q, p: { groupId: string }) =>
  q.selectFrom('distribution_group_invitations').select('email').where('group_id', '=', p.groupId).orderBy('email_key'),
);

/** Members and pending invitations of a group, as one list. */
const selectTesters = (q: Kysely<Tables>, p: { groupId: string }) =>
  selectPeople(q)
    .select([
      'people.email_key',
      'people.name_key',
      'people.display_name_key',
      sql<0 | 1>`0`.as('is_pending'),
      sql<string>`people.id`.as('tester_id'),
    ])
    .where('people.id', 'in', memberIds(q, p))
    .unionAll(
      q
        .selectFrom('distribution_group_invitations')
        .select([
          sql<string>`''`.as('id'),
          sql<string>`''`.as('name'),
          sql<string>`email`.as('display_name'),
          'email',
          sql<string | null>`null`.as('avatar_url'),
          sql<0 | 1>`0`.as('is_admin'),
          'email_key',
          sql<string>`''`.as('name_key'),
          sql<string>`email_key`.as('display_name_key'),
          sql<0 | 1>`1`.as('is_pending'),
          // No user has such an ID, and an address has at most one invitation.
          sql<string>`'invited ' || email_key`.as('tester_id'),
        ])
        .where('group_id', '=', p.groupId),
    );

const testerNames = ['testers.display_name_key', 'testers.name_key', 'testers.email_key'];
const testerKeys = {
  email: sql.ref<string>('testers.email_key'),
  display_name: sql.ref<string>('testers.display_name_key'),
};

export const pageTesters = (
  db: Db,
  { groupId, isPending }: { groupId: string; isPending?: boolean | undefined },
  listing: Listing<keyof typeof testerKeys>,
) =>
  query(db, (q) => {
    const testers = q
      .selectFrom(selectTesters(q, { groupId }).as('testers'))
      .selectAll()
      .where(containsTerms(listing.terms, testerNames));
    const matching = isPending === undefined ? testers : testers.where('testers.is_pending', '=', isPending ? 1 : 0);
    return selectPage(matching, { key: testerKeys[listing.sort], id: sql.ref('testers.tester_id') }, listing);
  });

const selectMemberships = (q: Kysely<Tables>) =>
  q.selectFrom('distribution_group_members').select('distribution_group_members.user_id');

export const listAppTesterRows = statement((q, p: { appId: string }) =>
  selectPeople(q)
    .where(
      'people.id',
      'in',
      selectMemberships(q)
        .innerJoin('distribution_group_apps', 'distribution_group_apps.group_id', 'distribution_group_members.group_id')
        .where('distribution_group_apps.app_id', '=', p.appId),
    )
    .orderBy('people.name_key'),
);

export const listOrgTesterRows = statement((q, p: { orgId: string }) =>
  selectPeople(q)
    .where(
      'people.id',
      'in',
      selectMemberships(q)
        .innerJoin('distribution_groups', 'distribution_groups.id', 'distribution_group_members.group_id')
        .leftJoin('app_names', 'app_names.id', 'distribution_groups.app_id')
        .where(({ eb, or }) =>
          or([eb('distribution_groups.org_id', '=', p.orgId), eb('app_names.owner_id', '=', p.orgId)]),
        ),
    )
    .orderBy('people.name_key'),
);

export const listOrgMemberIds = statement((q, p: { orgId: string }) =>
  q.selectFrom('organization_members').select('user_id as id').where('org_id', '=', p.orgId),
);

/** Keys are in lower case. */
export const listUsersByEmail = (db: Db, keys: string[]) =>
  query<{ id: string; email_key: string }>(db, (q) =>
    q.selectFrom('people').select(['id', 'email_key']).where('email_key', 'in', keys),
  );

/** Returns nothing if the user is already in the group. */
export const insertMember = insertInto('distribution_group_members', (insert) =>
  insert.onConflict((c) => c.columns(['group_id', 'user_id']).doNothing()).returning('user_id'),
);

const usersWith = (q: Kysely<Tables>, p: { key: string }) =>
  q.selectFrom('people').select('people.id').where('people.email_key', '=', p.key);

export const findMember = statement((q, p: { groupId: string; key: string }) =>
  q
    .selectFrom('distribution_group_members')
    .select('user_id')
    .where('group_id', '=', p.groupId)
    .where('user_id', 'in', usersWith(q, p)),
);

export const deleteMember = statement((q, p: { groupId: string; key: string }) =>
  q
    .deleteFrom('distribution_group_members')
    .where('group_id', '=', p.groupId)
    .where('user_id', 'in', usersWith(q, p))
    .returning('user_id'),
);

/** Returns nothing if the address has an invitation that has not expired. */
export const insertInvitation = statement((q, p: DistributionGroupInvitationsTable & { now: number }) =>
  q
    .insertInto('distribution_group_invitations')
    .values({
      group_id: p.group_id,
      email: p.email,
      email_key: p.email_key,
      token_hash: p.token_hash,
      expires_at: p.expires_at,
    })
    .onConflict((c) =>
      c
        .columns(['group_id', 'email_key'])
        .doUpdateSet({ email: p.email, token_hash: p.token_hash, expires_at: p.expires_at })
        .where('distribution_group_invitations.expires_at', '<=', p.now),
    )
    .returning('email'),
);

export const renewInvitation = statement((q, p: { groupId: string; key: string; hash: string; expiresAt: number }) =>
  q
    .updateTable('distribution_group_invitations')
    .set({ token_hash: p.hash, expires_at: p.expiresAt })
    .where('group_id', '=', p.groupId)
    .where('email_key', '=', p.key)
    .returning('email'),
);

export const deleteInvitation = statement((q, p: { groupId: string; key: string }) =>
  q
    .deleteFrom('distribution_group_invitations')
    .where('group_id', '=', p.groupId)
    .where('email_key', '=', p.key)
    .returning('email'),
);

export const findOfferByToken = statement((q, p: { hash: string; now: number }) =>
  q
    .selectFrom('distribution_group_invitations')
    .innerJoin('distribution_groups', 'distribution_groups.id', 'distribution_group_invitations.group_id')
    .leftJoin('app_names', 'app_names.id', 'distribution_groups.app_id')
    .leftJoin('owner_names', 'owner_names.id', 'distribution_groups.org_id')
    .leftJoin('owner_names as app_owners', 'app_owners.id', 'app_names.owner_id')
    .select([
      'distribution_group_invitations.email',
      'distribution_group_invitations.expires_at',
      'distribution_groups.name as group',
      'app_names.display_name as app',
      'owner_names.display_name as org',
      'app_names.name as app_name',
      'app_owners.name as owner_name',
      'app_owners.kind as owner_kind',
    ])
    .where('token_hash', '=', p.hash)
    .where('expires_at', '>', p.now),
);

export const findInvitationByToken = statement((q, p: { hash: string; now: number }) =>
  q
    .selectFrom('distribution_group_invitations')
    .select(['email', 'email_key'])
    .where('token_hash', '=', p.hash)
    .where('expires_at', '>', p.now),
);

/** Of several concurrent calls, exactly one gets the rows. */
export const takeInvitations = statement((q, p: { key: string; now: number }) =>
  q
    .deleteFrom('distribution_group_invitations')
    .where('email_key', '=', p.key)
    .where('expires_at', '>', p.now)
    .returning('group_id'),
);

/** Shared groups of an organization, and groups of its apps. */
const selectOrgGroups = (q: Kysely<Tables>, p: { orgId: string }) =>
  q
    .selectFrom('distribution_groups')
    .leftJoin('app_names', 'app_names.id', 'distribution_groups.app_id')
    .select('distribution_groups.id')
    .where(({ eb, or }) =>
      or([eb('distribution_groups.org_id', '=', p.orgId), eb('app_names.owner_id', '=', p.orgId)]),
    );

const selectAppGroups = (q: Kysely<Tables>, p: { appId: string }) =>
  q.selectFrom('distribution_groups').select('id').where('app_id', '=', p.appId);

export const deleteFromOrgGroups = statement((q, p: { orgId: string; userId: string }) =>
  q
    .deleteFrom('distribution_group_members')
    .where('user_id', '=', p.userId)
    .where('group_id', 'in', selectOrgGroups(q, p)),
);

export const deleteOrgInvitations = statement((q, p: { orgId: string; emailKey: string }) =>
  q
    .deleteFrom('distribution_group_invitations')
    .where('email_key', '=', p.emailKey)
    .where('group_id', 'in', selectOrgGroups(q, p)),
);

export const deleteFromAppGroups = statement((q, p: { appId: string; userId: string }) =>
  q
    .deleteFrom('distribution_group_members')
    .where('user_id', '=', p.userId)
    .where('group_id', 'in', selectAppGroups(q, p)),
);

export const deleteAppInvitations = statement((q, p: { appId: string; emailKey: string }) =>
  q
    .deleteFrom('distribution_group_invitations')
    .where('email_key', '=', p.emailKey)
    .where('group_id', 'in', selectAppGroups(q, p)),
);
