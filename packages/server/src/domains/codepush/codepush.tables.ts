import { type AccessedTables, accessTo } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { appsViews } from '../apps/apps.tables.ts';

export interface CodepushDeploymentsTable {
  id: string;
  app_id: string;
  name: string;
  /** Built into apps. */
  key: string;
  /** Number of the newest release ever: labels are never reused. */
  last_number: number;
  /** Increases with every change that affects devices. */
  version: number;
  created_at: number;
  /** Percentage of reporting devices with a rollback that halts a rollout. */
  halt_percent: number | null;
}

/** Previous keys, for apps in use that have them built in. */
export interface CodepushFormerKeysTable {
  key: string;
  deployment_id: string;
  ends_at: number;
}

/** An uploaded package, which several deployments may release. */
export interface CodepushPackagesTable {
  /** Random: anyone who knows it can download the package. */
  id: string;
  blob_key: string;
  package_hash: string;
  size: number;
  is_zip: Flag;
  /** When the sweep found that no release uses the package. */
  unused_since: number | null;
  created_at: number;
}

export interface CodepushReleasesTable {
  deployment_id: string;
  /** Number of its label. */
  number: number;
  package_id: string;
  range: string;
  description: string;
  is_disabled: Flag;
  is_mandatory: Flag;
  /** Percentage of devices; null means all. */
  rollout: number | null;
  method: 'Upload' | 'Promote' | 'Rollback';
  original_label: string | null;
  original_deployment: string | null;
  released_by: string;
  released_at: number;
  /** Repeating a release of the same upload returns the first result. */
  upload_id: string | null;
}

/** Diffs between packages. The row is inserted before the blob, so that no blob is orphaned. */
export interface CodepushDiffsTable {
  package_id: string;
  /** Hash of the package on the device. */
  from_hash: string;
  id: string;
  /** `none`: the whole package is smaller. */
  state: 'making' | 'ready' | 'none';
  size: number;
}

interface Counts {
  active: number;
  downloaded: number;
  installed: number;
  failed: number;
}

/** By label of a release, or by binary version. */
export interface CodepushCountsTable extends Counts {
  deployment_id: string;
  label: string;
}

/** Changes per hour. */
export interface CodepushHoursTable extends Counts {
  deployment_id: string;
  hour: number;
  label: string;
}

/** Hashes of reports that were counted. */
export interface CodepushReportsTable {
  deployment_id: string;
  mark: string;
  reported_at: number;
}

export const codepushTables = defineTables<{
  codepush_deployments: CodepushDeploymentsTable;
  codepush_former_keys: CodepushFormerKeysTable;
  codepush_packages: CodepushPackagesTable;
  codepush_releases: CodepushReleasesTable;
  codepush_diffs: CodepushDiffsTable;
  codepush_counts: CodepushCountsTable;
  codepush_hours: CodepushHoursTable;
  codepush_reports: CodepushReportsTable;
}>({
  // Responses to devices are cached until one of these tables changes.
  codepush_deployments: { responses: { newRows: false } },
  codepush_former_keys: { responses: { newRows: false } },
  codepush_packages: { responses: { newRows: false, except: ['unused_since'] } },
  codepush_releases: {
    responses: true,
    personal: { by: { released_by: { holds: 'email', erase: { released_by: 'alias' } } } },
  },
  codepush_diffs: { responses: { newRows: false } },
  codepush_counts: {},
  codepush_hours: {},
  codepush_reports: {},
});

const access = accessTo(codepushTables, appsViews);
export const { insertInto, query, statement, updateRow } = access;
export type Tables = AccessedTables<typeof access>;
