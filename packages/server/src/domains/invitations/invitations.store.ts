import { type Kysely, sql } from 'kysely';
import { inOrder, mentionsWords } from '../../db/listing.ts';
import type { Db } from '../../db/open.ts';
import { isAmong } from '../../db/portable.ts';
import type { Arrangement } from '../../kernel/paging.ts';
import { type InvitationsTable, insertInto, query, statement, type Tables, updateRow } from './invitations.tables.ts';

export type InvitationRow = InvitationsTable;

const selectWithPeople = (q: Kysely<Tables>) =>
  q
    .selectFrom('invitations')
    .innerJoin('users as inviters', 'inviters.id', 'invitations.invited_by')
    .innerJoin('owners as inviter_owners', 'inviter_owners.id', 'inviters.id')
    .leftJoin('users as invited', 'invited.email_key', 'invitations.email_key')
    .select([
      'invitations.id',
      'invitations.email',
      'invitations.role',
      'invitations.expires_at',
      'invited.id as invited_id',
      'inviters.id as inviter_id',
      'inviters.email as inviter_email',
      'inviters.is_admin as inviter_is_admin',
      'inviter_owners.name as inviter_name',
      'inviter_owners.display_name as inviter_display_name',
      'inviter_owners.avatar_url as inviter_avatar_url',
    ]);

const invitationKeys = {
  email: sql.ref<string>('invitations.email_key'),
  role: sql.ref<string>('invitations.role'),
  expires_at: sql.ref<number>('invitations.expires_at'),
};

/** For invitations to organizations, and for those to apps: each is unique by its target and the e-mail. */
const statementsFor = (column: 'org_id' | 'app_id') => ({
  /** Makes one, or puts a new link and role in the place of the old. */
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
  list: (db: Db, targetId: string, { words, sort, order }: Arrangement<keyof typeof invitationKeys>) =>
    query(db, (q) =>
      inOrder(
        selectWithPeople(q)
          .where(`invitations.${column}`, '=', targetId)
          .where(mentionsWords(words, ['invitations.email'])),
        { key: invitationKeys[sort], id: sql.ref('invitations.id') },
        { order },
      ),
    ),
});

export const invitationsTo = { org: statementsFor('org_id'), app: statementsFor('app_id') };

export const findByToken = statement((q, p: { hash: string; kind: 'org' | 'app' }) =>
  q.selectFrom('invitations').selectAll().where('token_hash', '=', p.hash).where('kind', '=', p.kind),
);

export const findOfferByToken = statement((q, p: { hash: string; kind: 'org' | 'app' }) =>
  q
    .selectFrom('invitations')
    .innerJoin('owners as inviters', 'inviters.id', 'invitations.invited_by')
    .leftJoin('owners as orgs', 'orgs.id', 'invitations.org_id')
    .leftJoin('apps', 'apps.id', 'invitations.app_id')
    .select([
      'invitations.email',
      'invitations.role',
      'invitations.expires_at',
      'inviters.display_name as inviter',
      'orgs.display_name as org',
      'apps.display_name as app',
    ])
    .where('invitations.token_hash', '=', p.hash)
    .where('invitations.kind', '=', p.kind),
);

/** Something comes back for exactly one of those who use a link at the same time. */
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

/** To the organization, and to each of its apps. */
export const listInOrgTo = statement((q, p: { orgId: string; key: string }) =>
  q
    .selectFrom('invitations')
    .select(openColumns)
    .where('email_key', '=', p.key)
    .where((eb) =>
      eb.or([
        eb('org_id', '=', p.orgId),
        eb('app_id', 'in', q.selectFrom('apps').select('apps.id').where('apps.owner_id', '=', p.orgId)),
      ]),
    )
    .orderBy('id'),
);
