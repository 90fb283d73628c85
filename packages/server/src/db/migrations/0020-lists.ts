import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { getDialect, plainText } from '../portable.ts';

const BATCH = 1000;

/** As `kernel/text/search-key.ts` made it when this was written. */
const keyOf = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().slice(0, 200).toWellFormed();

/** Display names as they are searched and sorted by, and an index for each order in which long lists are read. */
export const lists: Migration = {
  async up(db: Kysely<unknown>) {
    const plain = plainText(getDialect(db));
    for (const table of ['owners', 'apps']) {
      await db.schema
        .alterTable(table)
        .addColumn('display_name_key', plain, (c) => c.notNull().defaultTo(''))
        .execute();
      const rowsAfter = (id: string) =>
        sql<{ id: string; display_name: string }>`select id, display_name from ${sql.table(table)}
          where id > ${id} order by id limit ${sql.lit(BATCH)}`.execute(db);
      let { rows } = await rowsAfter('');
      while (rows.length > 0) {
        for (const { id, display_name } of rows) {
          await sql`update ${sql.table(table)} set display_name_key = ${keyOf(display_name)} where id = ${id}`.execute(
            db,
          );
        }
        ({ rows } = await rowsAfter(rows.at(-1)?.id ?? ''));
      }
    }
    const { schema } = db;
    await schema
      .createIndex('owners_by_display_name')
      .on('owners')
      .columns(['kind', 'display_name_key', 'id'])
      .execute();
    await schema
      .createIndex('apps_by_display_name')
      .on('apps')
      .columns(['owner_id', 'display_name_key', 'id'])
      .execute();
  },
};
