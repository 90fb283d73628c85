import { accessTo } from '../../db/statement.ts';
import { defineTables, defineViews, type Flag } from '../../db/tables.ts';
import { accountsViews } from '../accounts/accounts.tables.ts';
import { appsViews } from '../apps/apps.tables.ts';

/** A machine that runs jobs: of an app, of the apps of an organization, or, with neither, of all. */
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
  /** JSON: the device that it needs, and the framework. */
  device: string | null;
  /** Key of the runner's device that it uses, while it runs. */
  device_key: string | null;
  /** JSON: the files that its runner may download. */
  sources: string;
  state: 'queued' | 'running' | 'ended';
  runner_id: string | null;
  token_hash: string | null;
  lease_until: number | null;
  /** Among an owner's jobs, the highest priority runs first. */
  priority: number;
  attempts: number;
  is_cancelled: Flag;
  /** Received bytes; a log beyond the limit is not stored completely. */
  log_size: number;
  /** Received events of this attempt; beyond the limit they are not stored. */
  event_count: number;
  event_bytes: number;
  created_at: number;
  ended_at: number | null;
}

/** Maximum number of running jobs of an app, by kind. */
export interface RunnerLimitsTable {
  app_id: string;
  kind: string;
  most: number;
}

/** A part of a log, by its offset in bytes. */
export interface RunnerJobLogsTable {
  job_id: string;
  start: number;
  text: string;
}

/** Events of a running job, by the number of preceding ones. */
export interface RunnerJobEventsTable {
  job_id: string;
  attempt: number;
  start: number;
  /** JSON. */
  events: string;
}

/** Failed jobs in a row, by device. */
export interface RunnerDeviceFailuresTable {
  runner_id: string;
  device_key: string;
  count: number;
  last_at: number;
}

/** A file of a job; its ID is that of the upload. */
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

export const runnersTables = defineTables<{
  runners: RunnersTable;
  runner_codes: RunnerCodesTable;
  runner_jobs: RunnerJobsTable;
  runner_limits: RunnerLimitsTable;
  runner_job_logs: RunnerJobLogsTable;
  runner_job_files: RunnerJobFilesTable;
  runner_job_events: RunnerJobEventsTable;
  runner_device_failures: RunnerDeviceFailuresTable;
}>({
  runners: {},
  runner_codes: {},
  runner_jobs: {},
  runner_limits: {},
  runner_job_logs: {},
  runner_job_files: {},
  runner_job_events: {},
  runner_device_failures: {},
});

/** Published for the stores of other domains. */
export const runnersViews = defineViews<{
  runner_job_states: Pick<RunnerJobsTable, 'id' | 'state'>;
  /** Files that jobs made. */
  runner_job_outputs: Pick<RunnerJobFilesTable, 'job_id' | 'sha256'>;
}>();

export const { insertInto, statement } = accessTo(runnersTables, appsViews, accountsViews);
