import { type AccessedTables, accessTo } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { appsViews } from '../apps/apps.tables.ts';

/** Segments: files with the logs of an app and a UTC day. Their content never changes. */
export interface AnalyticsPartsTable {
  app_id: string;
  id: string;
  /** Days since 1970. */
  day: number;
  /** `draft` is being written; `old` was replaced and is deleted a day later. */
  state: 'draft' | 'live' | 'old';
  /** No more logs can arrive for the day, so the segment has no keys for detecting duplicates. */
  is_sealed: Flag;
  log_count: number;
  /** Batches that a lost segment is rebuilt from; null for segments of earlier versions. */
  first_batch: number | null;
  last_batch: number | null;
  /** JSON: size and checksum of each file. */
  files: string;
  /** JSON: erasures of logs that the files still contain. */
  forgotten: string;
  changed_at: number;
}

/** Segments that a reader still needs: their files stay, even after they were replaced. */
export interface AnalyticsPinsTable {
  app_id: string;
  holder: string;
  part_id: string;
}

/** The process that currently turns the batches of an app into segments. */
export interface AnalyticsLeasesTable {
  app_id: string;
  holder: string;
  until: number;
}

/** Erasures that still apply to batches or files. */
export interface AnalyticsForgottenTable {
  app_id: string;
  kind: 'event' | 'install' | 'user';
  value: string;
  /** The last batch that the erasure applies to. */
  up_to: number;
  requested_at: number;
  /** Number of segments that had to be rewritten. */
  part_count: number;
  /** The last batch that was rewritten without the erased logs. */
  cleaned_to: number;
}

/** Apps that do not use the server's retention. */
export interface AnalyticsRetentionTable {
  app_id: string;
  days: number;
}

/** Named device filters of an app. */
export interface AnalyticsAudiencesTable {
  app_id: string;
  name: string;
  description: string;
  /** The definition as the user wrote it. */
  definition: string;
  is_enabled: Flag;
  /** JSON: the declared type of each custom device property. */
  custom_properties: string;
  changed_at: number;
}

/** Saved queries of an app. */
export interface AnalyticsChartsTable {
  app_id: string;
  id: string;
  name: string;
  /** JSON: the query. */
  question: string;
  changed_at: number;
}

/** Counts of data that exceeded a limit, by the day it arrived. */
export interface AnalyticsCutsTable {
  app_id: string;
  day: number;
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

const access = accessTo(analyticsTables, appsViews);
export const { insertInto, query, statement } = access;
export type Tables = AccessedTables<typeof access>;
