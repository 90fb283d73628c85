import { sql } from 'kysely';
import { insertInto, statement } from '../releases.tables.ts';

/** Everybody who has a release by a group, or by themselves, can sign in, and wants mails is yet to be told of it. */
export const insertNotices = statement((q, p: { appId: string; releaseId: number; id: string }) =>
  q
    .insertInto('release_notices')
    .columns(['user_id', 'app_id', 'release_id'])
    .expression(
      q
        .selectFrom('users')
        .innerJoin('releases', (join) => join.on('releases.app_id', '=', p.appId).on('releases.id', '=', p.releaseId))
        .select(['users.id', 'releases.app_id', 'releases.id as release_id'])
        .where('users.is_disabled', '=', 0)
        .where((eb) =>
          eb.or([
            eb('users.id', '=', p.id),
            eb.exists(
              eb
                .selectFrom('distribution_group_members')
                .select('distribution_group_members.user_id')
                .where('distribution_group_members.group_id', '=', p.id)
                .whereRef('distribution_group_members.user_id', '=', 'users.id'),
            ),
            // The group of collaborators has the id of the app.
            eb.and([
              eb(sql<string>`${p.id}`, '=', p.appId),
              eb('users.service_org_id', 'is', null),
              eb.exists(
                eb
                  .selectFrom('app_readers')
                  .select('app_readers.user_id')
                  .where('app_readers.app_id', '=', p.appId)
                  .whereRef('app_readers.user_id', '=', 'users.id'),
              ),
            ]),
          ]),
        )
        .where('users.id', 'not in', q.selectFrom('release_mail_refusals').select('release_mail_refusals.user_id')),
    )
    .onConflict((c) => c.doNothing()),
);

/** The newest enabled release of each app that a group was given, for a user who wants mails and does not have it otherwise. */
export const insertNoticesOfGroup = statement((q, p: { groupId: string; userId: string }) => {
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
        .innerJoin('users', (join) => join.on('users.id', '=', p.userId))
        .select(['users.id', 'newest.app_id', 'newest.release_id'])
        .where('users.is_disabled', '=', 0)
        .where('users.id', 'not in', q.selectFrom('release_mail_refusals').select('release_mail_refusals.user_id'))
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('release_groups as others')
                .innerJoin('distribution_group_members', 'distribution_group_members.group_id', 'others.group_id')
                .select('others.group_id')
                .whereRef('others.app_id', '=', 'newest.app_id')
                .whereRef('others.release_id', '=', 'newest.release_id')
                .where('others.group_id', '<>', p.groupId)
                .where('distribution_group_members.user_id', '=', p.userId),
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
    .selectFrom('users')
    .select(['users.id', 'users.email'])
    .where('users.id', 'in', q.selectFrom('release_notices').select('release_notices.user_id'))
    .orderBy('users.id')
    .limit(p.limit),
);

/** Whoever takes them tells of them in the same transaction. */
export const takeNotices = statement((q, p: { userId: string }) =>
  q.deleteFrom('release_notices').where('user_id', '=', p.userId).returning(['app_id', 'release_id']),
);

export const findMailReader = statement((q, p: { userId: string }) =>
  q.selectFrom('users').select('users.id').where('users.id', '=', p.userId),
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
