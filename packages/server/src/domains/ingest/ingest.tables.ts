import { type AccessedTables, accessTo } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { appsViews } from '../apps/apps.tables.ts';

/** The fate of items: stored, dropped by this server, or discarded by the SDK before it sent anything. */
export type ItemOutcome = 'stored' | 'dropped' | 'discarded';

/** One row per app that has received logs. Writers lock it, so numbers become visible in order. */
export interface IngestAppsTable {
  app_id: string;
  last_number: number;
  last_received_at: number;
}

/** Logs of devices, until every consumer has processed them. */
export interface IngestBatchesTable {
  app_id: string;
  /** Sequence number in the app. */
  number: number;
  /** Never decreases with the number. */
  received_at: number;
  /** In lower case. */
  install_id: string;
  log_count: number;
  /** Size after decompression, in bytes. */
  size: number;
  encoding: 'identity' | 'gzip' | 'zstd';
  /** Types of its logs, separated by spaces, so that consumers skip batches without theirs; null if unknown. */
  types: string | null;
  /** Imported from another server. */
  is_history: Flag;
  /** The body as received, unless invalid logs were removed. */
  body: Uint8Array;
}

/** Imported requests, by hash. */
export interface IngestHistoryTable {
  app_id: string;
  hash: string;
  taken_at: number;
}

/** The last batch of an app that a consumer has processed. */
export interface IngestCursorsTable {
  app_id: string;
  consumer: string;
  number: number;
}

/** Blocks: of one install, or of the whole app if the ID is empty. */
export interface IngestBlocksTable {
  app_id: string;
  install_id: string;
  blocked_at: number;
}

/** The newest invalid logs, for troubleshooting. */
export interface IngestInvalidLogsTable {
  app_id: string;
  id: string;
  received_at: number;
  install_id: string;
  reason: string;
  /** JSON, possibly truncated. */
  log: string;
}

/** Counters for each minute. */
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
  /** Requests beyond the hourly limit. */
  limited: number;
}

/** SDKs and app versions that sent logs, with the time of the last one. */
export interface IngestSendersTable {
  app_id: string;
  sdk: string;
  sdk_version: string;
  app_version: string;
  logs: number;
  last_at: number;
}

/** The first device that sent data to an app; empty names for one that an earlier version received. */
export interface IngestFirstDevicesTable {
  app_id: string;
  model: string;
  os: string;
  received_at: number;
}

/** Items of envelopes of Sentry SDKs, by hour: what became of them. */
export interface IngestItemsTable {
  app_id: string;
  hour: number;
  item: string;
  outcome: ItemOutcome;
  reason: string;
  count: number;
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
  ingest_first_devices: IngestFirstDevicesTable;
  ingest_items: IngestItemsTable;
}>({
  ingest_apps: {},
  ingest_batches: { bytes: ['body'] },
  ingest_history: {},
  ingest_cursors: {},
  // Blocks are cached with the app secret.
  ingest_blocks: { grants: true },
  ingest_invalid_logs: {},
  ingest_minutes: {},
  ingest_senders: {},
  ingest_first_devices: {},
  ingest_items: {},
});

const access = accessTo(ingestTables, appsViews);
export const { insertInto, query, statement } = access;
export type Tables = AccessedTables<typeof access>;
