import { onInTransaction } from '../../jobs/index.ts';
import { appTransferred } from '../apps/index.ts';
import { beforeJobEnds, jobEnded, jobReturned, jobTaken, packageToTest } from '../runners/index.ts';
import { expectTests } from './built-packages.ts';
import { prepareDeviceEnd } from './run-counts.ts';
import { endDevice, returnDevice, startDevice } from './run-ending.ts';
import { clearParameters } from './test-runs.store.ts';

const isTest = ({ kind }: { kind: string }): boolean => kind === 'test';

beforeJobEnds(async (ctx, job) => {
  if (isTest(job)) await prepareDeviceEnd(ctx, job.id);
});

export const testListeners = [
  // Passwords of the previous owner are not for the next one.
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
