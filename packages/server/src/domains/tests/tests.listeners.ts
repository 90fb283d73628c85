import { onInTransaction } from '../../jobs/index.ts';
import { jobEnded, jobReturned, jobTaken, packageToTest } from '../runners/index.ts';
import { expectTests } from './built-packages.ts';
import { endDevice, returnDevice, startDevice } from './run-ending.ts';

const isTest = ({ kind }: { kind: string }): boolean => kind === 'test';

export const testListeners = [
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
