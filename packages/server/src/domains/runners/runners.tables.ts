import { accessTo } from '../../db/statement.ts';
import { defineTables, type Flag } from '../../db/tables.ts';
import { accountsTables } from '../accounts/accounts.tables.ts';
import { appsTables } from '../apps/apps.tables.ts';

/** A machine that does jobs: of an app, of the apps of an organization, or, with neither, of all. */
export interface RunnersTable {
  id: string;
  org_id: string | null;
  app_id: string | null;
  name: string;
  token_hash: string;
  /** JSON. */
  labels: string;
  /** JSON. */
  tools: string;
  /** JSON. */
  devices: string;
  version: string | null;
  slots: number;
  trouble: string | null;
  created_at: number;
  last_seen_at: number | null;
}

export interface RunnerCodesTable {
  code_hash: string;
  org_id: string | null;
  app_id: string | null;
  expires_at: number;
}

export interface RunnerJobsTable {
  id: string;
  app_id: string;
  kind: string;
  /** JSON: labels that a runner must have. */
  needs: string;
  /** JSON, sealed. */
  work: string;
  /** JSON: which device it needs, and for what. */
  device: string | null;
  /** That device of the runner, as long as it runs. */
  device_key: string | null;
  /** JSON: which files its runner may fetch. */
  sources: string;
  state: 'queued' | 'running' | 'ended';
  runner_id: string | null;
  token_hash: string | null;
  lease_until: number | null;
  /** Of those of the same owner the highest is taken first. */
  priority: number;
  attempts: number;
  is_cancelled: Flag;
  /** Bytes that came; of a log that is too long not all are kept. */
  log_size: number;
  /** Of this attempt, those that came; of too many not all are kept. */
  event_count: number;
  event_bytes: number;
  created_at: number;
  ended_at: number | null;
}

/** How many jobs of a kind an app may have running at a time. */
export interface RunnerLimitsTable {
  app_id: string;
  kind: string;
  most: number;
}

/** A part of a log, by the byte that it begins with. */
export interface RunnerJobLogsTable {
  job_id: string;
  start: number;
  text: string;
}

/** What was told while it ran, by how many there were before. */
export interface RunnerJobEventsTable {
  job_id: string;
  attempt: number;
  start: number;
  /** JSON. */
  events: string;
}

/** Jobs in a row that a device could not do. */
export interface RunnerDeviceFailuresTable {
  runner_id: string;
  device_key: string;
  count: number;
  last_at: number;
}

/** Its id is that of the upload. */
export interface RunnerJobFilesTable {
  id: string;
  job_id: string;
  attempt: number;
  kind: string;
  name: string;
  blob_key: string;
  size: number;
  sha256: string;
}

/** What a test run has tested; which release and build that is, as far as it is known. */
export interface PackageTestsTable {
  run_id: string;
  app_id: string;
  sha256: string | null;
  release_id: number | null;
  build_id: number | null;
  result: string;
}

export const runnersTables = defineTables<{
  runners: RunnersTable;
  runner_codes: RunnerCodesTable;
  runner_jobs: RunnerJobsTable;
  runner_limits: RunnerLimitsTable;
  runner_job_logs: RunnerJobLogsTable;
  runner_job_files: RunnerJobFilesTable;
  runner_job_events: RunnerJobEventsTable;
  runner_device_failures: RunnerDeviceFailuresTable;
  package_tests: PackageTestsTable;
}>({
  runners: {},
  runner_codes: {},
  runner_jobs: {},
  runner_limits: {},
  runner_job_logs: {},
  runner_job_files: {},
  runner_job_events: {},
  runner_device_failures: {},
  package_tests: {},
});

/** What stores of this domain can name. */
export const { insertInto, statement } = accessTo(runnersTables, appsTables, accountsTables);
