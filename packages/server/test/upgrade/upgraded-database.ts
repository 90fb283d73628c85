import { CompiledQuery } from 'kysely';
import { onTestFinished } from 'vitest';
import type { DialectName } from '../../src/db/drivers/connection.ts';
import { type Database, openDatabase } from '../../src/db/open.ts';
import { emptyDatabase } from '../harness/services/databases.ts';

type Row = Record<string, string | number | null>;

const raw = (text: string) => () => ({ compile: () => CompiledQuery.raw(text) as CompiledQuery<Row> });

export const listRows = (database: Database, table: string, order = '1') =>
  database.query(raw(`select * from ${table} order by ${order}`));

/** A database at an earlier migration with these rows, migrated by the current program. */
export async function upgraded(dialect: DialectName, from: string, rows: readonly string[]): Promise<Database> {
  const database = openDatabase({ location: await emptyDatabase(dialect), poolSize: 1 });
  onTestFinished(() => database.close());
  await database.migrate(from);
  // The table for versions is newer than some of these migrations.
  await database.transaction(
    async (db) => {
      for (const text of rows) await db.query(raw(text));
    },
    { hasVersions: false },
  );
  await database.migrate();
  return database;
}

export const user = (id: string, { hash = 'hash', isAdmin = 0, serviceOrg = 'null' } = {}): string[] => [
  `insert into owners (id, kind, name, name_key, display_name, created_at, updated_at)
    values ('${id}', 'user', '${id}', '${id}', 'Éva ${id.toUpperCase()}', 1, 1)`,
  `insert into users (id, email, email_key, password_hash, is_admin, is_disabled, service_org_id)
    values ('${id}', '${id}@example.com', '${id}@example.com', '${hash}', ${isAdmin}, 0, ${serviceOrg})`,
];
