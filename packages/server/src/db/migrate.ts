import { Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { createBuilder } from './builders.ts';
import type { Engine } from './connection.ts';
import { migrations } from './migrations/index.ts';
import { findTable } from './portable.ts';

const migratorFor = (engine: Engine): Migrator =>
  new Migrator({
    db: new Kysely({ dialect: engine.dialect() }),
    provider: { getMigrations: async () => migrations },
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrations_lock',
  });

/** Reads only: on SQLite it waits for no writer. */
export async function appliedMigrations({ name: dialect, reader }: Engine): Promise<string[]> {
  const builder = createBuilder<Record<never, never>>(dialect);
  const { rows: tables } = await reader.runOnce(findTable(dialect, 'migrations').compile(builder));
  if (tables.length === 0) return [];
  const { rows } = await reader.runOnce(
    sql<{ name: string }>`select name from migrations order by name`.compile(builder),
  );
  return rows.map((row) => String(row.name));
}

export const knownMigrations: readonly string[] = Object.keys(migrations).sort();

export async function pendingMigrations(engine: Engine): Promise<string[]> {
  const applied = new Set(await appliedMigrations(engine));
  return knownMigrations.filter((name) => !applied.has(name));
}

/** Brings the schema up to date, or up to a migration, one process at a time; says which ones it applied. */
export async function migrate(engine: Engine, upTo?: string): Promise<string[]> {
  const migrator = migratorFor(engine);
  const { error, results = [] } = await engine.alone(() =>
    upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo),
  );
  if (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (message.includes('is missing')) {
      throw new Error(
        'The database was written by a newer version of Mooring. Start that version, or restore a backup.',
      );
    }
    throw new Error(`The database could not be migrated: ${message}`, { cause: error });
  }
  return results.map(({ migrationName }) => migrationName);
}
