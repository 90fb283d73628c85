import { handleJob } from '../../jobs/index.ts';
import { compactApp, compactRest, partsTidy, tidyParts } from './compaction.ts';
import { usageLogs } from './consumer.ts';
import { mendDay } from './mending.ts';
import { dayMend } from './reading.ts';

export const analyticsJobs = [
  handleJob(usageLogs.job, (ctx, { appId }) => compactApp(ctx, appId)),
  handleJob(dayMend, (ctx, { appId, day }) => mendDay(ctx, appId, day)),
  handleJob(partsTidy, async (ctx) => {
    await compactRest(ctx);
    await tidyParts(ctx);
  }),
];
