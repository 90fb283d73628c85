import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Engine } from './connection.ts';
import { migrations } from './migrations/index.ts';

const migratorFor = (engine: Engine): Migrator =>
  new Migrator({
    db: new Kysely({ dialect: engine.dialect() }),
    provider: { getMigrations: async () => migrations },
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrations_lock',
  });

export const pendingMigrations = async (engine: Engine): Promise<string[]> =>
  (await migratorFor(engine).getMigrations()).filter(({ executedAt }) => !executedAt).map(({ name }) => name);

export async function appliedMigrations(engine: Engine): Promise<string[]> {
  const db = new Kysely<{ migrations: { name: string } }>({ dialect: engine.dialect() });
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'migrations')) return [];
  return (await db.selectFrom('migrations').select('name').orderBy('name').execute()).map(({ name }) => name);
}

export const knownMigrations: readonly string[] = Object.keys(migrations).sort();

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
