import type { Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { DAY, HOUR, MINUTE } from '../../kernel/clock.ts';
import { cancelJob, deleteJob, deletePackageTest, explainJob, lockJobs } from '../runners/index.ts';
import { prepareDeviceEnd } from './run-counts.ts';
import { giveUpDevice } from './run-ending.ts';
import { sealOldParameters } from './run-parameters.ts';
import { sweepTestFiles } from './test-files.ts';
import { deleteRun, listOldRuns, listOverdue, listRunDevices } from './test-runs.store.ts';

const BATCH = 100;
/** A runner ends a suite that takes too long by itself; this is for one that does not. */
const GRACE = 15 * MINUTE;

const explainEnd = async (ctx: Ctx, appId: string, jobId: string): Promise<string> => {
  const reason = await explainJob(ctx, appId, jobId);
  return reason === undefined ? '' : ` ${reason}`;
};

/** Devices that nobody has, or that never end: the run ends with the truth. */
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
        ? `No runner had this device free within ${testWaitHours} hours.${await explainEnd(ctx, app_id, job_id)}`
        : 'Test execution timed out.';
    // A run that cannot be ended must not keep the others from ending.
    await endOverdueDevice(ctx, job_id, failure).catch((err: unknown) =>
      ctx.log.error({ err, job: job_id }, 'an overdue test run could not be ended'),
    );
  }
}

async function endOverdueDevice(ctx: Ctx, jobId: string, failure: string): Promise<void> {
  await prepareDeviceEnd(ctx, jobId);
  await tx(ctx, async (ctx) => {
    await lockJobs(ctx, [jobId]);
    await giveUpDevice(ctx, jobId, failure);
    await cancelJob(ctx, jobId);
  });
}

/** Runs that ended long ago, with all that is kept of them, and those that were never started. */
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
