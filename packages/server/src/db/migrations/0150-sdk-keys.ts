import { randomBytes, randomInt } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const ROWS_AT_ONCE = 200;

/** Project IDs and keys of apps for Sentry SDKs. Existing apps get one of each. */
export const sdkKeys: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    await schema
      .createTable('sdk_projects')
      .addColumn('id', 'bigint', (c) => c.primaryKey())
      .addColumn('app_id', 'text', (c) => c.notNull().unique().references('apps.id').onDelete('cascade'))
      .execute();
    await schema
      .createTable('sdk_keys')
      .addColumn('public_key', 'text', (c) => c.primaryKey())
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('is_enabled', 'integer', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('ends_at', 'bigint')
      .execute();
    await schema.createIndex('sdk_keys_by_app').on('sdk_keys').column('app_id').execute();

    const { rows } = await sql<{ id: string; created_at: number }>`select id, created_at from apps`.execute(db);
    const projectIds = new Set<number>();
    while (projectIds.size < rows.length) projectIds.add(randomInt(100_000_000_000, 281_474_976_710_655));
    const numbered = [...projectIds];
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
      const some = rows.slice(at, at + ROWS_AT_ONCE);
      const projects = some.map(({ id }, n) => sql`(${numbered[at + n]}, ${id})`);
      await sql`insert into sdk_projects (id, app_id) values ${sql.join(projects)}`.execute(db);
      const keys = some.map(
        ({ id, created_at }) => sql`(${randomBytes(16).toString('hex')}, ${id}, 'Default', 1, ${created_at})`,
      );
      await sql`insert into sdk_keys (public_key, app_id, name, is_enabled, created_at) values ${sql.join(keys)}`.execute(
        db,
      );
    }
  },
};
