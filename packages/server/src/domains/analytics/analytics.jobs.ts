import { handleJob } from '../../jobs/index.ts';
import { cleanBatches } from './deletion/cleaning.ts';
import { batchesClean } from './deletion/forgotten.ts';
import { compactApp, compactRest, deletionsFinish, finishDeletions, partsTidy, tidyParts } from './parts/compaction.ts';
import { usageLogs } from './parts/consumer.ts';
import { mendDay } from './parts/mending.ts';
import { dayMend } from './parts/reading.ts';

export const analyticsJobs = [
  handleJob(usageLogs.job, (ctx, { appId }) => compactApp(ctx, appId)),
  handleJob(batchesClean, cleanBatches),
  handleJob(dayMend, (ctx, { appId, day }) => mendDay(ctx, appId, day)),
  handleJob(deletionsFinish, finishDeletions),
  handleJob(partsTidy, async (ctx) => {
    await compactRest(ctx);
    await tidyParts(ctx);
  }),
];
