import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What is newest of all apps, for searches of those who see very many; and people in order, with both of their names. */
export const newestOfAll: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    await schema.createIndex('releases_newest').on('releases').column('uploaded_at').execute();
    await schema.createIndex('builds_newest').on('builds').column('queued_at').execute();
    await schema.createIndex('crash_issues_newest').on('crash_issues').column('last_at').execute();
    await schema.dropIndex('owners_by_display_name').execute();
    await schema
      .createIndex('owners_by_display_name')
      .on('owners')
      .columns(['kind', 'display_name_key', 'id', 'name_key'])
      .execute();
  },
};
