import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What this program called odd, the field calls invalid. */
export const invalidLogs: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema.alterTable('ingest_odd_logs').renameTo('ingest_invalid_logs').execute();
    await schema.alterTable('ingest_minutes').renameColumn('odd', 'invalid').execute();
  },
};
