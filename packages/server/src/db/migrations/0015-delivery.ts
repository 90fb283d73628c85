import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { clustered, getDialect } from '../portable.ts';

/** What is sent to others gets tables that know no domain; those of the health events say so in their names. */
export const delivery: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    await schema
      .createTable('delivery_endpoints')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('channel', 'text', (c) => c.notNull())
      .addColumn('url', 'text', (c) => c.notNull())
      .addColumn('secret', 'text', (c) => c.notNull())
      .addColumn('old_secret', 'text')
      .addColumn('old_secret_until', 'bigint', (c) => c.notNull())
      .addColumn('is_enabled', 'integer', (c) => c.notNull())
      .addColumn('disabled_reason', 'text')
      .addColumn('failing_since', 'bigint')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .execute();
    await schema
      .createIndex('delivery_endpoints_in_use')
      .on('delivery_endpoints')
      .columns(['channel', 'is_enabled', 'id'])
      .execute();
    await sql`insert into delivery_endpoints
      select id, 'health', url, secret, old_secret, old_secret_until, is_enabled, disabled_reason, failing_since,
        created_at, updated_at from webhooks`.execute(db);

    await schema
      .createTable('health_webhooks')
      .addColumn('id', 'text', (c) => c.primaryKey().references('delivery_endpoints.id').onDelete('cascade'))
      .addColumn('subscription_id', 'text', (c) => c.notNull().references('subscriptions.id').onDelete('cascade'))
      .addColumn('created_by', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
      .addColumn('oauth_client_id', 'text')
      .addColumn('filter', 'text', (c) => c.notNull())
      .execute();
    await sql`insert into health_webhooks
      select id, subscription_id, created_by, oauth_client_id, filter from webhooks`.execute(db);

    await schema
      .createTable('deliveries')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('endpoint_id', 'text', (c) => c.notNull().references('delivery_endpoints.id').onDelete('cascade'))
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('subject', 'text', (c) => c.notNull())
      .addColumn('source_id', 'text', (c) => c.notNull())
      .addColumn('replay', 'integer', (c) => c.notNull())
      .addColumn('message_id', 'text', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('settled_at', 'bigint')
      .addUniqueConstraint('deliveries_once', ['endpoint_id', 'source_id', 'replay'])
      .execute();
    await sql`insert into deliveries
      select webhook_deliveries.id, webhook_id, health_changes.kind, health_changes.name, change_id, replay, message_id,
        state, attempts, created_at, settled_at
      from webhook_deliveries join health_changes on health_changes.id = webhook_deliveries.change_id`.execute(db);
    await schema.createIndex('deliveries_log').on('deliveries').columns(['endpoint_id', 'id']).execute();
    await schema.createIndex('deliveries_by_time').on('deliveries').columns(['created_at', 'id']).execute();

    await clustered(getDialect(db), schema.createTable('delivery_attempts'))
      .addColumn('delivery_id', 'text', (c) => c.notNull().references('deliveries.id').onDelete('cascade'))
      .addColumn('number', 'integer', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('ms', 'bigint', (c) => c.notNull())
      .addColumn('status', 'integer')
      .addColumn('error', 'text')
      .addColumn('answer', 'text')
      .addPrimaryKeyConstraint('delivery_attempts_key', ['delivery_id', 'number'])
      .execute();
    await sql`insert into delivery_attempts
      select delivery_id, number, at, ms, status, error, answer from webhook_attempts`.execute(db);

    for (const table of ['webhook_attempts', 'webhook_deliveries', 'webhooks']) await schema.dropTable(table).execute();
    await schema
      .createIndex('health_webhooks_by_subscription')
      .on('health_webhooks')
      .column('subscription_id')
      .execute();
    await schema.createIndex('health_webhooks_by_maker').on('health_webhooks').column('created_by').execute();
    await schema.alterTable('feeds').renameTo('health_feeds').execute();
  },
};
