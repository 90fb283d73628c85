import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { clustered, getDialect } from '../portable.ts';

/** The newest release of each app that a tester has installed. */
export const testerInstalls: Migration = {
  async up(db: Kysely<unknown>) {
    await clustered(getDialect(db), db.schema.createTable('tester_installs'))
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('release_id', 'integer', (c) => c.notNull())
      .addColumn('installed_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('tester_installs_key', ['user_id', 'app_id'])
      .execute();
    await db.schema.createIndex('tester_installs_by_app').on('tester_installs').column('app_id').execute();
  },
};
