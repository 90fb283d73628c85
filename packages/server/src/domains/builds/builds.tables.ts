import { accessTo } from '../../db/statement.ts';
import { defineTables } from '../../db/tables.ts';
import { accountsViews } from '../accounts/accounts.tables.ts';
import { appsViews } from '../apps/apps.tables.ts';
import { runnersViews } from '../runners/runners.tables.ts';

export { type AppsReader, isReadable, type Sample, selectAppNames } from '../apps/apps.tables.ts';

export interface BuildRepositoriesTable {
  app_id: string;
  id: string;
  /** Without user name and password. */
  url: string;
  type: string;
  /** JSON: fields that clients send and expect back. */
  kept: string;
  username: string | null;
  /** Sealed. */
  password: string | null;
  state: 'active' | 'unauthorized';
  trouble: string | null;
  created_at: number;
  /** ID in the URL of the push webhook. */
  hook_id: string | null;
  /** Sealed. */
  hook_secret: string | null;
  /** Sealed private key for SSH. */
  deploy_key: string | null;
  deploy_public_key: string | null;
  /** SSH host key, trusted on first use. */
  known_hosts: string | null;
  pushed_at: number | null;
  polled_at: number | null;
}

export interface BuildBranchesTable {
  app_id: string;
  branch: string;
  id: number;
  /** JSON, with secrets masked. */
  settings: string;
  /** JSON by path, sealed. */
  secrets: string;
  changed_at: number;
}

/** Last numbers of the builds and configurations of an app. */
export interface BuildCountersTable {
  app_id: string;
  name: 'build' | 'branch';
  last_id: number;
}

export interface BuildsTable {
  app_id: string;
  id: number;
  branch: string;
  commit_sha: string;
  reason: 'manual' | 'push';
  status: 'notStarted' | 'inProgress' | 'cancelling' | 'completed';
  result: 'none' | 'succeeded' | 'failed' | 'canceled';
  failure: string | null;
  /** JSON: the projects in its sources. */
  found: string | null;
  /** 1 is high, 0 is normal, -1 is low. */
  priority: number;
  /** The build that this one retries. */
  retry_of: number | null;
  /** Sealed JSON: variables of this build only. */
  variables: string | null;
  job_id: string;
  queued_at: number;
  started_at: number | null;
  finished_at: number | null;
  changed_at: number;
}

/** Settings for all builds of an app. */
export interface BuildSettingsTable {
  app_id: string;
  /** JSON, with secrets masked. */
  settings: string;
  /** JSON by path, sealed. */
  secrets: string;
  changed_at: number;
}

/** A push that arrived while the queue was full. */
export interface BuildPushesTable {
  app_id: string;
  branch: string;
  commit_sha: string;
  /** Sorts by time of arrival. */
  id: string;
}

export interface BuildCommitsTable {
  app_id: string;
  sha: string;
  message: string;
  author_name: string;
  author_email: string;
  authored_at: string;
}

export const buildsTables = defineTables<{
  build_repositories: BuildRepositoriesTable;
  build_branches: BuildBranchesTable;
  build_counters: BuildCountersTable;
  build_settings: BuildSettingsTable;
  build_pushes: BuildPushesTable;
  builds: BuildsTable;
  build_commits: BuildCommitsTable;
}>({
  build_repositories: {},
  build_branches: {},
  build_counters: {},
  build_settings: {},
  build_pushes: {},
  builds: {},
  build_commits: {},
});

export const { insertInto, query, statement } = accessTo(buildsTables, accountsViews, appsViews, runnersViews);
