import type { Ctx } from '../../context.ts';
import { notFound } from '../../kernel/errors.ts';
import { noteBuildOfPackage } from '../runners/index.ts';
import { findBuild, findBuildBySum } from './builds.store.ts';

interface Tested {
  appId: string;
  sha256?: string;
  buildId?: number;
}

/** Tests of a package begin: if a build has made it, both lead to each other from now on. */
export async function noteTestedBuild(ctx: Ctx, { appId, sha256, buildId }: Tested): Promise<void> {
  if (buildId !== undefined && !(await findBuild.first(ctx.db, { appId, id: buildId }))) {
    throw notFound('build', String(buildId));
  }
  if (sha256 === undefined || buildId !== undefined) return;
  const found = await findBuildBySum.first(ctx.db, { appId, sha256 });
  if (found) await noteBuildOfPackage(ctx, appId, sha256, found.id);
}
