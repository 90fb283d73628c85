import { accessTo, type TablesOf } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { accountsTables } from '../accounts/accounts.tables.ts';
import { appReaders, appsTables } from '../apps/apps.tables.ts';
import { ingestTables } from '../ingest/ingest.tables.ts';

export { type AppsReader, isReadable, namesOfApp, type Sample } from '../apps/apps.tables.ts';

export type State = 'open' | 'closed' | 'ignored';
export type Kind = 'crash' | 'error';

/** What an app has chosen, and the last number that one of its issues or groups got. */
export interface CrashAppsTable {
  app_id: string;
  /** JSON: its own grouping rules. */
  rules: string;
  retention_days: number;
  last_number: number;
  /** By which version of grouping its reports are in their groups. */
  grouping_version: number;
}

/** One problem, over all versions of the app. */
export interface CrashIssuesTable {
  app_id: string;
  id: string;
  /** That people say aloud. */
  number: number;
  kind: Kind;
  state: State;
  annotation: string;
  /** The group whose words describe it. */
  group_id: string;
  first_version: string;
  last_version: string;
  count: number;
  device_count: number;
  first_at: number;
  last_at: number;
  /** The newest version that it was closed in. */
  closed_version: string | null;
  /** In which version it came back after that, and when. */
  regressed_version: string | null;
  regressed_at: number | null;
}

/** Which issue reports with this grouping key belong to; several keys may have been merged into one. */
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
  /** 0 if it is not known. */
  line: number;
  /** JSON: the frame that it is known by. */
  frame: string;
  search_key: string;
  count: number;
  device_count: number;
  first_at: number;
  last_at: number;
  last_report_id: string;
}

/** What was said elsewhere of a group that no report has come of here. */
export interface CrashAwaitedGroupsTable {
  app_id: string;
  /** A hash of what anybody is shown of the group. */
  key: string;
  state: State;
  annotation: string;
}

/** The id of a group that is no more, and what its reports are in now. */
export interface CrashAliasesTable {
  app_id: string;
  id: string;
  group_id: string;
}

export interface CrashReportsTable {
  app_id: string;
  id: string;
  /** The id that the device gave it: the same as ours, unless another device used it too. */
  sent_id: string;
  install_id: string;
  /** Null if it could not be processed. */
  group_id: string | null;
  kind: Kind;
  /** Of the log. */
  type: string;
  state: 'processed' | 'failed';
  /** Why it could not be processed. */
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
  /** No frame waits for symbols. */
  is_symbolicated: Flag;
  /** The batch of `ingest` that it came in; not known of what earlier versions kept. */
  batch: number | null;
}

/** The log of a report as it came, and the stack that was made of it; both JSON in zstd. */
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

/** A file that came with a report, or will be found to belong to one that is still to come. */
export interface CrashAttachmentsTable {
  app_id: string;
  id: string;
  sent_id: string;
  install_id: string;
  /** The id that the device gave the report. */
  error_id: string;
  content_type: string;
  file_name: string;
  size: number;
  /** Empty if it was left out: larger than is kept, or the owner's storage was used up. */
  blob_key: string;
  created_at: number;
  /** As of a report. */
  batch: number | null;
}

/** New and returning groups of an app within an hour, whether each was announced or not. */
export interface CrashAnnouncedHoursTable {
  app_id: string;
  /** Hours since 1970. */
  hour: number;
  count: number;
}

/** Reports of a group on a UTC day, and on how many devices. */
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

/** On which devices a group was seen, and when. */
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

/** On which devices anything happened, by day. */
export interface CrashAppDevicesTable {
  app_id: string;
  kind: Kind;
  day: number;
  install_id: string;
  version: string;
  build: string;
}

/** Reports of a group by something that their devices say. */
export interface CrashFacetsTable {
  app_id: string;
  group_id: string;
  facet: Facet;
  value: string;
  count: number;
}

/** How far it is when reports are processed again. */
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
  // They tell of jobs, which do not go along.
  crash_reprocessings: { backup: false },
  crash_announced_hours: { backup: false },
});

/** What stores of this domain can name. */
const access = accessTo(crashesTables, accountsTables, appsTables, appReaders, ingestTables);
export const { insertInto, query, statement, updateRow } = access;
export type Tables = TablesOf<typeof access>;
