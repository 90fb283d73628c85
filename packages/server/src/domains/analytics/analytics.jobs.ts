import { handleJob } from '../../jobs/index.ts';
import { compactApp, compactRest, partsTidy, tidyParts } from './compaction.ts';
import { usageLogs } from './consumer.ts';

export const analyticsJobs = [
  handleJob(usageLogs.job, (ctx, { appId }) => compactApp(ctx, appId)),
  handleJob(partsTidy, async (ctx) => {
    await compactRest(ctx);
    await tidyParts(ctx);
  }),
];
