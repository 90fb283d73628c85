import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { clustered, getDialect } from '../portable.ts';

/** Apple devices of testers. */
export const devices: Migration = {
  async up(db: Kysely<unknown>) {
    await clustered(getDialect(db), db.schema.createTable('devices'))
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('udid', 'text', (c) => c.notNull())
      .addColumn('model', 'text', (c) => c.notNull())
      .addColumn('os_build', 'text', (c) => c.notNull())
      .addColumn('os_version', 'text', (c) => c.notNull())
      .addColumn('serial', 'text')
      .addColumn('imei', 'text')
      .addColumn('registered_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('devices_key', ['user_id', 'udid'])
      .execute();
  },
};
