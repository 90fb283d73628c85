import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What happens to apps and organizations, and where it is told. */
export const webhooksOfApps: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('announcements')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('app_id', 'text', (c) => c.references('apps.id').onDelete('cascade'))
      .addColumn('org_id', 'text', (c) => c.references('owners.id').onDelete('cascade'))
      .addColumn('once_key', 'text', (c) => c.unique())
      .addColumn('is_test', 'integer', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('data', 'text', (c) => c.notNull())
      .execute();
    await db.schema.createIndex('announcements_by_time').on('announcements').columns(['at', 'id']).execute();
    await db.schema.createIndex('announcements_of_app').on('announcements').columns(['app_id', 'at']).execute();
    await db.schema.createIndex('announcements_of_org').on('announcements').columns(['org_id', 'at']).execute();

    await db.schema
      .createTable('webhooks')
      .addColumn('id', 'text', (c) => c.primaryKey().references('delivery_endpoints.id').onDelete('cascade'))
      .addColumn('app_id', 'text', (c) => c.references('apps.id').onDelete('cascade'))
      .addColumn('org_id', 'text', (c) => c.references('owners.id').onDelete('cascade'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('event_types', 'text', (c) => c.notNull())
      .addColumn('format', 'text', (c) => c.notNull())
      .execute();
    await db.schema.createIndex('webhooks_of_app').on('webhooks').columns(['app_id']).execute();
    await db.schema.createIndex('webhooks_of_org').on('webhooks').columns(['org_id']).execute();
  },
};
