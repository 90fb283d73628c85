import type { Ctx } from '../../../context.ts';
import { notFound } from '../../../kernel/errors.ts';
import { linkPackageBuild, linkReleaseBuild } from '../../packages/index.ts';
import { findBuild, findBuildBySum } from '../builds.store.ts';

interface Tested {
  appId: string;
  sha256?: string;
  buildId?: number;
}

/** Links a test run and the build that produced its package. */
export async function noteTestedBuild(ctx: Ctx, { appId, sha256, buildId }: Tested): Promise<void> {
  if (buildId !== undefined && !(await findBuild.first(ctx.db, { appId, id: buildId }))) {
    throw notFound('build', String(buildId));
  }
  if (sha256 === undefined || buildId !== undefined) return;
  const found = await findBuildBySum.first(ctx.db, { appId, sha256 });
  if (found) await linkPackageBuild(ctx, appId, sha256, found.id);
}

/** Links a release and the build that produced its package. */
export async function noteReleasedBuild(
  ctx: Ctx,
  { appId, sha256, releaseId }: { appId: string; sha256: string; releaseId: number },
): Promise<void> {
  const found = await findBuildBySum.first(ctx.db, { appId, sha256 });
  if (found) await linkReleaseBuild(ctx, appId, releaseId, found.id);
}
