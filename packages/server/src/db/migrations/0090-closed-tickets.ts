import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Whether tickets close and open with their issues. */
export const closedTickets: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('bug_trackers')
      .addColumn('closes_tickets', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
  },
};
