import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which batch a report or an attachment came in, and how far exports are with those that were kept before them. */
export const batchesOfReports: Migration = {
  async up({ schema }: Kysely<unknown>) {
    for (const table of ['crash_reports', 'crash_attachments']) {
      await schema.alterTable(table).addColumn('batch', sql`bigint`).execute();
    }
    const exports = () => schema.alterTable('export_configurations');
    await exports()
      .addColumn('reports_after', sql`bigint`, (c) => c.notNull().defaultTo(0))
      .execute();
    await exports().addColumn('reports_left', 'text').execute();
  },
};
