import { insertInto, statement } from './packages.tables.ts';

export const saveReleaseBuild = insertInto('package_releases', (insert, p) =>
  insert.onConflict((c) => c.columns(['app_id', 'release_id']).doUpdateSet({ build_id: p.build_id })),
);

export const findReleaseBuild = statement((q, p: { appId: string; releaseId: number }) =>
  q
    .selectFrom('package_releases')
    .select('build_id')
    .where('app_id', '=', p.appId)
    .where('release_id', '=', p.releaseId),
);

export const listBuildReleases = statement((q, p: { appId: string; buildId: number; limit: number }) =>
  q
    .selectFrom('package_releases')
    .select('release_id')
    .where('app_id', '=', p.appId)
    .where('build_id', '=', p.buildId)
    .orderBy('release_id', 'desc')
    .limit(p.limit),
);

export const deleteReleaseBuild = statement((q, p: { appId: string; releaseId: number }) =>
  q.deleteFrom('package_releases').where('app_id', '=', p.appId).where('release_id', '=', p.releaseId),
);
