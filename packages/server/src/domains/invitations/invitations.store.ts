import { type Kysely, sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { isAmong } from '../../db/portable.ts';
import { inOrder, mentionsTerms } from '../../db/rows/listing.ts';
import type { Arrangement } from '../../kernel/paging.ts';
import { type InvitationsTable, insertInto, query, statement, type Tables, updateRow } from './invitations.tables.ts';

export type InvitationRow = InvitationsTable;

const selectWithPeople = (q: Kysely<Tables>) =>
  q
    .selectFrom('invitations')
    .innerJoin('people as inviters', 'inviters.id', 'invitations.invited_by')
    .select([
      'invitations.id',
      'invitations.email',
      'invitations.role',
      'invitations.expires_at',
      'inviters.id as inviter_id',
      'inviters.email as inviter_email',
      'inviters.is_admin as inviter_is_admin',
      'inviters.name as inviter_name',
      'inviters.display_name as inviter_display_name',
      'inviters.avatar_url as inviter_avatar_url',
    ])
    .select((eb) =>
      eb
        .selectFrom('people')
        .select('people.id')
        .whereRef('people.email_key', '=', 'invitations.email_key')
        .as('invited_id'),
    );

const invitationKeys = {
  email: sql.ref<string>('invitations.email_key'),
  role: sql.ref<string>('invitations.role'),
  expires_at: sql.ref<number>('invitations.expires_at'),
};

/** For invitations to organizations and to apps: each is unique by target and email address. */
const statementsFor = (column: 'org_id' | 'app_id') => ({
  /** Creates an invitation, or replaces the link and role of an existing one. */
  save: insertInto('invitations', (insert, _p) =>
    insert
      .onConflict((c) =>
        c.columns([column, 'email_key']).doUpdateSet((eb) => ({
          token_hash: eb.ref('excluded.token_hash'),
          email: eb.ref('excluded.email'),
          role: eb.ref('excluded.role'),
          invited_by: eb.ref('excluded.invited_by'),
          expires_at: eb.ref('excluded.expires_at'),
        })),
      )
      .returning('id'),
  ),
  find: statement((q, p: { targetId: string; key: string }) =>
    q
      .selectFrom('invitations')
      .select(['id', 'email', 'role'])
      .where(column, '=', p.targetId)
      .where('email_key', '=', p.key),
  ),
  list: (db: Db, targetId: string, { terms, sort, order }: Arrangement<keyof typeof invitationKeys>) =>
    query(db, (q) =>
      inOrder(
        selectWithPeople(q)
          .where(`invitations.${column}`, '=', targetId)
          .where(mentionsTerms(terms, ['invitations.email'])),
        { key: invitationKeys[sort], id: sql.ref('invitations.id') },
        { order },
      ),
    ),
});

/** Open invitations to an app that have not expired. */
export const countAppInvitations = statement((q, p: { appId: string; now: number }) =>
  q
    .selectFrom('invitations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('app_id', '=', p.appId)
    .where('expires_at', '>', p.now),
);

export const invitationsTo = { org: statementsFor('org_id'), app: statementsFor('app_id') };

export const findByToken = statement((q, p: { hash: string; kind: 'org' | 'app' }) =>
  q.selectFrom('invitations').selectAll().where('token_hash', '=', p.hash).where('kind', '=', p.kind),
);

export const findOfferByToken = statement((q, p: { hash: string; kind: 'org' | 'app' }) =>
  q
    .selectFrom('invitations')
    .innerJoin('owner_names as inviters', 'inviters.id', 'invitations.invited_by')
    .leftJoin('owner_names as orgs', 'orgs.id', 'invitations.org_id')
    .leftJoin('app_names', 'app_names.id', 'invitations.app_id')
    .leftJoin('owner_names as app_owners', 'app_owners.id', 'app_names.owner_id')
    .select([
      'invitations.email',
      'invitations.role',
      'invitations.expires_at',
      'inviters.display_name as inviter',
      'orgs.display_name as org',
      'app_names.display_name as app',
      'orgs.name as org_name',
      'app_names.name as app_name',
      'app_owners.name as owner_name',
      'app_owners.kind as owner_kind',
    ])
    .where('invitations.token_hash', '=', p.hash)
    .where('invitations.kind', '=', p.kind),
);

/** Returns a row for exactly one of several concurrent uses. */
export const useToken = statement((q, p: { hash: string }) =>
  q.deleteFrom('invitations').where('token_hash', '=', p.hash).returning('id'),
);

export const updateRole = updateRow('invitations');

export const deleteInvitation = statement((q, p: { id: string }) =>
  q.deleteFrom('invitations').where('id', '=', p.id).returning('id'),
);

export const listSentBy = statement((q, p: { userId: string }) =>
  q
    .selectFrom('invitations')
    .select(['id', 'email', 'org_id', 'app_id', 'expires_at'])
    .where('invited_by', '=', p.userId)
    .orderBy('id', 'desc'),
);

const openColumns = ['id', 'email', 'role', 'org_id', 'app_id', 'invited_by'] as const;
export type OpenInvitation = Pick<InvitationRow, (typeof openColumns)[number]>;

/** `userIds` is a JSON array. */
export const listInvitedBy = statement((q, p: { userIds: string }, dialect) =>
  q
    .selectFrom('invitations')
    .select(openColumns)
    .where(isAmong(dialect, 'invited_by', p.userIds))
    .orderBy('id'),
);

export const listToApp = statement((q, p: { appId: string }) =>
  q.selectFrom('invitations').select(openColumns).where('app_id', '=', p.appId).orderBy('id'),
);

/** Invitations to the organization and to each of its apps. */
export const listInOrgTo = statement((q, p: { orgId: string; key: string }) =>
  q
    .selectFrom('invitations')
    .select(openColumns)
    .where('email_key', '=', p.key)
    .where((eb) =>
      eb.or([
        eb('org_id', '=', p.orgId),
        eb('app_id', 'in', q.selectFrom('app_names').select('app_names.id').where('app_names.owner_id', '=', p.orgId)),
      ]),
    )
    .orderBy('id'),
);
