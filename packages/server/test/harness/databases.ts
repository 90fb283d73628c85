import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, inject } from 'vitest';
import { runSql } from '../../../../tools/postgres.ts';
import type { DialectName } from '../../src/db/connection.ts';
import { TEMPLATE } from './global-setup.ts';

/** A fresh, migrated database of its own. */
export interface TestDatabase {
  location: string;
  remove(): Promise<void>;
}

function copySqlite(): TestDatabase {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-test-'));
  const location = path.join(folder, 'mooring.db');
  copyFileSync(inject('sqliteTemplate'), location);
  return { location, remove: async () => rmSync(folder, { recursive: true, force: true }) };
}

async function copyPostgres(): Promise<TestDatabase> {
  const url = inject('postgresUrl');
  const name = `mooring_test_${randomUUID().replaceAll('-', '')}`;
  await runSql(url, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  const location = new URL(url);
  location.pathname = name;
  return { location: location.href, remove: () => runSql(url, `DROP DATABASE ${name} WITH (FORCE)`) };
}

export const freshDatabase = async (dialect: DialectName): Promise<TestDatabase> =>
  dialect === 'sqlite' ? copySqlite() : copyPostgres();

/** The same suite over both databases. */
export function eachDatabase(title: string, suite: (dialect: DialectName) => void): void {
  describe.each(['sqlite', 'postgres'] as const)(`${title} (%s)`, (dialect) => suite(dialect));
}
