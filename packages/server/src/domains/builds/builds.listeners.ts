import { onInTransaction } from '../../jobs/index.ts';
import { appTransferred } from '../apps/index.ts';
import { jobEnded, jobReturned, jobTaken, packageTestEnded, packageTested } from '../runners/index.ts';
import { announceBuild } from './announcing.ts';
import { clearBranchSecrets, findSettings } from './branch-configurations.ts';
import { clearVariableSecrets } from './build-settings.ts';
import { findBuild } from './builds.store.ts';
import { endBuild, forgetVariables, indexSymbols, releaseBuild, returnBuild, startBuild } from './builds.ts';
import { tellHost } from './commit-status.ts';
import { readDistribution } from './distribution.ts';
import { endPushHook, forgetWaiting } from './pushes.ts';
import { forgetCredentials } from './repositories.ts';
import { noteTestedBuild } from './tested-builds.ts';
import { startTests } from './tests-after.ts';

const isBuild = ({ kind }: { kind: string }): boolean => kind === 'build';

export const buildListeners = [
  onInTransaction(appTransferred, async (ctx, { appId }) => {
    await endPushHook(ctx, appId);
    await forgetCredentials(ctx, appId);
    await forgetVariables(ctx, appId);
    await clearBranchSecrets(ctx, appId);
    await clearVariableSecrets(ctx, appId);
    await forgetWaiting(ctx, appId);
  }),
  onInTransaction(packageTested, noteTestedBuild),
  onInTransaction(packageTestEnded, async (ctx, { appId, runId, result, buildId }) => {
    const build = buildId === undefined ? undefined : await findBuild.first(ctx.db, { appId, id: buildId });
    if (build) await tellHost(ctx, build, { runId, result });
  }),
  onInTransaction(jobTaken, async (ctx, job) => {
    const build = isBuild(job) ? await startBuild(ctx, job.jobId) : undefined;
    if (build) await tellHost(ctx, build);
  }),
  onInTransaction(jobReturned, async (ctx, job) => {
    if (isBuild(job)) await returnBuild(ctx, job.jobId);
  }),
  onInTransaction(jobEnded, async (ctx, job) => {
    const build = isBuild(job) ? await endBuild(ctx, job.jobId, job) : undefined;
    if (!build) return;
    await announceBuild(ctx, build);
    await tellHost(ctx, build);
    if (build.result !== 'succeeded') return;
    await indexSymbols(ctx, build);
    const settings = (await findSettings(ctx, build.app_id, build.branch)) ?? {};
    const distribution = readDistribution(settings);
    if (distribution) await releaseBuild(ctx, build, distribution);
    await startTests(ctx, build, settings);
  }),
];
