import { onInTransaction } from '../../jobs/index.ts';
import { appTransferred } from '../apps/index.ts';
import { packageReleased, packageTestEnded, packageTested } from '../packages/index.ts';
import { jobEnded, jobReturned, jobTaken } from '../runners/index.ts';
import { findBuild } from './builds.store.ts';
import { endBuild, eraseVariables, indexSymbols, releaseBuild, returnBuild, startBuild } from './builds.ts';
import { clearBranchSecrets, findSettings } from './configurations/branch-configurations.ts';
import { clearVariableSecrets } from './configurations/build-settings.ts';
import { announceBuild } from './follow-ups/announcing.ts';
import { reportCommitStatus } from './follow-ups/commit-status.ts';
import { readDistribution } from './follow-ups/distribution.ts';
import { noteReleasedBuild, noteTestedBuild } from './follow-ups/tested-builds.ts';
import { startTests } from './follow-ups/tests-after.ts';
import { dropWaitingPushes, endPushHook } from './pushes/pushes.ts';
import { eraseCredentials } from './repositories/repositories.ts';

const isBuild = ({ kind }: { kind: string }): boolean => kind === 'build';

export const buildListeners = [
  onInTransaction(appTransferred, async (ctx, { appId }) => {
    await endPushHook(ctx, appId);
    await eraseCredentials(ctx, appId);
    await eraseVariables(ctx, appId);
    await clearBranchSecrets(ctx, appId);
    await clearVariableSecrets(ctx, appId);
    await dropWaitingPushes(ctx, appId);
  }),
  onInTransaction(packageReleased, noteReleasedBuild),
  onInTransaction(packageTested, noteTestedBuild),
  onInTransaction(packageTestEnded, async (ctx, { appId, runId, result, buildId }) => {
    const build = buildId === undefined ? undefined : await findBuild.first(ctx.db, { appId, id: buildId });
    if (build) await reportCommitStatus(ctx, build, { runId, result });
  }),
  onInTransaction(jobTaken, async (ctx, job) => {
    const build = isBuild(job) ? await startBuild(ctx, job.jobId) : undefined;
    if (build) await reportCommitStatus(ctx, build);
  }),
  onInTransaction(jobReturned, async (ctx, job) => {
    if (isBuild(job)) await returnBuild(ctx, job.jobId);
  }),
  onInTransaction(jobEnded, async (ctx, job) => {
    const build = isBuild(job) ? await endBuild(ctx, job.jobId, job) : undefined;
    if (!build) return;
    await announceBuild(ctx, build);
    await reportCommitStatus(ctx, build);
    if (build.result !== 'succeeded') return;
    await indexSymbols(ctx, build);
    const settings = (await findSettings(ctx, build.app_id, build.branch)) ?? {};
    const distribution = readDistribution(settings);
    if (distribution) await releaseBuild(ctx, build, distribution);
    await startTests(ctx, build, settings);
  }),
];
