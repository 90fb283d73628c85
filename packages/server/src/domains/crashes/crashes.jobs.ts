import { defineSchedule, handleJob } from '../../jobs/index.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { announceSummary, summarizeGroups, sweepAnnouncedHours } from './issues/announcing.ts';
import { errorLogs } from './reports/consumer.ts';
import { processNews, processRest } from './reports/processing.ts';
import { reportsReprocess } from './reports/reprocess-job.ts';
import { reprocess } from './reports/reprocessing.ts';
import { sweepReprocessings } from './reports/reprocessings.ts';
import { sweepReports } from './reports/retention.ts';

const reportsTidy = defineSchedule('crash_reports.tidy', 10 * MINUTE);

export const crashJobs = [
  handleJob(reportsReprocess, reprocess),
  handleJob(summarizeGroups, announceSummary),
  handleJob(errorLogs.job, (ctx, { appId }) => processNews(ctx, appId)),
  handleJob(reportsTidy, async (ctx) => {
    await processRest(ctx);
    await sweepReports(ctx);
    await sweepReprocessings(ctx);
    await sweepAnnouncedHours(ctx);
  }),
];
