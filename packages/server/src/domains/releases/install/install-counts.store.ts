import { statement } from '../releases.tables.ts';

/** A release that a public group has, if the group was named by its id. */
export const findPublicRelease = statement(
  (q, p: { ownerKey: string; appKey: string; groupId: string; releaseId: number }) =>
    q
      .selectFrom('release_groups')
      .innerJoin('distribution_groups', 'distribution_groups.id', 'release_groups.group_id')
      .innerJoin('distribution_group_apps', (join) =>
        join
          .onRef('distribution_group_apps.group_id', '=', 'release_groups.group_id')
          .onRef('distribution_group_apps.app_id', '=', 'release_groups.app_id'),
      )
      .innerJoin('apps', 'apps.id', 'release_groups.app_id')
      .innerJoin('owners', 'owners.id', 'apps.owner_id')
      .select('apps.id')
      .where('owners.name_key', '=', p.ownerKey)
      .where('apps.name_key', '=', p.appKey)
      .where('release_groups.group_id', '=', p.groupId)
      .where('release_groups.release_id', '=', p.releaseId)
      .where('distribution_groups.is_public', '=', 1),
);

/** How often each release of an app was installed, by which group, and by how many. */
export const countInstalls = statement((q, p: { appId: string }) =>
  q
    .selectFrom('release_installs')
    .select(['release_id', 'group_id', (eb) => eb.fn.countAll().as('unique'), (eb) => eb.fn.sum('count').as('total')])
    .where('app_id', '=', p.appId)
    .groupBy(['release_id', 'group_id']),
);

/** Somebody who installed it by several groups is one. */
export const countInstallers = statement((q, p: { appId: string; releaseId: number }) =>
  q
    .selectFrom('release_installs')
    .select((eb) => eb.fn.count('installer').distinct().as('unique'))
    .where('app_id', '=', p.appId)
    .where('release_id', '=', p.releaseId),
);
