import { sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { insertInto, query, type ReleaseInstallsTable, statement } from '../releases.tables.ts';

/** Increases the count of an existing row. */
export const countInstall = insertInto('release_installs', (insert) =>
  insert.onConflict((c) =>
    c.columns(['app_id', 'release_id', 'group_id', 'installer']).doUpdateSet({
      count: sql<number>`release_installs.count + excluded.count`,
      noted_at: sql<number>`excluded.noted_at`,
    }),
  ),
);

type InstallKey = Pick<ReleaseInstallsTable, 'app_id' | 'release_id' | 'group_id' | 'installer'>;

/** Returns whether the row exists. */
export const raiseInstall = statement((q, p: InstallKey & { now: number }) =>
  q
    .updateTable('release_installs')
    .set({ count: sql<number>`count + 1`, noted_at: p.now })
    .where('app_id', '=', p.app_id)
    .where('release_id', '=', p.release_id)
    .where('group_id', '=', p.group_id)
    .where('installer', '=', p.installer),
);

/** Returns a row if a release has more rows than the offset. */
export const findReleaseInstall = statement((q, p: { appId: string; releaseId: number; offset: number }) =>
  q
    .selectFrom('release_installs')
    .select('release_id')
    .where('app_id', '=', p.appId)
    .where('release_id', '=', p.releaseId)
    .limit(1)
    .offset(p.offset),
);

/** The same for a group that has the release. */
export const findGroupInstall = statement(
  (q, p: { appId: string; releaseId: number; groupId: string; offset: number }) =>
    q
      .selectFrom('release_installs')
      .select('release_id')
      .where('app_id', '=', p.appId)
      .where('release_id', '=', p.releaseId)
      .where('group_id', '=', p.groupId)
      .limit(1)
      .offset(p.offset),
);

/** Sets the time of rows that earlier versions wrote. */
export const stampInstalls = statement((q, p: { now: number; limit: number }) =>
  q
    .updateTable('release_installs')
    .set({ noted_at: p.now })
    .where(({ refTuple, selectFrom }) => {
      const unstamped = selectFrom('release_installs as old')
        .select(['old.app_id', 'old.release_id', 'old.group_id', 'old.installer'])
        .where('old.noted_at', '=', 0)
        .limit(p.limit);
      return sql<boolean>`${refTuple('app_id', 'release_id', 'group_id', 'installer')} in ${unstamped}`;
    }),
);

/** Returns a row if the app has the release. */
export const findReleaseId = statement((q, p: { appId: string; releaseId: number }) =>
  q.selectFrom('releases').select('id').where('app_id', '=', p.appId).where('id', '=', p.releaseId),
);

const listOldInstalls = statement((q, p: { before: number; other: string; limit: number }) =>
  q
    .selectFrom('release_installs')
    .selectAll()
    .where('noted_at', '<', p.before)
    .where('installer', '<>', p.other)
    .orderBy('noted_at')
    .limit(p.limit),
);

/** Moves the counts of old rows to one row for each release and group; returns the number of moved rows. */
export async function combineOldInstalls(
  db: Db,
  { other, now, ...p }: { before: number; other: string; now: number; limit: number },
): Promise<number> {
  const rows = await listOldInstalls.all(db, { ...p, other });
  const groups = Map.groupBy(rows, (row) => JSON.stringify([row.app_id, row.release_id, row.group_id]));
  for (const old of groups.values()) {
    const [{ app_id, release_id, group_id } = { app_id: '', release_id: 0, group_id: '' }] = old;
    const count = old.reduce((sum, row) => sum + Number(row.count), 0);
    await countInstall.run(db, { app_id, release_id, group_id, installer: other, count, noted_at: now });
    const installers = old.map(({ installer }) => installer);
    await query(db, (q) =>
      q
        .deleteFrom('release_installs')
        .where('app_id', '=', app_id)
        .where('release_id', '=', release_id)
        .where('group_id', '=', group_id)
        .where('installer', 'in', installers),
    );
  }
  return rows.length;
}

/** Finds a release of a public group, which is named by its ID. */
export const findPublicRelease = statement(
  (q, p: { ownerKey: string; appKey: string; groupId: string; releaseId: number }) =>
    q
      .selectFrom('release_groups')
      .innerJoin('group_apps', (join) =>
        join
          .onRef('group_apps.group_id', '=', 'release_groups.group_id')
          .onRef('group_apps.app_id', '=', 'release_groups.app_id'),
      )
      .innerJoin('app_names', 'app_names.id', 'release_groups.app_id')
      .innerJoin('owner_names', 'owner_names.id', 'app_names.owner_id')
      .select('app_names.id')
      .where('owner_names.name_key', '=', p.ownerKey)
      .where('app_names.name_key', '=', p.appKey)
      .where('release_groups.group_id', '=', p.groupId)
      .where('release_groups.release_id', '=', p.releaseId)
      .where('group_apps.is_public', '=', 1),
);

/** Counts installs and installers of an app's releases, by group. */
export const countInstalls = statement((q, p: { appId: string }) =>
  q
    .selectFrom('release_installs')
    .select(['release_id', 'group_id', (eb) => eb.fn.countAll().as('unique'), (eb) => eb.fn.sum('count').as('total')])
    .where('app_id', '=', p.appId)
    .groupBy(['release_id', 'group_id']),
);

/** A user who installed it through several groups counts once. */
export const countInstallers = statement((q, p: { appId: string; releaseId: number }) =>
  q
    .selectFrom('release_installs')
    .select((eb) => eb.fn.count('installer').distinct().as('unique'))
    .where('app_id', '=', p.appId)
    .where('release_id', '=', p.releaseId),
);
