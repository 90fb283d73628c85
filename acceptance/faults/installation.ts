import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type PostgresServer, runSql, startPostgres } from '../../test-support/postgres.ts';
import type { ServerSettings } from '../harness/server.ts';

export const dialects = ['sqlite', 'postgres'] as const;
export type Dialect = (typeof dialects)[number];

type Row = Record<string, unknown>;

/** A data folder and a database that outlive the servers started on them. */
export interface Installation {
  dialect: Dialect;
  settings: Required<Pick<ServerSettings, 'env' | 'dataDir'>>;
  /** Queries the database directly. */
  rows(sql: string): Promise<Row[]>;
  tables(): Promise<string[]>;
  /** The database server, if there is one. */
  database: PostgresServer | undefined;
  close(): Promise<void>;
}

const listSqlite = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`;
const listPostgres = `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`;

/** Distinguishes connections of tests from those of servers. */
const OBSERVER = 'fault-test';
const listOthers = `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
  AND backend_type = 'client backend' AND application_name <> '${OBSERVER}'`;
const MAX_LOOKS = 400;

/** Waits until PostgreSQL has closed the connections of a killed server: until then, one of them may still commit. */
export async function untilDisconnected({ dialect, rows }: Installation): Promise<void> {
  if (dialect === 'sqlite') return;
  for (let looks = 0; looks < MAX_LOOKS && (await rows(listOthers)).length > 0; looks++) await sleep(50);
}

/** Queries the SQLite database of a data folder. */
export const sqliteRows =
  (dataDir: string) =>
  async (sql: string): Promise<Row[]> => {
    const database = new DatabaseSync(path.join(dataDir, 'mooring.db'), { readOnly: true, timeout: 5000 });
    try {
      return database
        .prepare(sql)
        .all()
        .map((row) => ({ ...row }));
    } finally {
      database.close();
    }
  };

export async function openInstallation(dialect: Dialect): Promise<Installation> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'mooring-fault-'));
  const removeData = () => rmSync(dataDir, { recursive: true, force: true });
  const tables = async (rows: Installation['rows'], list: string) => (await rows(list)).map(({ name }) => String(name));
  if (dialect === 'sqlite') {
    const rows = sqliteRows(dataDir);
    const settings = { env: {}, dataDir };
    const list = () => tables(rows, listSqlite);
    return { dialect, settings, database: undefined, rows, tables: list, close: async () => removeData() };
  }
  const server = await startPostgres({ isDurable: true });
  await runSql(server.url('postgres'), 'CREATE DATABASE fault');
  const url = server.url('fault');
  const pool = new pg.Pool({ connectionString: url, max: 2, application_name: OBSERVER });
  // This connection is cut when the database ends.
  pool.on('error', () => undefined);
  const rows = async (sql: string) => (await pool.query(sql)).rows as Row[];
  return {
    dialect,
    settings: { env: { MOORING_DATABASE_URL: url }, dataDir },
    database: server,
    rows,
    tables: () => tables(rows, listPostgres),
    async close() {
      await pool.end();
      await server.stop();
      removeData();
    },
  };
}

/** Runs `work` with an installation, and removes it even if that fails. */
export async function withInstallation<T>(
  dialect: Dialect,
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  const installation = await openInstallation(dialect);
  try {
    return await work(installation);
  } finally {
    await installation.close();
  }
}
