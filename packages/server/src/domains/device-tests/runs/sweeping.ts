import type { Ctx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { DAY, HOUR, MINUTE } from '../../../kernel/clock.ts';
import { deletePackageTest } from '../../packages/index.ts';
import { cancelJob, deleteJob, explainJob, lockJobs } from '../../runners/index.ts';
import { sweepTestFiles } from '../files/test-files.ts';
import { prepareDeviceEnd } from './run-counts.ts';
import { failDevice } from './run-ending.ts';
import { sealOldParameters } from './run-parameters.ts';
import { deleteRun, listOldRuns, listOverdue, listRunDevices } from './test-runs.store.ts';

const BATCH = 100;
/** Normally the runner stops suites that take too long; this covers runners that fail to. */
const GRACE = 15 * MINUTE;

const explainEnd = async (ctx: Ctx, appId: string, jobId: string): Promise<string> => {
  const reason = await explainJob(ctx, appId, jobId);
  return reason === undefined ? '' : ` ${reason}`;
};

/** Ends devices that wait or run for too long. */
export async function endOverdue(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now();
  const { testWaitHours, testMinutes } = ctx.config;
  const overdue = await listOverdue.all(ctx.db, {
    queuedBefore: now - testWaitHours * HOUR,
    startedBefore: now - testMinutes * MINUTE - GRACE,
    limit: BATCH,
  });
  for (const { app_id, job_id, state } of overdue) {
    if (job_id === null) continue;
    const failure =
      state === 'pending'
        ? `This device was not available within ${testWaitHours} hours.${await explainEnd(ctx, app_id, job_id)}`
        : 'Test execution timed out.';
    // A failure must not prevent the end of the others.
    await endOverdueDevice(ctx, job_id, failure).catch((err: unknown) =>
      ctx.log.error({ err, job: job_id }, 'failed to end an overdue test run'),
    );
  }
}

async function endOverdueDevice(ctx: Ctx, jobId: string, failure: string): Promise<void> {
  await prepareDeviceEnd(ctx, jobId);
  await tx(ctx, async (ctx) => {
    await lockJobs(ctx, [jobId]);
    await failDevice(ctx, jobId, failure);
    await cancelJob(ctx, jobId);
  });
}

/** Deletes expired runs, and runs that were never started. */
export async function sweepRuns(ctx: Ctx): Promise<void> {
  const now = ctx.clock.now();
  for (;;) {
    const rows = await listOldRuns.all(ctx.db, {
      before: now - ctx.config.testDays * DAY,
      unstartedBefore: now - 2 * DAY,
      limit: BATCH,
    });
    for (const { id } of rows) {
      await tx(ctx, async (ctx) => {
        for (const { job_id } of await listRunDevices.all(ctx.db, { runId: id })) {
          if (job_id !== null) await deleteJob(ctx, job_id);
        }
        await deletePackageTest(ctx, id);
        await deleteRun.run(ctx.db, { id });
      });
    }
    if (rows.length < BATCH) break;
  }
  await sweepTestFiles(ctx);
  await sealOldParameters(ctx);
}
