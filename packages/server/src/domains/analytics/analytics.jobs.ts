import { handleJob } from '../../jobs/index.ts';
import { cleanBatches } from './deletion/cleaning.ts';
import { batchesClean } from './deletion/erasures.ts';
import { compactApp, compactRest, deletionsFinish, finishDeletions, partsTidy, tidyParts } from './parts/compaction.ts';
import { usageLogs } from './parts/consumer.ts';
import { dayRebuild, formerDayRebuild } from './parts/reading.ts';
import { rebuildDay } from './parts/segment-repair.ts';

export const analyticsJobs = [
  handleJob(usageLogs.job, (ctx, { appId }) => compactApp(ctx, appId)),
  handleJob(batchesClean, cleanBatches),
  ...[dayRebuild, formerDayRebuild].map((job) => handleJob(job, (ctx, { appId, day }) => rebuildDay(ctx, appId, day))),
  handleJob(deletionsFinish, finishDeletions),
  handleJob(partsTidy, async (ctx) => {
    await compactRest(ctx);
    await tidyParts(ctx);
  }),
];
