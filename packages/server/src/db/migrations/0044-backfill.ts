import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { clustered, getDialect } from '../portable.ts';

/** Exports of what came before them: parts that stay until somebody has read them. */
export const backfill: Migration = {
  async up(db: Kysely<unknown>) {
    await clustered(
      getDialect(db),
      db.schema
        .createTable('analytics_pins')
        .addColumn('app_id', 'text', (c) => c.notNull().references('apps.id').onDelete('cascade')),
    )
      .addColumn('holder', 'text', (c) => c.notNull())
      .addColumn('part_id', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('analytics_pins_key', ['app_id', 'holder', 'part_id'])
      .execute();
    await db.schema
      .alterTable('export_configurations')
      .addColumn('logs_after', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
  },
};
