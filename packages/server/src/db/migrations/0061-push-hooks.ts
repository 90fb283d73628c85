import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** With what git hosts tell of pushes, and when a repository was last asked. */
export const pushHooks: Migration = {
  async up(db: Kysely<unknown>) {
    for (const [name, type] of [
      ['hook_id', 'text'],
      ['hook_secret', 'text'],
      ['pushed_at', 'bigint'],
      ['polled_at', 'bigint'],
    ] as const) {
      await db.schema.alterTable('build_repositories').addColumn(name, type).execute();
    }
    await db.schema
      .createIndex('build_repositories_by_hook')
      .unique()
      .on('build_repositories')
      .columns(['hook_id'])
      .execute();
    await db.schema.createIndex('builds_by_commit').on('builds').columns(['app_id', 'branch', 'commit_sha']).execute();
  },
};
