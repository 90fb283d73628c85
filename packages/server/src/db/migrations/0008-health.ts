import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { clustered, getDialect, numbered, plainText } from '../portable.ts';

export const health: Migration = {
  async up(db: Kysely<unknown>) {
    const dialect = getDialect(db);
    const { schema } = db;
    const plain = plainText(dialect);

    await schema
      .createTable('subscriptions')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('tenant_id', 'text', (c) => c.notNull())
      .addColumn('display_name', 'text', (c) => c.notNull())
      .addColumn('owner_id', 'text', (c) => c.notNull().references('owners.id').onDelete('cascade'))
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema.createIndex('subscriptions_by_owner').on('subscriptions').column('owner_id').execute();

    await clustered(dialect, schema.createTable('subscription_readers'))
      .addColumn('subscription_id', 'text', (c) => c.notNull().references('subscriptions.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('subscription_readers_key', ['subscription_id', 'user_id'])
      .execute();
    await schema.createIndex('subscription_readers_by_user').on('subscription_readers').column('user_id').execute();

    await clustered(dialect, schema.createTable('app_subscriptions'))
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('subscription_id', 'text', (c) => c.notNull().references('subscriptions.id').onDelete('cascade'))
      .addColumn('linked_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('app_subscriptions_key', ['app_id', 'subscription_id'])
      .execute();
    await schema
      .createIndex('app_subscriptions_by_subscription')
      .on('app_subscriptions')
      .column('subscription_id')
      .execute();

    await schema
      .createTable('health_operators')
      .addColumn('user_id', 'text', (c) => c.primaryKey().references('users.id').onDelete('cascade'))
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute();

    await schema
      .createTable('health_version')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('version', 'bigint', (c) => c.notNull())
      .execute();
    await (db as Kysely<{ health_version: { id: number; version: number } }>)
      .insertInto('health_version')
      .values({ id: 1, version: 0 })
      .execute();

    await numbered(dialect, schema.createTable('health_events'), 'seq')
      .addColumn('name', plain, (c) => c.notNull())
      .addColumn('name_key', plain, (c) => c.notNull().unique())
      .addColumn('revision', 'bigint', (c) => c.notNull())
      .addColumn('sort_at', 'bigint', (c) => c.notNull())
      .addColumn('event_type', 'text', (c) => c.notNull())
      .addColumn('event_source', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('event_level', 'text', (c) => c.notNull())
      .addColumn('level', 'text', (c) => c.notNull())
      .addColumn('is_hir', 'integer', (c) => c.notNull())
      .addColumn('priority', 'integer', (c) => c.notNull())
      .addColumn('impact_start_at', 'bigint', (c) => c.notNull())
      .addColumn('facets', 'text', (c) => c.notNull())
      .addColumn('audiences', 'text', (c) => c.notNull())
      .addColumn('body', 'text', (c) => c.notNull())
      .execute();
    await schema.createIndex('health_events_by_time').on('health_events').columns(['sort_at', 'name']).execute();

    await clustered(dialect, schema.createTable('health_index'))
      .addColumn('audience', plain, (c) => c.notNull())
      .addColumn('facet', plain, (c) => c.notNull())
      .addColumn('sort_at', 'bigint', (c) => c.notNull())
      .addColumn('name', plain, (c) => c.notNull())
      .addColumn('seq', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('health_index_key', ['audience', 'facet', 'sort_at', 'name', 'seq'])
      .execute();
  },
};
