import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What mail programs show instead of the text, until the mail was sent. */
export const htmlOfMails: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('mails').addColumn('html', 'text').execute();
  },
};
