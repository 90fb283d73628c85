import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { clustered, getDialect } from '../portable.ts';

export const webhooksAndFeeds: Migration = {
  async up(db: Kysely<unknown>) {
    const dialect = getDialect(db);
    const { schema } = db;

    await schema
      .alterTable('health_version')
      .addColumn('changed_at', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();

    await schema
      .createTable('health_changes')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('version', 'bigint', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('audiences', 'text', (c) => c.notNull())
      .addColumn('except', 'text', (c) => c.notNull())
      .addColumn('body', 'text', (c) => c.notNull())
      .execute();
    await schema.createIndex('health_changes_by_time').on('health_changes').column('at').execute();

    await schema
      .createTable('webhooks')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('subscription_id', 'text', (c) => c.notNull().references('subscriptions.id').onDelete('cascade'))
      .addColumn('created_by', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('url', 'text', (c) => c.notNull())
      .addColumn('filter', 'text', (c) => c.notNull())
      .addColumn('secret', 'text', (c) => c.notNull())
      .addColumn('old_secret', 'text')
      .addColumn('old_secret_until', 'bigint', (c) => c.notNull())
      .addColumn('is_enabled', 'integer', (c) => c.notNull())
      .addColumn('disabled_reason', 'text')
      .addColumn('failing_since', 'bigint')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema.createIndex('webhooks_by_subscription').on('webhooks').column('subscription_id').execute();
    await schema.createIndex('webhooks_by_maker').on('webhooks').column('created_by').execute();
    await schema.createIndex('webhooks_in_use').on('webhooks').columns(['is_enabled', 'id']).execute();

    await schema
      .createTable('webhook_deliveries')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('webhook_id', 'text', (c) => c.notNull().references('webhooks.id').onDelete('cascade'))
      .addColumn('change_id', 'text', (c) => c.notNull().references('health_changes.id').onDelete('cascade'))
      .addColumn('replay', 'integer', (c) => c.notNull())
      .addColumn('message_id', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('settled_at', 'bigint')
      .addUniqueConstraint('webhook_deliveries_once', ['change_id', 'webhook_id', 'replay'])
      .execute();
    await schema.createIndex('webhook_deliveries_log').on('webhook_deliveries').columns(['webhook_id', 'id']).execute();

    await clustered(dialect, schema.createTable('webhook_attempts'))
      .addColumn('delivery_id', 'text', (c) => c.notNull().references('webhook_deliveries.id').onDelete('cascade'))
      .addColumn('number', 'integer', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('ms', 'bigint', (c) => c.notNull())
      .addColumn('status', 'integer')
      .addColumn('error', 'text')
      .addColumn('answer', 'text')
      .addPrimaryKeyConstraint('webhook_attempts_key', ['delivery_id', 'number'])
      .execute();

    await schema
      .createTable('feeds')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('secret_hash', 'text', (c) => c.notNull().unique())
      .addColumn('subscription_id', 'text', (c) => c.notNull().references('subscriptions.id').onDelete('cascade'))
      .addColumn('created_by', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('filter', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema.createIndex('feeds_by_subscription').on('feeds').column('subscription_id').execute();
    await schema.createIndex('feeds_by_maker').on('feeds').column('created_by').execute();
  },
};
