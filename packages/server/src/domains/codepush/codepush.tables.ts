import { accessTo, type TablesOf } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { appsTables } from '../apps/apps.tables.ts';

export interface CodepushDeploymentsTable {
  id: string;
  app_id: string;
  name: string;
  /** What is built into apps. */
  key: string;
  /** Of the newest release that there ever was: labels are not used again. */
  last_number: number;
  /** Grows with every change of what devices are told. */
  version: number;
  created_at: number;
  /** Of a hundred devices that reported on a release, so many that went back halt its rollout. */
  halt_percent: number | null;
}

/** What was built into apps that are still in use. */
export interface CodepushFormerKeysTable {
  key: string;
  deployment_id: string;
  ends_at: number;
}

/** What was uploaded, and may be out in several deployments. */
export interface CodepushPackagesTable {
  /** Nobody can guess it: whoever knows it may download the package. */
  id: string;
  blob_key: string;
  package_hash: string;
  size: number;
  is_zip: Flag;
  /** Since when no release has it, as the sweep found it. */
  unused_since: number | null;
  created_at: number;
}

export interface CodepushReleasesTable {
  deployment_id: string;
  /** That of its label. */
  number: number;
  package_id: string;
  range: string;
  description: string;
  is_disabled: Flag;
  is_mandatory: Flag;
  /** Per cent of devices; null is everybody. */
  rollout: number | null;
  method: 'Upload' | 'Promote' | 'Rollback';
  original_label: string | null;
  original_deployment: string | null;
  released_by: string;
  released_at: number;
  /** Whoever releases the same upload again gets what it became. */
  upload_id: string | null;
}

/** What turns one package into another. Its row comes before its blob, so that no blob is forgotten. */
export interface CodepushDiffsTable {
  package_id: string;
  /** Of the package that a device has. */
  from_hash: string;
  id: string;
  /** `none`: a device is better off with the whole package. */
  state: 'making' | 'ready' | 'none';
  size: number;
}

interface Counts {
  active: number;
  downloaded: number;
  installed: number;
  failed: number;
}

/** By label of a release, or version of a binary. */
export interface CodepushCountsTable extends Counts {
  deployment_id: string;
  label: string;
}

/** What changed in each hour. */
export interface CodepushHoursTable extends Counts {
  deployment_id: string;
  hour: number;
  label: string;
}

/** Reports that came already. */
export interface CodepushReportsTable {
  deployment_id: string;
  /** A hash of what is in it. */
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
  // What devices are told is remembered until one of these is written.
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

/** What stores of this domain can name. */
const access = accessTo(codepushTables, appsTables);
export const { insertInto, query, statement, updateRow } = access;
export type Tables = TablesOf<typeof access>;
