import { insertInto, type ReleaseResigningsTable, statement } from '../releases.tables.ts';

export const insertResigning = insertInto('release_resignings');

interface OfRelease {
  appId: string;
  releaseId: number;
}

const MAX_LISTED = 50;

export const listResignings = statement((q, p: OfRelease) =>
  q
    .selectFrom('release_resignings')
    .selectAll()
    .where('app_id', '=', p.appId)
    .where('release_id', '=', p.releaseId)
    .orderBy('id', 'desc')
    .limit(MAX_LISTED),
);

export const listReleaseResignings = statement((q, p: OfRelease) =>
  q
    .selectFrom('release_resignings')
    .select('id')
    .where('app_id', '=', p.appId)
    .where('release_id', '=', p.releaseId)
    .orderBy('id'),
);

/** Re-signings whose job has not ended. */
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

/** An ended re-signing is not changed. */
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

/** Devices of all users who have the release, through a group that its app is still in, or directly. */
export const listReleaseDevices = statement((q, p: OfRelease & { limit: number }) =>
  q
    .selectFrom('devices')
    .innerJoin('owner_names', 'owner_names.id', 'devices.user_id')
    .select(['devices.udid', 'devices.model', 'owner_names.display_name as owner_name'])
    .where(
      'devices.user_id',
      'in',
      q
        .selectFrom('release_groups')
        .innerJoin('group_apps', (join) =>
          join
            .onRef('group_apps.group_id', '=', 'release_groups.group_id')
            .onRef('group_apps.app_id', '=', 'release_groups.app_id'),
        )
        .innerJoin('group_members', 'group_members.group_id', 'release_groups.group_id')
        .select('group_members.user_id')
        .where('release_groups.app_id', '=', p.appId)
        .where('release_groups.release_id', '=', p.releaseId)
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

/** Replaces the package of a release by another one of the same version. */
export const replacePackage = statement((q, p: Replaced) =>
  q
    .updateTable('releases')
    .set({ blob_key: p.key, size: p.size, sha256: p.sha256, hashes: p.hashes, facts: p.facts })
    .where('app_id', '=', p.appId)
    .where('id', '=', p.releaseId),
);
