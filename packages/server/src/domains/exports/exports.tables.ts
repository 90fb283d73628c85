import { type AccessedTables, accessTo } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { appsViews } from '../apps/apps.tables.ts';

/** Destinations for the telemetry of an app. */
export interface ExportConfigurationsTable {
  app_id: string;
  id: string;
  type: string;
  /** JSON: visible settings. */
  settings: string;
  /** Sealed JSON. */
  secret: string;
  /** JSON: the exported kinds of records. */
  entities: string;
  resource_name: string | null;
  resource_group: string | null;
  backfill: Flag;
  state: 'Pending' | 'Enabled' | 'Disabled' | 'Invalid';
  state_info: string | null;
  created_at: number;
  /** Last successful run, even if there was nothing to write. */
  last_run_at: number | null;
  last_error: string | null;
  last_error_at: number | null;
  failing_since: number | null;
  /** Consecutive failures since the last success. */
  failures: number;
  /** Time of the next run; null if stopped. */
  due_at: number | null;
  /** The newest window with a file. */
  last_window: number;
  /** The last batch whose logs the backfill covers. */
  logs_after: number;
  /** The last batch whose crashes, errors and attachments the backfill covers. */
  reports_after: number;
  /** JSON: progress of that backfill; null once it is complete. */
  reports_left: string | null;
  /** JSON: batches and names of the files that are being written. Retries write the same files. */
  plan: string | null;
}

export const exportsTables = defineTables<{ export_configurations: ExportConfigurationsTable }>({
  export_configurations: {},
});

const access = accessTo(exportsTables, appsViews);
export const { insertInto, query, statement, updateRow } = access;
export type Tables = AccessedTables<typeof access>;
