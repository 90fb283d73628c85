import type { testDeviceStates, testFileTypes, testRunResults, testRunStatuses } from '@mooring/contract';
import { accessTo } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { accountsViews } from '../accounts/accounts.tables.ts';
import { appsViews } from '../apps/apps.tables.ts';
import { packagesViews } from '../packages/packages.tables.ts';
import { runnersViews } from '../runners/runners.tables.ts';

/** A file of test suites, stored once for all runs of an app. */
export interface TestFilesTable {
  id: string;
  owner_id: string;
  sha256: string;
  sha1: string;
  size: number;
  blob_key: string;
  used_at: number;
  /** About to be deleted, so runs can't refer to it. */
  is_dropped: Flag;
}

export interface TestSeriesTable {
  app_id: string;
  slug: string;
  name: string;
  active_at: number;
}

export interface TestRunsTable {
  id: string;
  app_id: string;
  /** Slug of its series. */
  series: string | null;
  source: 'runner' | 'import';
  rerun_of: string | null;
  status: (typeof testRunStatuses)[number];
  result: (typeof testRunResults)[number];
  /** Why the run could not be completed. */
  failure: string | null;
  framework: string | null;
  platform: string | null;
  app_version: string | null;
  locale: string | null;
  /** JSON as sent by the client, for runs of an earlier version; otherwise `{}`. */
  parameters: string;
  /** Sealed JSON as sent by the client, because it often contains passwords. */
  sealed_parameters: string | null;
  /** JSON: the selected tests; null for all. */
  only_tests: string | null;
  /** JSON. */
  stats: string;
  is_stopped: Flag;
  is_archived: Flag;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
  /** Increases with every change. */
  version: number;
}

export interface TestRunFilesTable {
  run_id: string;
  type: (typeof testFileTypes)[number];
  path: string;
  checksum: string;
  /** Set once the file has been uploaded. */
  file_id: string | null;
}

export interface TestRunDevicesTable {
  run_id: string;
  position: number;
  /** JSON: the device at the start of the run. */
  device: string;
  job_id: string | null;
  state: (typeof testDeviceStates)[number];
  failure: string | null;
  /** JSON: the events of an imported run. */
  events: string | null;
  /** JSON: the result of each test, once the device has finished. */
  outcomes: string | null;
  started_at: number | null;
  finished_at: number | null;
}

export interface TestDeviceSetsTable {
  id: string;
  owner_id: string;
  name: string;
  slug: string;
  /** JSON. */
  devices: string;
}

export interface TestDeviceSelectionsTable {
  app_id: string;
  short_id: string;
  /** JSON. */
  devices: string;
}

export const deviceTestsTables = defineTables<{
  test_files: TestFilesTable;
  test_series: TestSeriesTable;
  test_runs: TestRunsTable;
  test_run_files: TestRunFilesTable;
  test_run_devices: TestRunDevicesTable;
  test_device_sets: TestDeviceSetsTable;
  test_device_selections: TestDeviceSelectionsTable;
}>({
  test_files: {},
  test_series: {},
  test_runs: {},
  test_run_files: {},
  test_run_devices: {},
  test_device_sets: { personal: { by: { owner_id: 'userId' } } },
  test_device_selections: {},
});

export const { insertInto, query, statement } = accessTo(
  deviceTestsTables,
  appsViews,
  accountsViews,
  packagesViews,
  runnersViews,
);
