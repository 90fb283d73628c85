import { enqueue, onInTransaction } from '../../jobs/index.ts';
import { appTransferred } from '../apps/index.ts';
import { groupJoined } from '../groups/index.ts';
import { mappingMade, packageMade, packageTestEnded, packageTested } from '../packages/index.ts';
import { jobEnded, jobReturned, jobTaken } from '../runners/index.ts';
import { noteResigning } from './devices/resigning.ts';
import { noticeNewMember } from './mails/notifications.ts';
import { clearStoreCredentials } from './stores/stores.store.ts';
import { noteHandedOver } from './stores/stores.ts';
import { noteTested, releasesLetGo } from './test-gates.ts';
import { expectMapping } from './uploads/built-mappings.ts';
import { expectPackage } from './uploads/built-packages.ts';

const isHandover = ({ kind }: { kind: string }): boolean => kind === 'handover';

export const releaseListeners = [
  onInTransaction(jobTaken, async (ctx, job) => {
    if (!isHandover(job)) return;
    await noteHandedOver(ctx, job, 'processing');
    await noteResigning(ctx, 'taken', job);
  }),
  onInTransaction(jobReturned, async (ctx, job) => {
    if (!isHandover(job)) return;
    await noteHandedOver(ctx, job, 'submitted');
    await noteResigning(ctx, 'returned', job);
  }),
  onInTransaction(jobEnded, async (ctx, job) => {
    if (!isHandover(job)) return;
    const isDone = job.result === 'succeeded';
    await noteHandedOver(
      ctx,
      job,
      isDone ? 'published' : 'failed',
      isDone ? null : (job.reason ?? 'The job was canceled.'),
    );
    await noteResigning(ctx, 'ended', job);
  }),
  onInTransaction(groupJoined, noticeNewMember),
  onInTransaction(packageTested, noteTested),
  onInTransaction(packageTestEnded, async (ctx, { appId, result }) => {
    if (result === 'passed') await enqueue(ctx, releasesLetGo, { appId });
  }),
  // Creates a release from a package that was built here.
  onInTransaction(packageMade, expectPackage),
  onInTransaction(mappingMade, expectMapping),
  // The new owner needs new credentials for publishing.
  onInTransaction(appTransferred, async ({ db }, { appId }) => {
    await clearStoreCredentials.run(db, { appId });
  }),
];
