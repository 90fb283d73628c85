import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { clustered, getDialect } from '../portable.ts';

export const peopleAndTokens: Migration = {
  async up(db: Kysely<unknown>) {
    const dialect = getDialect(db);
    const { schema } = db;

    await schema
      .createTable('owners')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('name_key', 'text', (c) => c.notNull().unique())
      .addColumn('display_name', 'text', (c) => c.notNull())
      .addColumn('avatar_url', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute();

    await schema
      .createTable('users')
      .addColumn('id', 'text', (c) => c.primaryKey().references('owners.id').onDelete('cascade'))
      .addColumn('email', 'text', (c) => c.notNull())
      .addColumn('email_key', 'text', (c) => c.notNull().unique())
      .addColumn('password_hash', 'text', (c) => c.notNull())
      .addColumn('is_admin', 'integer', (c) => c.notNull())
      .addColumn('is_disabled', 'integer', (c) => c.notNull())
      .execute();

    await clustered(dialect, schema.createTable('sessions'))
      .addColumn('hash', 'text', (c) => c.primaryKey())
      .addColumn('id', 'text', (c) => c.notNull().unique())
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('last_seen_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addColumn('address', 'text', (c) => c.notNull())
      .addColumn('user_agent', 'text')
      .execute();
    await schema.createIndex('sessions_by_user').on('sessions').columns(['user_id', 'created_at']).execute();
    await schema.createIndex('sessions_by_expiry').on('sessions').column('expires_at').execute();

    await schema
      .createTable('sign_in_failures')
      .addColumn('subject', 'text', (c) => c.primaryKey())
      .addColumn('failures', 'integer', (c) => c.notNull())
      .addColumn('last_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema.createIndex('sign_in_failures_by_time').on('sign_in_failures').column('last_at').execute();

    await schema
      .createTable('apps')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('owner_id', 'text', (c) => c.notNull().references('owners.id').onDelete('cascade'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('name_key', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addUniqueConstraint('apps_by_owner_and_name', ['owner_id', 'name_key'])
      .execute();

    await clustered(dialect, schema.createTable('app_members'))
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('permission', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('app_members_key', ['app_id', 'user_id'])
      .execute();
    await schema.createIndex('app_members_by_user').on('app_members').column('user_id').execute();

    await clustered(dialect, schema.createTable('api_tokens'))
      .addColumn('hash', 'text', (c) => c.primaryKey())
      .addColumn('id', 'text', (c) => c.notNull().unique())
      .addColumn('app_id', 'text', (c) => c.references('apps.id').onDelete('cascade'))
      .addColumn('created_by', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('description', 'text')
      .addColumn('scope', 'text', (c) => c.notNull())
      .addColumn('last_four', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint')
      .addColumn('last_used_at', 'bigint')
      .execute();
    await schema.createIndex('api_tokens_by_creator').on('api_tokens').columns(['created_by', 'created_at']).execute();
    await schema.createIndex('api_tokens_by_app').on('api_tokens').columns(['app_id', 'created_at']).execute();

    await schema
      .createTable('audit_events')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('action', 'text', (c) => c.notNull())
      .addColumn('actor_kind', 'text', (c) => c.notNull())
      .addColumn('actor_user_id', 'text')
      .addColumn('actor_name', 'text')
      .addColumn('actor_token_id', 'text')
      .addColumn('subject_kind', 'text', (c) => c.notNull())
      .addColumn('subject_id', 'text', (c) => c.notNull())
      .addColumn('subject_name', 'text')
      .addColumn('address', 'text')
      .addColumn('request_id', 'text')
      .addColumn('before', 'text')
      .addColumn('after', 'text')
      .execute();
    await schema.createIndex('audit_events_by_time').on('audit_events').columns(['at', 'id']).execute();

    await schema
      .createTable('server_facts')
      .addColumn('name', 'text', (c) => c.primaryKey())
      .addColumn('value', 'text', (c) => c.notNull())
      .execute();

    await schema
      .createTable('authority')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('epoch', 'bigint', (c) => c.notNull())
      .execute();
    await (db as Kysely<{ authority: { id: number; epoch: number } }>)
      .insertInto('authority')
      .values({ id: 1, epoch: 1 })
      .execute();
  },
};
