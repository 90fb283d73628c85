import type { Kysely } from 'kysely';
import { insertInto, statement, type Tables } from '../releases.tables.ts';

const selectMembers = (q: Kysely<Tables>, p: { id: string }) =>
  q.selectFrom('group_members').select('group_members.user_id').where('group_members.group_id', '=', p.id);

/** Adds a notice for every user who has a release through a group or directly, can sign in, and wants emails. */
export const insertNotices = statement((q, p: { appId: string; releaseId: number; id: string }) =>
  q
    .insertInto('release_notices')
    .columns(['user_id', 'app_id', 'release_id'])
    .expression(
      q
        .selectFrom('people')
        .innerJoin('releases', (join) => join.on('releases.app_id', '=', p.appId).on('releases.id', '=', p.releaseId))
        .select(['people.id', 'releases.app_id', 'releases.id as release_id'])
        .where('people.is_disabled', '=', 0)
        .where((eb) =>
          eb.or([
            eb('people.id', '=', p.id),
            eb('people.id', 'in', selectMembers(q, p).where('group_members.is_collaborator', '=', 0)),
            // Service accounts among the collaborators read no emails.
            eb.and([eb('people.service_org_id', 'is', null), eb('people.id', 'in', selectMembers(q, p))]),
          ]),
        )
        .where('people.id', 'not in', q.selectFrom('release_mail_refusals').select('release_mail_refusals.user_id')),
    )
    .onConflict((c) => c.doNothing()),
);

/** The newest enabled release of each app of a group, for a user who wants emails and does not have it otherwise. */
export const insertGroupNotices = statement((q, p: { groupId: string; userId: string }) => {
  const newest = q
    .selectFrom('release_groups')
    .innerJoin('releases', (join) =>
      join
        .onRef('releases.app_id', '=', 'release_groups.app_id')
        .onRef('releases.id', '=', 'release_groups.release_id'),
    )
    .select(({ fn }) => ['releases.app_id', fn.max('releases.id').as('release_id')])
    .where('release_groups.group_id', '=', p.groupId)
    .where('releases.is_enabled', '=', 1)
    .groupBy('releases.app_id');
  return q
    .insertInto('release_notices')
    .columns(['user_id', 'app_id', 'release_id'])
    .expression(
      q
        .selectFrom(newest.as('newest'))
        .innerJoin('people', (join) => join.on('people.id', '=', p.userId))
        .select(['people.id', 'newest.app_id', 'newest.release_id'])
        .where('people.is_disabled', '=', 0)
        .where('people.id', 'not in', q.selectFrom('release_mail_refusals').select('release_mail_refusals.user_id'))
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('release_groups as others')
                .innerJoin('group_members', 'group_members.group_id', 'others.group_id')
                .select('others.group_id')
                .whereRef('others.app_id', '=', 'newest.app_id')
                .whereRef('others.release_id', '=', 'newest.release_id')
                .where('others.group_id', '<>', p.groupId)
                .where('group_members.user_id', '=', p.userId)
                .where('group_members.is_collaborator', '=', 0),
            ),
          ),
        )
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('release_testers')
                .select('release_testers.user_id')
                .whereRef('release_testers.app_id', '=', 'newest.app_id')
                .whereRef('release_testers.release_id', '=', 'newest.release_id')
                .where('release_testers.user_id', '=', p.userId),
            ),
          ),
        ),
    )
    .onConflict((c) => c.doNothing());
});

export const listNoticedUsers = statement((q, p: { limit: number }) =>
  q
    .selectFrom('people')
    .select(['people.id', 'people.email'])
    .where('people.id', 'in', q.selectFrom('release_notices').select('release_notices.user_id'))
    .orderBy('people.id')
    .limit(p.limit),
);

/** Takes the notices; the caller sends them in the same transaction. */
export const takeNotices = statement((q, p: { userId: string }) =>
  q.deleteFrom('release_notices').where('user_id', '=', p.userId).returning(['app_id', 'release_id']),
);

export const findMailReader = statement((q, p: { userId: string }) =>
  q.selectFrom('people').select('people.id').where('people.id', '=', p.userId),
);

export const findMailRefusal = statement((q, p: { userId: string }) =>
  q.selectFrom('release_mail_refusals').select('user_id').where('user_id', '=', p.userId),
);

export const insertMailRefusal = insertInto('release_mail_refusals', (insert) =>
  insert.onConflict((c) => c.column('user_id').doNothing()),
);

export const deleteMailRefusal = statement((q, p: { userId: string }) =>
  q.deleteFrom('release_mail_refusals').where('user_id', '=', p.userId),
);
