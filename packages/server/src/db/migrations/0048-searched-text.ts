import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { getDialect, plainText } from '../portable.ts';

const escapeSign = (code: number): string => `\\U${code.toString(16).padStart(8, '0')}`;

/** All signs that only change the one before them, as ranges for a regular expression. */
function marks(): string {
  const ranges: string[] = [];
  for (let code = 0, first = -1; code <= 0x10ffff; code += 1) {
    const isMark = (code < 0xd800 || code > 0xdfff) && /\p{M}/u.test(String.fromCodePoint(code));
    if (isMark && first < 0) first = code;
    if (isMark || first < 0) continue;
    ranges.push(`${escapeSign(first)}-${escapeSign(code - 1)}`);
    first = -1;
  }
  return `[${ranges.join('')}]`;
}

/**
 * `folded(text)`: without case and accents, as `kernel/text/search-key.ts` folds; on SQLite each connection brings it along.
 * Lower case is that of Unicode, whatever the language of the database is, where the server has a collation for it.
 */
async function createFolded(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string }>`select collname as name from pg_collation
    where collname in ('pg_c_utf8', 'und-x-icu') order by collname limit 1`.execute(db);
  const collation = sql.ref(rows[0]?.name ?? 'default');
  await sql`create function folded(given text) returns text language sql immutable parallel safe as $$
    select lower((case when octet_length(given) = length(given) then given
      else regexp_replace(normalize(given, NFKD), ${sql.lit(marks())}, '', 'g') end) collate ${collation})
  $$`.execute(db);
}

interface Body {
  name: string;
  properties: {
    title: string;
    impact?: { impactedService: string; impactedRegions?: { impactedRegion: string }[] }[];
  };
}

/** What `event-rows.ts` made of an event when this was written; its text has marks that JSON cannot contain. */
function keyOf(body: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the marks are control characters.
  const { name, properties } = JSON.parse(body.replaceAll(/[\u0001\u0002]/g, '')) as Body;
  const places = (properties.impact ?? []).flatMap(({ impactedService, impactedRegions = [] }) => [
    impactedService,
    ...impactedRegions.map(({ impactedRegion }) => impactedRegion),
  ]);
  const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return [properties.title, name, ...places].map(fold).join('\n');
}

const BATCH = 500;

/** Text as it was written is found without regard to case and accents, health events by a key, apps by an index, and deliveries in order. */
export const searchedText: Migration = {
  async up(db: Kysely<unknown>) {
    const dialect = getDialect(db);
    if (dialect === 'postgres') await createFolded(db);
    await db.schema
      .alterTable('health_events')
      .addColumn('search_key', plainText(dialect), (c) => c.notNull().defaultTo(''))
      .execute();
    const rowsAfter = (seq: number) =>
      sql<{ seq: number; body: string }>`select seq, body from health_events
        where seq > ${seq} order by seq limit ${sql.lit(BATCH)}`.execute(db);
    for (let { rows } = await rowsAfter(0); rows.length > 0; { rows } = await rowsAfter(rows.at(-1)?.seq ?? 0)) {
      for (const { seq, body } of rows) {
        await sql`update health_events set search_key = ${keyOf(body)} where seq = ${seq}`.execute(db);
      }
    }
    // With the name in it, a search through all apps of an organization reads nothing but this index.
    await db.schema.dropIndex('apps_by_display_name').execute();
    await db.schema
      .createIndex('apps_by_display_name')
      .on('apps')
      .columns(['owner_id', 'display_name_key', 'id', 'name_key'])
      .execute();
    await db.schema
      .createIndex('deliveries_in_order')
      .on('deliveries')
      .columns(['endpoint_id', 'created_at', 'id'])
      .execute();
  },
};
