import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Tickets of feedback: `issue_id` and `group_id` then have the ID of the feedback. */
export const ticketsOfFeedback: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('tickets')
      .addColumn('subject', 'text', (c) => c.notNull().defaultTo('issue'))
      .execute();
  },
};
