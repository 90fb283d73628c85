import type { testDeviceStates, testFileTypes, testRunResults, testRunStatuses } from '@mooring/contract';
import { accessTo } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { accountsTables } from '../accounts/accounts.tables.ts';
import { appsTables } from '../apps/apps.tables.ts';
import { runnersTables } from '../runners/runners.tables.ts';

/** A file of suites, kept once for all runs of an app. */
export interface TestFilesTable {
  id: string;
  owner_id: string;
  sha256: string;
  sha1: string;
  size: number;
  blob_key: string;
  used_at: number;
  /** No run may refer to it any more: it is about to be deleted. */
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
  /** The slug of its series. */
  series: string | null;
  source: 'runner' | 'import';
  rerun_of: string | null;
  status: (typeof testRunStatuses)[number];
  result: (typeof testRunResults)[number];
  /** Why it could not be done at all. */
  failure: string | null;
  framework: string | null;
  platform: string | null;
  app_version: string | null;
  locale: string | null;
  /** JSON, as the client sent them, of runs that an earlier version started; otherwise `{}`. */
  parameters: string;
  /** JSON, sealed: as the client sent them, often with passwords. */
  sealed_parameters: string | null;
  /** JSON: the tests that it runs; all without it. */
  only_tests: string | null;
  /** JSON. */
  stats: string;
  is_stopped: Flag;
  is_archived: Flag;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
  /** Counts its changes. */
  version: number;
}

export interface TestRunFilesTable {
  run_id: string;
  type: (typeof testFileTypes)[number];
  path: string;
  checksum: string;
  /** Once it has arrived. */
  file_id: string | null;
}

export interface TestRunDevicesTable {
  run_id: string;
  position: number;
  /** JSON: as it was when the run started. */
  device: string;
  job_id: string | null;
  state: (typeof testDeviceStates)[number];
  failure: string | null;
  /** JSON: what happened, of a run that was imported. */
  events: string | null;
  /** JSON: how each test went, once the device is done. */
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

export const testsTables = defineTables<{
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

/** What stores of this domain can name. */
export const { insertInto, query, statement } = accessTo(testsTables, appsTables, accountsTables, runnersTables);
