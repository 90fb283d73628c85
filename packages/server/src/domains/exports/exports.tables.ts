import { accessTo, type TablesOf } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { appsTables } from '../apps/apps.tables.ts';
import { ingestTables } from '../ingest/ingest.tables.ts';

/** Where what devices of an app send is written to. */
export interface ExportConfigurationsTable {
  app_id: string;
  id: string;
  type: string;
  /** JSON: what may be shown. */
  settings: string;
  /** JSON, sealed. */
  secret: string;
  /** JSON: what is exported besides logs, or instead of them. */
  entities: string;
  resource_name: string | null;
  resource_group: string | null;
  backfill: Flag;
  state: 'Pending' | 'Enabled' | 'Disabled' | 'Invalid';
  state_info: string | null;
  created_at: number;
  /** When something was last written, or there was nothing to write. */
  last_run_at: number | null;
  last_error: string | null;
  last_error_at: number | null;
  failing_since: number | null;
  /** One after the other, since the last success. */
  failures: number;
  /** When it is looked after next; null if it is not. */
  due_at: number | null;
  /** The newest window that something was written for. */
  last_window: number;
  /** The last batch whose logs are written by the back-fill, from what is kept of them. */
  logs_after: number;
  /** The last batch whose crashes, errors and attachments are written by the back-fill. */
  reports_after: number;
  /** JSON: how far that is with them; null if nothing is left. */
  reports_left: string | null;
  /** JSON: which batches are being written to which files. What is tried again is the same. */
  plan: string | null;
}

export const exportsTables = defineTables<{ export_configurations: ExportConfigurationsTable }>({
  export_configurations: {},
});

/** What stores of this domain can name. */
const access = accessTo(exportsTables, appsTables, ingestTables);
export const { insertInto, query, statement, updateRow } = access;
export type Tables = TablesOf<typeof access>;
