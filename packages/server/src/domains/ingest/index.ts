import { defineDomain } from '../../domain.ts';
import { senderInvalidLogs } from './forgotten-senders.ts';
import { ingestGauges } from './gauges.ts';
import { ingestEvents } from './ingest.events.ts';
import { ingestJobs } from './ingest.jobs.ts';
import { ingestListeners } from './ingest.listeners.ts';
import { ingestRoutes } from './ingest.routes.ts';
import { ingestTables } from './ingest.tables.ts';
import { ingestionFamily } from './ingestion.family.ts';
import { ingestMeasures } from './measures.ts';

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
export { type BatchReader, batchReader, findReading, releaseBatches, retainBatches } from './batches/readers.ts';
export { rewriteBatches } from './batches/rewriting.ts';
export { forgetSender } from './forgotten-senders.ts';
export { senderForgotten } from './ingest.events.ts';
export type { Received } from './intake/batch-writing.ts';
export { addLogs } from './intake/batch-writing.ts';
export { judgeHistory, keepHistory, type PastLog } from './intake/history.ts';
export { deviceToWire } from './logs/log-device.ts';
export { parseBody } from './logs/logs.ts';

export const ingest = defineDomain({
  tables: ingestTables,
  routes: ingestRoutes,
  jobs: ingestJobs,
  events: ingestEvents,
  listeners: ingestListeners,
  senderRecords: senderInvalidLogs,
  gauges: ingestGauges,
  measures: ingestMeasures,
  families: () => [ingestionFamily],
  isSenderOrigin: async ({ config: { ingestOrigins } }, origin) =>
    ingestOrigins.includes('*') || ingestOrigins.includes(origin),
});
