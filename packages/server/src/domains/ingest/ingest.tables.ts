import { accessTo, type TablesOf } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { appsTables } from '../apps/apps.tables.ts';

/** One row for each app that something came for. Whoever adds batches holds it, so their numbers become visible in order. */
export interface IngestAppsTable {
  app_id: string;
  last_number: number;
  last_received_at: number;
}

/** What devices sent, until everybody who takes it has read it. */
export interface IngestBatchesTable {
  app_id: string;
  /** Counts the batches of its app. */
  number: number;
  /** Grows with the number. */
  received_at: number;
  /** In lower case. */
  install_id: string;
  log_count: number;
  /** Of the body once it is inflated, in bytes. */
  size: number;
  encoding: 'identity' | 'gzip' | 'zstd';
  /** Which logs are in it, with spaces between, so that nobody inflates what holds nothing for them; null if it is not known. */
  types: string | null;
  /** Somebody brought it along from elsewhere: no device has just sent it. */
  is_history: Flag;
  /** As it came, unless a log in it was left out. */
  body: Uint8Array;
}

/** What was brought along already, by the hash of the request. */
export interface IngestHistoryTable {
  app_id: string;
  hash: string;
  taken_at: number;
}

/** The last batch of an app that a consumer has done with. */
export interface IngestCursorsTable {
  app_id: string;
  consumer: string;
  number: number;
}

/** Whose logs are dropped: those of one install, or of the whole app if the id is empty. */
export interface IngestBlocksTable {
  app_id: string;
  install_id: string;
  blocked_at: number;
}

/** The newest logs that nobody can read, for people who look for them. */
export interface IngestInvalidLogsTable {
  app_id: string;
  id: string;
  received_at: number;
  install_id: string;
  reason: string;
  /** JSON, or the beginning of it. */
  log: string;
}

/** What came in each minute. */
export interface IngestMinutesTable {
  app_id: string;
  minute: number;
  batches: number;
  logs: number;
  bytes: number;
  invalid: number;
  dropped: number;
  blocked: number;
  refused: number;
  /** Requests beyond the limit of an hour. */
  limited: number;
}

/** From which SDK and version of the app something came, and when last. */
export interface IngestSendersTable {
  app_id: string;
  sdk: string;
  sdk_version: string;
  app_version: string;
  logs: number;
  last_at: number;
}

export const ingestTables = defineTables<{
  ingest_apps: IngestAppsTable;
  ingest_batches: IngestBatchesTable;
  ingest_history: IngestHistoryTable;
  ingest_cursors: IngestCursorsTable;
  ingest_blocks: IngestBlocksTable;
  ingest_invalid_logs: IngestInvalidLogsTable;
  ingest_minutes: IngestMinutesTable;
  ingest_senders: IngestSendersTable;
}>({
  ingest_apps: {},
  ingest_batches: { bytes: ['body'] },
  ingest_history: {},
  ingest_cursors: {},
  // Whether logs are dropped is remembered with the secret that they came with.
  ingest_blocks: { grants: true },
  ingest_invalid_logs: {},
  ingest_minutes: {},
  ingest_senders: {},
});

/** What stores of this domain can name. */
const access = accessTo(ingestTables, appsTables);
export const { insertInto, query, statement } = access;
export type Tables = TablesOf<typeof access>;
