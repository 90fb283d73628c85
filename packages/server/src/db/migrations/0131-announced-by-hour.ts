import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Counts new crash groups of an app per hour: beyond a limit they are announced together. */
export const announcedByHour: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('crash_announced_hours')
      .addColumn('app_id', 'text', (c) => c.notNull())
      .addColumn('hour', 'bigint', (c) => c.notNull())
      .addColumn('count', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('crash_announced_hours_pk', ['app_id', 'hour'])
      .execute();
  },
};
