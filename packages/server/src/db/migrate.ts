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

/** Brings the schema up to date, one process at a time; says which migrations it applied. */
export async function migrate(engine: Engine): Promise<string[]> {
  const { error, results = [] } = await engine.alone(() => migratorFor(engine).migrateToLatest());
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
