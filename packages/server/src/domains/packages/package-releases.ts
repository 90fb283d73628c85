import type { Ctx } from '../../context.ts';
import { findReleaseBuild, listBuildReleases, saveReleaseBuild } from './package-releases.store.ts';

type Reading = Pick<Ctx, 'db'>;

/** Records the build that made the package of a release, in the caller's transaction. */
export const linkReleaseBuild = async ({ db }: Reading, appId: string, releaseId: number, buildId: number) => {
  await saveReleaseBuild.run(db, { app_id: appId, release_id: releaseId, build_id: buildId });
};

export async function findBuildByRelease({ db }: Reading, appId: string, releaseId: number) {
  const row = await findReleaseBuild.first(db, { appId, releaseId });
  return row && Number(row.build_id);
}

const MAX_RELEASES = 20;

/** Lists the releases of a build, newest first. */
export const listReleasesByBuild = async ({ db }: Reading, appId: string, buildId: number): Promise<number[]> =>
  (await listBuildReleases.all(db, { appId, buildId, limit: MAX_RELEASES })).map(({ release_id }) =>
    Number(release_id),
  );
