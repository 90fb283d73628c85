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
  /** The batches that its logs came in, from which it is made again if it is lost; absent in parts of earlier versions. */
  first_batch: number | null;
  last_batch: number | null;
  /** JSON: size and sum of each file. */
  files: string;
  /** JSON: what is in it, but must not be seen. */
  forgotten: string;
  changed_at: number;
}

/** Parts that somebody still reads: their files stay, also when others have taken their place. */
export interface AnalyticsPinsTable {
  app_id: string;
  holder: string;
  part_id: string;
}

/** Who turns the batches of an app into parts just now. */
export interface AnalyticsLeasesTable {
  app_id: string;
  holder: string;
  until: number;
}

/** What was deleted while some of it waited in batches. */
export interface AnalyticsForgottenTable {
  app_id: string;
  kind: 'event' | 'install' | 'user';
  value: string;
  /** The number of the last batch in which it does not count. */
  up_to: number;
  requested_at: number;
  /** How many parts had to be written anew. */
  part_count: number;
  /** The number of the last batch that it was taken out of. */
  cleaned_to: number;
}

/** Apps that do not keep their telemetry for as long as the server says. */
export interface AnalyticsRetentionTable {
  app_id: string;
  days: number;
}

/** Filters over devices that an app has names for. */
export interface AnalyticsAudiencesTable {
  app_id: string;
  name: string;
  description: string;
  /** As it was written. */
  definition: string;
  is_enabled: Flag;
  /** JSON: the declared type of each property that the app tells of devices. */
  custom_properties: string;
  changed_at: number;
}

/** Questions that an app has names for. */
export interface AnalyticsChartsTable {
  app_id: string;
  id: string;
  name: string;
  /** JSON: what is asked. */
  question: string;
  changed_at: number;
}

/** What was more than a limit allows, by the day on which it came. */
export interface AnalyticsCutsTable {
  app_id: string;
  day: number;
  /** The name of the limit. */
  limit_name: string;
  count: number;
}

export const analyticsTables = defineTables<{
  analytics_parts: AnalyticsPartsTable;
  analytics_pins: AnalyticsPinsTable;
  analytics_leases: AnalyticsLeasesTable;
  analytics_forgotten: AnalyticsForgottenTable;
  analytics_retention: AnalyticsRetentionTable;
  analytics_audiences: AnalyticsAudiencesTable;
  analytics_charts: AnalyticsChartsTable;
  analytics_cuts: AnalyticsCutsTable;
}>({
  analytics_parts: {},
  analytics_pins: {},
  analytics_leases: { backup: false },
  analytics_forgotten: {},
  analytics_retention: {},
  analytics_audiences: {},
  analytics_charts: {},
  analytics_cuts: {},
});

/** What stores of this domain can name. */
const access = accessTo(analyticsTables, appsTables, ingestTables);
export const { insertInto, query, statement } = access;
export type Tables = TablesOf<typeof access>;
