import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** With what repositories are read by ssh, and as whom their hosts have shown themselves. */
export const deployKeys: Migration = {
  async up(db: Kysely<unknown>) {
    for (const name of ['deploy_key', 'deploy_public_key', 'known_hosts']) {
      await db.schema.alterTable('build_repositories').addColumn(name, 'text').execute();
    }
  },
};
