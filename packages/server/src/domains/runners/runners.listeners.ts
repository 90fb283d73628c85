import { onInTransaction } from '../../jobs/index.ts';
import { appTransferred } from '../apps/index.ts';
import { cancelJobsOf } from './runner-jobs.ts';
import { removeRunnersOfApp } from './runners.ts';

export const runnerListeners = [
  onInTransaction(appTransferred, async (ctx, { appId }) => {
    await cancelJobsOf(ctx, appId);
    await removeRunnersOfApp(ctx, appId);
  }),
];
