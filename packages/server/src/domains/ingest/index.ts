import { defineDomain } from '../../domain.ts';
import { ingestJobs } from './ingest.jobs.ts';
import { ingestTables } from './ingest.tables.ts';

export { addLogs } from './batch-writing.ts';
export {
  type Batch,
  type BatchRange,
  type Log,
  listAppsWithNews,
  passBatches,
  readBatches,
  readReceived,
} from './batches.ts';
export { defineLogConsumer, type LogConsumer } from './consumers.ts';

export const ingest = defineDomain({
  tables: ingestTables,
  jobs: ingestJobs,
});
