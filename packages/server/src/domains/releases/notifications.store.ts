import { statement } from './releases.tables.ts';

/** Who has a release by a group, or by themselves, and can sign in. */
export const listTestersOfDestination = statement((q, p: { appId: string; releaseId: number; id: string }) =>
  q
    .selectFrom('release_groups')
    .innerJoin('distribution_group_members', 'distribution_group_members.group_id', 'release_groups.group_id')
    .innerJoin('users', 'users.id', 'distribution_group_members.user_id')
    .select('users.email')
    .where('release_groups.app_id', '=', p.appId)
    .where('release_groups.release_id', '=', p.releaseId)
    .where('release_groups.group_id', '=', p.id)
    .where('users.is_disabled', '=', 0)
    .union(
      q
        .selectFrom('release_testers')
        .innerJoin('users', 'users.id', 'release_testers.user_id')
        .select('users.email')
        .where('release_testers.app_id', '=', p.appId)
        .where('release_testers.release_id', '=', p.releaseId)
        .where('release_testers.user_id', '=', p.id)
        .where('users.is_disabled', '=', 0),
    ),
);
