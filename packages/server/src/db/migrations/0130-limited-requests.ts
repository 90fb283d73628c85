import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Counts the requests of devices that came beyond the limit of an hour. */
export const limitedRequests: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .alterTable('ingest_minutes')
      .addColumn('limited', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
  },
};
