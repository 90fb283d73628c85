import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { runSql, startPostgres } from '../../../../../test-support/postgres.ts';
import { openDatabase } from '../../../src/db/open.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated SQLite file to copy. */
    sqliteTemplate: string;
    /** A PostgreSQL server with the migrated database `mooring_template` to copy. */
    postgresUrl: string;
  }
}

export const TEMPLATE = 'mooring_template';
/** The database that a worker reuses for its files. */
export const lastingName = (worker: number): string => `mooring_lasting_${worker}`;

async function migrated(location: string): Promise<void> {
  const database = openDatabase({ location });
  await database.migrate();
  await database.close();
}

/** Migrates each database once; every test starts with a copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-tests-'));
  const sqliteTemplate = path.join(folder, 'template.db');
  await migrated(sqliteTemplate);

  const own = process.env.MOORING_TEST_DATABASE_URL ? undefined : await startPostgres();
  const postgresUrl = own?.url('postgres') ?? process.env.MOORING_TEST_DATABASE_URL ?? '';
  const template = new URL(postgresUrl);
  template.pathname = TEMPLATE;
  await runSql(postgresUrl, `DROP DATABASE IF EXISTS ${TEMPLATE} WITH (FORCE)`);
  await runSql(postgresUrl, `CREATE DATABASE ${TEMPLATE}`);
  await migrated(template.href);

  project.provide('sqliteTemplate', sqliteTemplate);
  project.provide('postgresUrl', postgresUrl);
  return async () => {
    const lasting = Array.from({ length: project.config.maxWorkers }, (_, at) => lastingName(at + 1));
    for (const name of own ? [] : [TEMPLATE, ...lasting]) {
      await runSql(postgresUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    }
    await own?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
