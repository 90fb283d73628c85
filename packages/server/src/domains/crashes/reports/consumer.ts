import { defineLogConsumer } from '../../ingest/index.ts';

export const reportTypes = ['managedError', 'appleError', 'handledError'] as const;

/** What tells of crashes and errors is taken here, and what came with them. */
export const errorLogs = defineLogConsumer('crashes', {
  types: [...reportTypes, 'errorAttachment'],
  job: 'crash_reports.process',
});
