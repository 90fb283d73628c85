import { accessTo, type TablesOf } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { appsTables } from '../apps/apps.tables.ts';
import { ingestTables } from '../ingest/ingest.tables.ts';

/** Files with logs of an app and a UTC day. Their content never changes. */
export interface AnalyticsPartsTable {
  app_id: string;
  id: string;
  /** Days since 1970. */
  day: number;
  /** A draft is being written; an old one has been replaced, and goes a day later. */
  state: 'draft' | 'live' | 'old';
  /** It has no keys any more: nothing can come for its day. */
  is_sealed: Flag;
  log_count: number;
  /** JSON: size and sum of each file. */
  files: string;
  /** JSON: names of events that are in it, but must not be seen. */
  forgotten: string;
  changed_at: number;
}

/** Who turns the batches of an app into parts just now. */
export interface AnalyticsLeasesTable {
  app_id: string;
  holder: string;
  until: number;
}

/** Events that were deleted while some of them waited in batches. */
export interface AnalyticsForgottenEventsTable {
  app_id: string;
  name: string;
  /** The number of the last batch in which they do not count. */
  up_to: number;
}

export const analyticsTables = defineTables<{
  analytics_parts: AnalyticsPartsTable;
  analytics_leases: AnalyticsLeasesTable;
  analytics_forgotten_events: AnalyticsForgottenEventsTable;
}>({
  analytics_parts: {},
  analytics_leases: { backup: false },
  analytics_forgotten_events: {},
});

/** What stores of this domain can name. */
const access = accessTo(analyticsTables, appsTables, ingestTables);
export const { insertInto, query, statement } = access;
export type Tables = TablesOf<typeof access>;
