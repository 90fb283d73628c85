import { insertInto, type ReleaseResigningsTable, statement } from '../releases.tables.ts';

export const insertResigning = insertInto('release_resignings');

interface OfRelease {
  appId: string;
  releaseId: number;
}

const MOST_LISTED = 50;

export const listResignings = statement((q, p: OfRelease) =>
  q
    .selectFrom('release_resignings')
    .selectAll()
    .where('app_id', '=', p.appId)
    .where('release_id', '=', p.releaseId)
    .orderBy('id', 'desc')
    .limit(MOST_LISTED),
);

export const listResigningsOf = statement((q, p: OfRelease) =>
  q
    .selectFrom('release_resignings')
    .select('id')
    .where('app_id', '=', p.appId)
    .where('release_id', '=', p.releaseId)
    .orderBy('id'),
);

/** Those of which a runner has not yet told the end. */
export const listOpenResignings = statement((q, p: OfRelease) =>
  q
    .selectFrom('release_resignings')
    .select(['id', 'status'])
    .where('app_id', '=', p.appId)
    .where('release_id', '=', p.releaseId)
    .where('status', 'in', ['submitted', 'processing'])
    .orderBy('id'),
);

export const findResigning = statement((q, p: { id: string }) =>
  q.selectFrom('release_resignings').selectAll().where('id', '=', p.id),
);

/** One that has ended stays as it is. */
export const saveResigning = statement((q, p: Pick<ReleaseResigningsTable, 'id' | 'status' | 'error' | 'udids'>) =>
  q
    .updateTable('release_resignings')
    .set({ status: p.status, error: p.error, udids: p.udids })
    .where('id', '=', p.id)
    .where('status', 'in', ['submitted', 'processing']),
);

export const deleteResigning = statement((q, p: { id: string }) =>
  q.deleteFrom('release_resignings').where('id', '=', p.id),
);

/** Of everybody who has the release, by a group that its app is still in or by themselves. */
export const listDevicesOfRelease = statement((q, p: OfRelease & { limit: number }) =>
  q
    .selectFrom('devices')
    .innerJoin('owners', 'owners.id', 'devices.user_id')
    .select(['devices.udid', 'devices.model', 'owners.display_name as owner_name'])
    .where(
      'devices.user_id',
      'in',
      q
        .selectFrom('release_groups')
        .innerJoin('distribution_group_members', 'distribution_group_members.group_id', 'release_groups.group_id')
        .innerJoin('distribution_group_apps', (join) =>
          join
            .onRef('distribution_group_apps.group_id', '=', 'release_groups.group_id')
            .onRef('distribution_group_apps.app_id', '=', 'release_groups.app_id'),
        )
        .select('distribution_group_members.user_id')
        .where('release_groups.app_id', '=', p.appId)
        .where('release_groups.release_id', '=', p.releaseId)
        .union(
          q
            .selectFrom('release_groups')
            .innerJoin('app_readers', 'app_readers.app_id', 'release_groups.group_id')
            .select('app_readers.user_id')
            .where('release_groups.app_id', '=', p.appId)
            .where('release_groups.release_id', '=', p.releaseId)
            .where('release_groups.group_id', '=', p.appId),
        )
        .union(
          q
            .selectFrom('release_testers')
            .select('release_testers.user_id')
            .where('release_testers.app_id', '=', p.appId)
            .where('release_testers.release_id', '=', p.releaseId),
        ),
    )
    .orderBy('devices.udid')
    .limit(p.limit),
);

interface Replaced extends OfRelease {
  key: string;
  size: number;
  sha256: string;
  hashes: string;
  facts: string;
}

/** The package of a release is another one, of the same version. */
export const replacePackage = statement((q, p: Replaced) =>
  q
    .updateTable('releases')
    .set({ blob_key: p.key, size: p.size, sha256: p.sha256, hashes: p.hashes, facts: p.facts })
    .where('app_id', '=', p.appId)
    .where('id', '=', p.releaseId),
);
