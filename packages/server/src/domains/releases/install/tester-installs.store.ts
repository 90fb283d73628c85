import { sql } from 'kysely';
import { insertInto, statement } from '../releases.tables.ts';

/** Keeps the newest release, so that reinstalling an older one does not hide an update. */
export const saveTesterInstall = insertInto('tester_installs', (insert) =>
  insert.onConflict((c) =>
    c
      .columns(['user_id', 'app_id'])
      .doUpdateSet({
        release_id: sql<number>`excluded.release_id`,
        installed_at: sql<number>`excluded.installed_at`,
      })
      .whereRef('tester_installs.release_id', '<', sql.ref('excluded.release_id')),
  ),
);

export const listTesterInstalls = statement((q, p: { userId: string }) =>
  q.selectFrom('tester_installs').select(['app_id', 'release_id']).where('user_id', '=', p.userId),
);

export const findTesterInstall = statement((q, p: { userId: string; appId: string }) =>
  q.selectFrom('tester_installs').select('release_id').where('user_id', '=', p.userId).where('app_id', '=', p.appId),
);

/** A group through which a user has a release. */
export const findInstallGroup = statement((q, p: { appId: string; releaseId: number; userId: string }) =>
  q
    .selectFrom('release_groups')
    .innerJoin('group_apps', (join) =>
      join
        .onRef('group_apps.group_id', '=', 'release_groups.group_id')
        .onRef('group_apps.app_id', '=', 'release_groups.app_id'),
    )
    .innerJoin('group_members', 'group_members.group_id', 'release_groups.group_id')
    .select('release_groups.group_id as id')
    .where('release_groups.app_id', '=', p.appId)
    .where('release_groups.release_id', '=', p.releaseId)
    .where('group_members.user_id', '=', p.userId)
    .orderBy('release_groups.added_at')
    .limit(1),
);

/** Returns a row if the user may view the app. */
export const findAppReader = statement((q, p: { appId: string; userId: string }) =>
  q
    .selectFrom('app_readers')
    .select('app_readers.app_id')
    .where('app_readers.app_id', '=', p.appId)
    .where('app_readers.user_id', '=', p.userId)
    .limit(1),
);
