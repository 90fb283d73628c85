import { defineDomain } from '../../domain.ts';
import { alertGauges } from '../../extensions/alert-gauges.ts';
import { crossOriginReaders } from '../../extensions/cross-origin-readers.ts';
import { subjectRecords } from '../../extensions/subject-records.ts';
import { usageMeasures } from '../../extensions/usage-measures.ts';
import { subjectInvalidLogs } from './erasure.ts';
import { ingestGauges } from './gauges.ts';
import { ingestEvents } from './ingest.events.ts';
import { ingestJobs } from './ingest.jobs.ts';
import { ingestListeners } from './ingest.listeners.ts';
import { ingestRoutes } from './ingest.routes.ts';
import { ingestSettings } from './ingest.settings.ts';
import { ingestTables } from './ingest.tables.ts';
import { ingestionSurface } from './ingestion.surface.ts';
import { ingestMeasures } from './measures.ts';
import { sentrySurface } from './sentry.surface.ts';

export {
  type Batch,
  type BatchRange,
  type BatchStream,
  hasPassed,
  type Log,
  listAppsWithNews,
  passBatches,
  readBatches,
  readReceived,
  streamBatches,
} from './batches/batches.ts';
export { defineLogConsumer, type LogConsumer } from './batches/consumers.ts';
export { deviceToWire } from './batches/log-device.ts';
export {
  type BatchReader,
  batchReader,
  findOldestNumber,
  findReading,
  getLastNumber,
  getPassedNumber,
  releaseBatches,
  retainBatches,
} from './batches/readers.ts';
export { rewriteBatches } from './batches/rewriting.ts';
export { eraseDataSubject } from './erasure.ts';
export { erasureRequested } from './ingest.events.ts';
export type { Received } from './intake/batch-writing.ts';
export { addLogs } from './intake/batch-writing.ts';
export { addHistory, type PastLog, validateHistory } from './intake/history.ts';
export { parseRelease } from './sentry/sentry-values.ts';
export { parseBody } from './validation/parse-body.ts';

export const ingest = defineDomain({
  settings: ingestSettings,
  tables: ingestTables,
  routes: ingestRoutes,
  jobs: ingestJobs,
  events: ingestEvents,
  listeners: ingestListeners,
  extensions: [
    usageMeasures.add(...ingestMeasures),
    alertGauges.add(...ingestGauges),
    subjectRecords.add(subjectInvalidLogs),
    crossOriginReaders.add({
      group: 'senders',
      isAllowed: async ({ config: { ingestOrigins } }, origin) =>
        ingestOrigins.includes('*') || ingestOrigins.includes(origin),
    }),
  ],
  surfaces: () => [ingestionSurface, sentrySurface],
});
