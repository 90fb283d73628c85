import { accessTo } from '../../db/statement.ts';
import { defineTables } from '../../db/tables.ts';
import { accountsTables } from '../accounts/accounts.tables.ts';
import { appReaders, appsTables } from '../apps/apps.tables.ts';
import { runnersTables } from '../runners/runners.tables.ts';

export { type AppsReader, isReadable, namesOfApp, type Sample } from '../apps/apps.tables.ts';

export interface BuildRepositoriesTable {
  app_id: string;
  id: string;
  /** Without a name and a password. */
  url: string;
  type: string;
  /** JSON: what clients send with it and want back. */
  kept: string;
  username: string | null;
  /** Sealed. */
  password: string | null;
  state: 'active' | 'unauthorized';
  trouble: string | null;
  created_at: number;
  /** Part of the address that its host tells of pushes. */
  hook_id: string | null;
  /** Sealed. */
  hook_secret: string | null;
  /** Sealed: the private part of what it is read with by ssh. */
  deploy_key: string | null;
  deploy_public_key: string | null;
  /** As whom its host has shown itself the first time. */
  known_hosts: string | null;
  pushed_at: number | null;
  polled_at: number | null;
}

export interface BuildBranchesTable {
  app_id: string;
  branch: string;
  id: number;
  /** JSON, with a mask for each secret. */
  settings: string;
  /** JSON by path, sealed. */
  secrets: string;
  changed_at: number;
}

/** Counts the builds and the configurations of an app. */
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
  /** 1 is before 0, and -1 after it. */
  priority: number;
  /** The build that this one repeats. */
  retry_of: number | null;
  /** JSON, sealed: what was given to this build alone. */
  variables: string | null;
  job_id: string;
  queued_at: number;
  started_at: number | null;
  finished_at: number | null;
  changed_at: number;
}

/** What is true of all builds of an app. */
export interface BuildSettingsTable {
  app_id: string;
  /** JSON, with a mask for each secret. */
  settings: string;
  /** JSON by path, sealed. */
  secrets: string;
  changed_at: number;
}

/** A push that found the queue full. */
export interface BuildPushesTable {
  app_id: string;
  branch: string;
  commit_sha: string;
  /** Tells which came first. */
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

/** What stores of this domain can name. */
export const { insertInto, query, statement } = accessTo(
  buildsTables,
  accountsTables,
  appsTables,
  appReaders,
  runnersTables,
);
