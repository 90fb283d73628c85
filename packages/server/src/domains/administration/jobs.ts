import type { Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import * as queue from '../../jobs/index.ts';
import { record } from '../audit/index.ts';

export const replayJob = (ctx: Ctx, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const name = await queue.replayJob(ctx, id);
    await record(ctx, 'job.replay', { kind: 'job', id, name });
  });

export const deleteJob = (ctx: Ctx, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const name = await queue.deleteDeadJob(ctx, id);
    await record(ctx, 'job.delete', { kind: 'job', id, name });
  });
