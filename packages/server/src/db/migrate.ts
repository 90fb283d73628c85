import { Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { createBuilder } from './builders.ts';
import type { Engine } from './drivers/connection.ts';
import { migrations } from './migrations/index.ts';
import { findTable } from './portable.ts';

const migratorFor = (engine: Engine): Migrator =>
  new Migrator({
    db: new Kysely({ dialect: engine.dialect() }),
    provider: { getMigrations: async () => migrations },
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrations_lock',
  });

/** Only reads: on SQLite it does not wait for a writer. */
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

async function refuseNewerDatabase(engine: Engine): Promise<void> {
  const applied = await appliedMigrations(engine);
  if (applied.every((name) => name in migrations)) return;
  throw new Error('A newer version of Mooring has migrated this database. Start that version, or restore a backup.');
}

/** Applies all migrations, or those up to `upTo`, in one process at a time. Returns the applied ones. */
export async function migrate(engine: Engine, upTo?: string): Promise<string[]> {
  const migrator = migratorFor(engine);
  const { error, results = [] } = await engine.alone(async () => {
    await refuseNewerDatabase(engine);
    return upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo);
  });
  if (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`Can't migrate the database: ${message}`, { cause: error });
  }
  return results.map(({ migrationName }) => migrationName);
}
