import { handleJob } from '../../jobs/index.ts';
import { compactApp, partsTidy, tidyParts } from './compaction.ts';
import { usageLogs } from './consumer.ts';

export const analyticsJobs = [
  handleJob(usageLogs.job, (ctx, { appId }) => compactApp(ctx, appId)),
  handleJob(partsTidy, tidyParts),
];
