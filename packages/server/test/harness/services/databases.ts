import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { describe, inject, onTestFinished } from 'vitest';
import type { DialectName } from '../../../src/db/drivers/connection.ts';
import { lastingName, TEMPLATE } from './global-setup.ts';

/** A new, migrated database. */
export interface TestDatabase {
  location: string;
  remove(): Promise<void>;
}

function emptySqlite(): TestDatabase {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-test-'));
  const location = path.join(folder, 'mooring.db');
  return { location, remove: async () => rmSync(folder, { recursive: true, force: true }) };
}

function copySqlite(file: string): TestDatabase {
  const database = emptySqlite();
  copyFileSync(file, database.location);
  return database;
}

let pool: pg.Pool | undefined;

/** One connection creates and drops all databases of a file, because connecting is as slow as creating one. */
async function administer(sql: string): Promise<void> {
  pool ??= new pg.Pool({
    connectionString: inject('postgresUrl'),
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  });
  await pool.query(sql);
}

async function createPostgres(
  template?: string,
  name = `mooring_test_${randomUUID().replaceAll('-', '')}`,
): Promise<TestDatabase> {
  await administer(`CREATE DATABASE ${name}${template ? ` TEMPLATE ${template} STRATEGY FILE_COPY` : ''}`);
  const location = new URL(inject('postgresUrl'));
  location.pathname = name;
  return { location: location.href, remove: () => administer(`DROP DATABASE ${name} WITH (FORCE)`) };
}

/** Location of a database without tables, deleted after the test. */
export async function emptyDatabase(dialect: DialectName): Promise<string> {
  const { location, remove } = dialect === 'sqlite' ? emptySqlite() : await createPostgres();
  onTestFinished(remove);
  return location;
}

export const freshDatabase = async (dialect: DialectName): Promise<TestDatabase> =>
  dialect === 'sqlite' ? copySqlite(inject('sqliteTemplate')) : createPostgres(TEMPLATE);

/** A database that later files of this process use, too; deleted after all have run. */
export async function lastingDatabase(dialect: DialectName): Promise<TestDatabase> {
  const number = Number(process.env.VITEST_POOL_ID);
  if (dialect === 'postgres') {
    await administer(`DROP DATABASE IF EXISTS ${lastingName(number)} WITH (FORCE)`);
    return createPostgres(TEMPLATE, lastingName(number));
  }
  const template = inject('sqliteTemplate');
  const location = path.join(path.dirname(template), `${randomUUID()}.db`);
  copyFileSync(template, location);
  return { location, remove: async () => undefined };
}

/** A copy of a database without open connections. */
export const copyDatabase = async (dialect: DialectName, { location }: TestDatabase): Promise<TestDatabase> =>
  dialect === 'sqlite' ? copySqlite(location) : createPostgres(new URL(location).pathname.slice(1));

/** Runs the same suite on both databases. */
export function eachDatabase(title: string, suite: (dialect: DialectName) => void): void {
  describe.each(['sqlite', 'postgres'] as const)(`${title} (%s)`, (dialect) => suite(dialect));
}
