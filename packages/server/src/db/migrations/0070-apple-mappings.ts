import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { clustered, getDialect } from '../portable.ts';

/** Which app of the App Store an app is. */
export const appleMappings: Migration = {
  async up(db: Kysely<unknown>) {
    const table = db.schema
      .createTable('apple_mappings')
      .addColumn('app_id', 'text', (c) => c.primaryKey().notNull().references('apps.id').onDelete('cascade'))
      .addColumn('service_connection_id', 'text', (c) => c.notNull())
      .addColumn('apple_id', 'text')
      .addColumn('bundle_identifier', 'text')
      .addColumn('team_identifier', 'text', (c) => c.notNull())
      .addColumn('test_flight_groups', 'text', (c) => c.notNull());
    await clustered(getDialect(db), table).execute();
  },
};
