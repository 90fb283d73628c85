import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Reports of one user or device are found in the order in which they are shown. What is true of few reports has an index of
 * those alone: one of all costs each report something, and finds nobody more.
 */
export const indexesOfReports: Migration = {
  async up(db: Kysely<unknown>) {
    const { schema } = db;
    for (const name of ['by_user', 'by_install', 'by_state']) await schema.dropIndex(`crash_reports_${name}`).execute();
    const index = (name: string, ...columns: string[]) =>
      schema.createIndex(`crash_reports_${name}`).on('crash_reports').columns(columns);
    await index('by_user', 'app_id', 'user_id', 'at', 'id').where(sql.ref('user_id'), 'is not', null).execute();
    await index('by_install', 'app_id', 'install_id', 'at', 'id').execute();
    await index('failed', 'app_id', 'at', 'id').where(sql.ref('state'), '=', sql.lit('failed')).execute();
    await index('without_symbols', 'app_id', 'at', 'id').where(sql.ref('is_symbolicated'), '=', sql.lit(0)).execute();
    await index('with_attachments', 'app_id', 'at', 'id').where(sql.ref('has_attachments'), '=', sql.lit(1)).execute();
    await schema
      .createIndex('crash_attachments_by_sent')
      .on('crash_attachments')
      .columns(['app_id', 'sent_id'])
      .execute();
  },
};
