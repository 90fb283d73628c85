import { defineLogConsumer } from '../../../ingest/index.ts';

export const reportTypes = ['managedError', 'appleError', 'handledError'] as const;

/** Consumes logs about crashes and errors, and their attachments. */
export const errorLogs = defineLogConsumer('crashes', {
  types: [...reportTypes, 'errorAttachment'],
  job: 'crash_reports.process',
});
