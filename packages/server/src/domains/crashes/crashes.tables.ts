import { type AccessedTables, accessTo } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { accountsViews } from '../accounts/accounts.tables.ts';
import { appsViews } from '../apps/apps.tables.ts';

export { type AppsReader, isReadable, type Sample, selectAppNames } from '../apps/apps.tables.ts';

export type State = 'open' | 'closed' | 'ignored';
export type Kind = 'crash' | 'error' | 'hang';

/** Crash settings of an app, and the last number of its issues and groups. */
export interface CrashAppsTable {
  app_id: string;
  /** JSON: the app's grouping rules. */
  rules: string;
  retention_days: number;
  last_number: number;
  /** The grouping version that its reports were grouped with. */
  grouping_version: number;
}

/** One problem, over all versions of the app. */
export interface CrashIssuesTable {
  app_id: string;
  id: string;
  /** Short number for people. */
  number: number;
  kind: Kind;
  state: State;
  annotation: string;
  /** The group that provides title and message. */
  group_id: string;
  first_version: string;
  last_version: string;
  count: number;
  device_count: number;
  first_at: number;
  last_at: number;
  /** The newest version when it was closed. */
  closed_version: string | null;
  /** The version and time of the latest regression. */
  regressed_version: string | null;
  regressed_at: number | null;
}

/** The issue of a grouping key; a merged issue has several keys. */
export interface CrashKeysTable {
  app_id: string;
  key: string;
  issue_id: string;
}

/** An issue in one version and build of the app. */
export interface CrashGroupsTable {
  app_id: string;
  id: string;
  number: number;
  issue_id: string;
  key: string;
  kind: Kind;
  version: string;
  build: string;
  state: State;
  annotation: string;
  exception_type: string;
  message: string;
  class_name: string;
  method: string;
  file: string;
  /** 0 if unknown. */
  line: number;
  /** JSON: the frame that identifies the group. */
  frame: string;
  search_key: string;
  count: number;
  device_count: number;
  first_at: number;
  last_at: number;
  last_report_id: string;
}

/** State and note of a group from another server, until its first report arrives here. */
export interface CrashAwaitedGroupsTable {
  app_id: string;
  /** Hash of the visible properties of the group. */
  key: string;
  state: State;
  annotation: string;
}

/** ID of a deleted group, and the group that its reports were moved to. */
export interface CrashAliasesTable {
  app_id: string;
  id: string;
  group_id: string;
}

export interface CrashReportsTable {
  app_id: string;
  id: string;
  /** ID that the device created. Equal to `id`, unless another device used the same one. */
  sent_id: string;
  install_id: string;
  /** Null if processing failed. */
  group_id: string | null;
  kind: Kind;
  /** Type of the log. */
  type: string;
  state: 'processed' | 'failed';
  /** Reason why processing failed. */
  note: string;
  at: number;
  received_at: number;
  version: string;
  build: string;
  model: string;
  oem: string;
  /** Name and version. */
  os: string;
  os_name: string;
  os_version: string;
  country: string;
  language: string;
  user_id: string | null;
  session_id: string | null;
  /** JSON. */
  properties: string;
  has_attachments: Flag;
  /** No frame has missing symbols. */
  is_symbolicated: Flag;
  /** The batch of `ingest` that contained it; unknown for reports of earlier versions. */
  batch: number | null;
}

/** The received log of a report, and its processed stack; both JSON in zstd. */
export interface CrashBodiesTable {
  app_id: string;
  report_id: string;
  log: Uint8Array;
  stack: Uint8Array;
}

export interface CrashPropertiesTable {
  app_id: string;
  name: string;
  value: string;
  report_id: string;
}

/** An attachment of a report; it may arrive before the report. */
export interface CrashAttachmentsTable {
  app_id: string;
  id: string;
  sent_id: string;
  install_id: string;
  /** ID of the report that the device created. */
  error_id: string;
  content_type: string;
  file_name: string;
  size: number;
  /** Empty if the content was omitted because it was too large or the storage quota was used up. */
  blob_key: string;
  created_at: number;
  /** As for reports. */
  batch: number | null;
}

/** Number of new and regressed groups of an app within an hour, announced or not. */
export interface CrashAnnouncedHoursTable {
  app_id: string;
  /** Hours since 1970. */
  hour: number;
  count: number;
}

/** Reports and devices of a group on a UTC day. */
export interface CrashDaysTable {
  app_id: string;
  group_id: string;
  day: number;
  count: number;
  devices: number;
}

/** Reports of an app on a UTC day, by kind, version and build. */
export interface CrashAppDaysTable {
  app_id: string;
  day: number;
  kind: Kind;
  version: string;
  build: string;
  count: number;
}

/** Devices on which a group occurred, with times. */
export interface CrashGroupDevicesTable {
  app_id: string;
  group_id: string;
  install_id: string;
  day: number;
}

export interface CrashIssueDevicesTable {
  app_id: string;
  issue_id: string;
  install_id: string;
}

/** Devices of an app with reports, by day. */
export interface CrashAppDevicesTable {
  app_id: string;
  kind: Kind;
  day: number;
  install_id: string;
  version: string;
  build: string;
}

/** Reports of a group by a property of their devices. */
export interface CrashFacetsTable {
  app_id: string;
  group_id: string;
  facet: Facet;
  value: string;
  count: number;
}

/** Progress of reprocessing. */
export interface CrashReprocessingsTable {
  app_id: string;
  id: string;
  reason: string;
  total: number;
  done: number;
  started_at: number;
  updated_at: number;
  ended_at: number | null;
}

export const facets = ['model', 'os', 'country', 'language'] as const;
export type Facet = (typeof facets)[number];

export const crashesTables = defineTables<{
  crash_apps: CrashAppsTable;
  crash_issues: CrashIssuesTable;
  crash_keys: CrashKeysTable;
  crash_groups: CrashGroupsTable;
  crash_awaited_groups: CrashAwaitedGroupsTable;
  crash_aliases: CrashAliasesTable;
  crash_reports: CrashReportsTable;
  crash_bodies: CrashBodiesTable;
  crash_properties: CrashPropertiesTable;
  crash_attachments: CrashAttachmentsTable;
  crash_days: CrashDaysTable;
  crash_app_days: CrashAppDaysTable;
  crash_group_devices: CrashGroupDevicesTable;
  crash_issue_devices: CrashIssueDevicesTable;
  crash_app_devices: CrashAppDevicesTable;
  crash_facets: CrashFacetsTable;
  crash_reprocessings: CrashReprocessingsTable;
  crash_announced_hours: CrashAnnouncedHoursTable;
}>({
  crash_apps: {},
  crash_issues: {},
  crash_keys: {},
  crash_groups: {},
  crash_awaited_groups: {},
  crash_aliases: {},
  crash_reports: {},
  crash_bodies: { bytes: ['log', 'stack'] },
  crash_properties: {},
  crash_attachments: {},
  crash_days: {},
  crash_app_days: {},
  crash_group_devices: {},
  crash_issue_devices: {},
  crash_app_devices: {},
  crash_facets: {},
  // They describe jobs, which are not part of a backup.
  crash_reprocessings: { backup: false },
  crash_announced_hours: { backup: false },
});

const access = accessTo(crashesTables, accountsViews, appsViews);
export const { insertInto, query, statement, updateRow } = access;
export type Tables = AccessedTables<typeof access>;
