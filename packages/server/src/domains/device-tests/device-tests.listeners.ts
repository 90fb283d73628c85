import { onInTransaction } from '../../jobs/index.ts';
import { appTransferred } from '../apps/index.ts';
import { packageToTest } from '../packages/index.ts';
import { beforeJobEnds, jobEnded, jobReturned, jobTaken } from '../runners/index.ts';
import { expectTests } from './built-packages.ts';
import { prepareDeviceEnd } from './runs/run-counts.ts';
import { endDevice, returnDevice, startDevice } from './runs/run-ending.ts';
import { clearParameters } from './runs/test-runs.store.ts';

const isTest = ({ kind }: { kind: string }): boolean => kind === 'test';

beforeJobEnds(async (ctx, job) => {
  if (isTest(job)) await prepareDeviceEnd(ctx, job.id);
});

export const testListeners = [
  // A new owner must not get the passwords of the previous one.
  onInTransaction(appTransferred, async ({ db }, { appId }) => {
    await clearParameters.run(db, { appId });
  }),
  onInTransaction(packageToTest, expectTests),
  onInTransaction(jobTaken, async (ctx, job) => {
    if (isTest(job)) await startDevice(ctx, job.jobId);
  }),
  onInTransaction(jobReturned, async (ctx, job) => {
    if (isTest(job)) await returnDevice(ctx, job.jobId);
  }),
  onInTransaction(jobEnded, async (ctx, job) => {
    if (isTest(job)) await endDevice(ctx, job.jobId, job);
  }),
];
