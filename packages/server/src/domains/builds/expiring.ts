import type { Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { HOUR } from '../../kernel/clock.ts';
import { expireJob, explainJob } from '../runners/index.ts';
import { listOverdueBuilds } from './builds.store.ts';

const BATCH = 100;

/** Fails builds that no runner has taken in time, with the reason; otherwise they would wait forever. */
export async function expireBuilds(ctx: Ctx): Promise<void> {
  const { buildWaitHours } = ctx.config;
  const before = ctx.clock.now() - buildWaitHours * HOUR;
  for (const { app_id, job_id } of await listOverdueBuilds.all(ctx.db, { before, limit: BATCH })) {
    const reason = await explainJob(ctx, app_id, job_id);
    if (reason === undefined) continue;
    const hours = buildWaitHours === 1 ? 'an hour' : `${buildWaitHours} hours`;
    await tx(ctx, (ctx) => expireJob(ctx, job_id, `No runner took this build within ${hours}. ${reason}`));
  }
}
