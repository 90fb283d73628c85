import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { clustered, getDialect } from '../portable.ts';

/** Machines that wait for a person to confirm their code (RFC 8628). */
export const deviceSignIns: Migration = {
  async up(db: Kysely<unknown>) {
    await clustered(getDialect(db), db.schema.createTable('device_sign_ins'))
      .addColumn('device_hash', 'text', (c) => c.primaryKey())
      .addColumn('user_code_hash', 'text', (c) => c.notNull().unique())
      .addColumn('client_id', 'text', (c) => c.notNull())
      .addColumn('device_name', 'text', (c) => c.notNull())
      .addColumn('address', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addColumn('polled_at', 'bigint', (c) => c.notNull())
      .addColumn('interval', 'bigint', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('user_id', 'text', (c) => c.references('users.id').onDelete('cascade'))
      .addColumn('session_id', 'text')
      .execute();
    await db.schema.createIndex('device_sign_ins_by_user').on('device_sign_ins').column('user_id').execute();
    await db.schema.createIndex('device_sign_ins_by_expiry').on('device_sign_ins').column('expires_at').execute();
  },
};
