import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Old rows are combined; 0 in rows of earlier versions, until the next sweep. */
export const timesOfInstalls: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('release_installs')
      .addColumn('noted_at', 'bigint', (add) => add.notNull().defaultTo(0))
      .execute();
    await db.schema.createIndex('release_installs_noted').on('release_installs').column('noted_at').execute();
  },
};
