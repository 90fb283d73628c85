import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { clustered, getDialect } from '../portable.ts';

/** Codes of an authenticator app as a second factor, and recovery codes. */
export const secondFactors: Migration = {
  async up(db: Kysely<unknown>) {
    const dialect = getDialect(db);
    await clustered(dialect, db.schema.createTable('second_factors'))
      .addColumn('user_id', 'text', (c) => c.primaryKey().references('users.id').onDelete('cascade'))
      .addColumn('sealed_secret', 'text', (c) => c.notNull())
      .addColumn('last_step', 'bigint', (c) => c.notNull())
      .addColumn('enabled_at', 'bigint')
      .execute();
    await clustered(dialect, db.schema.createTable('recovery_codes'))
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('hash', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('recovery_codes_key', ['user_id', 'hash'])
      .execute();
  },
};
