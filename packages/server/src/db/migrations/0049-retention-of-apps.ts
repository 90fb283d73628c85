import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { clustered, getDialect } from '../portable.ts';

/** How long an app keeps its telemetry, and how far the deletion of some of it is. */
export const retentionOfApps: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    await clustered(
      getDialect(db),
      schema
        .createTable('analytics_retention')
        .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade'))
        .addColumn('days', 'integer', (c) => c.notNull())
        .addPrimaryKeyConstraint('analytics_retention_key', ['app_id']),
    ).execute();
    for (const column of ['requested_at', 'part_count']) {
      await schema
        .alterTable('analytics_forgotten')
        .addColumn(column, 'bigint', (c) => c.notNull().defaultTo(0))
        .execute();
    }
  },
};
