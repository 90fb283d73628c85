import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which of the events that a webhook is told of it wants. */
export const filtersOfWebhooks: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('webhooks')
      .addColumn('filter', 'text', (c) => c.notNull().defaultTo(''))
      .execute();
  },
};
