import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What apps are watched for, and when it happened. */
export const alerts: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('alert_rules')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('threshold', 'real', (c) => c.notNull())
      .addColumn('is_enabled', 'integer', (c) => c.notNull())
      .addColumn('health_subscription_id', 'text', (c) => c.references('subscriptions.id').onDelete('set null'))
      .addColumn('alert_id', 'text')
      .addColumn('last_value', 'real')
      .addColumn('checked_at', 'bigint')
      .execute();
    await db.schema.createIndex('alert_rules_of_app').on('alert_rules').columns(['app_id', 'id']).execute();
    await db.schema
      .createIndex('alert_rules_of_subscription')
      .on('alert_rules')
      .columns(['health_subscription_id'])
      .execute();
    await db.schema
      .createTable('alerts')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
      .addColumn('rule_id', 'text', (c) => c.notNull().references('alert_rules.id').onDelete('cascade'))
      .addColumn('threshold', 'real', (c) => c.notNull())
      .addColumn('value', 'real', (c) => c.notNull())
      .addColumn('subject', 'text')
      .addColumn('tracking_id', 'text')
      .addColumn('started_at', 'bigint', (c) => c.notNull())
      .addColumn('ended_at', 'bigint')
      .execute();
    await db.schema.createIndex('alerts_of_app').on('alerts').columns(['app_id', 'id']).execute();
    await db.schema.createIndex('alerts_of_rule').on('alerts').columns(['rule_id']).execute();
    await db.schema.createIndex('alerts_by_end').on('alerts').columns(['ended_at']).execute();
  },
};
