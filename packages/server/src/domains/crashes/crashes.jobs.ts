import { defineSchedule, handleJob } from '../../jobs/index.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { announceSummary, summarizeGroups, sweepAnnouncedHours } from './issues/announcing.ts';
import { errorLogs } from './reports/processing/consumer.ts';
import { processNewLogs, processRest } from './reports/processing/processing.ts';
import { reportsReprocess } from './reports/processing/reprocess-job.ts';
import { reprocess } from './reports/processing/reprocessing.ts';
import { sweepReprocessings } from './reports/processing/reprocessings.ts';
import { sweepReports } from './reports/retention.ts';

const reportsTidy = defineSchedule('crash_reports.tidy', 10 * MINUTE);

export const crashJobs = [
  handleJob(reportsReprocess, reprocess),
  handleJob(summarizeGroups, announceSummary),
  handleJob(errorLogs.job, (ctx, { appId }) => processNewLogs(ctx, appId)),
  handleJob(reportsTidy, async (ctx) => {
    await processRest(ctx);
    await sweepReports(ctx);
    await sweepReprocessings(ctx);
    await sweepAnnouncedHours(ctx);
  }),
];
