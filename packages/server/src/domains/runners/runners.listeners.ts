import { onInTransaction } from '../../jobs/index.ts';
import { appTransferred } from '../apps/index.ts';
import { cancelAppJobs } from './jobs/runner-jobs.ts';
import { removeAppRunners } from './runners.ts';

export const runnerListeners = [
  onInTransaction(appTransferred, async (ctx, { appId }) => {
    await cancelAppJobs(ctx, appId);
    await removeAppRunners(ctx, appId);
  }),
];
