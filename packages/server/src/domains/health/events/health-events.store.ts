import { type Kysely, sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { lockRows } from '../../../db/portable.ts';
import type { Statement } from '../../../db/statement.ts';
import { type HealthIndexTable, query, statement, type Tables } from '../health.tables.ts';

export const readVersion = statement((q) =>
  q.selectFrom('health_version').select(['version', 'changed_at']).where('id', '=', 1),
);

export const nextVersion = statement((q, p: { at: number }) =>
  q
    .updateTable('health_version')
    .set({ version: sql<number>`version + 1`, changed_at: p.at })
    .where('id', '=', 1)
    .returning('version'),
);

const selectEvents = (q: Kysely<Tables>) =>
  q
    .selectFrom('health_events')
    .select(['seq', 'name', 'revision', 'sort_at', 'event_type', 'status', 'is_hir', 'facets', 'audiences', 'body']);

export const findEvent = statement((q, p: { key: string }) => selectEvents(q).where('name_key', '=', p.key));

/** Locks the event, so that concurrent changes run one after the other. */
export const lockEvent = statement((q, p: { key: string }, dialect) =>
  lockRows(dialect, selectEvents(q).where('name_key', '=', p.key)),
);

/** Locks the existing events, in the order of their keys. */
export const lockEvents = async (db: Db, keys: readonly string[]): Promise<StoredEvent[]> =>
  keys.length === 0
    ? []
    : query(db, (q) => lockRows(db.dialect, selectEvents(q).where('name_key', 'in', keys).orderBy('name_key')));

export type StoredEvent = NonNullable<Awaited<ReturnType<typeof findEvent.first>>>;

export interface EventRow {
  name: string;
  name_key: string;
  revision: number;
  sort_at: number;
  event_type: string;
  event_source: string;
  status: string;
  event_level: string;
  level: string;
  is_hir: 0 | 1;
  priority: number;
  impact_start_at: number;
  facets: string;
  search_key: string;
  audiences: string;
  body: string;
}

const columns = (p: EventRow) => ({
  name: p.name,
  name_key: p.name_key,
  revision: p.revision,
  sort_at: p.sort_at,
  event_type: p.event_type,
  event_source: p.event_source,
  status: p.status,
  event_level: p.event_level,
  level: p.level,
  is_hir: p.is_hir,
  priority: p.priority,
  impact_start_at: p.impact_start_at,
  facets: p.facets,
  search_key: p.search_key,
  audiences: p.audiences,
  body: p.body,
});

/** Inserts nothing if the tracking ID exists. */
export const insertEvent = statement((q, p: EventRow) =>
  q
    .insertInto('health_events')
    .values(columns(p))
    .onConflict((c) => c.column('name_key').doNothing())
    .returning('seq'),
);

export const updateEvent = statement((q, p: EventRow & { seq: number }) =>
  q.updateTable('health_events').set(columns(p)).where('seq', '=', p.seq),
);

export const deleteEvent = statement((q, p: { seq: number }) => q.deleteFrom('health_events').where('seq', '=', p.seq));

/** The entries of an event in the index: each audience with each facet. */
export interface IndexEntries {
  audiences: readonly string[];
  facets: readonly string[];
  sortAt: number;
  name: string;
  seq: number;
}

const CHUNK = 32;
type Indexed = Record<`${'audience' | 'facet'}${number}`, string> & { sortAt: number; name: string; seq: number };
const inserts = new Map<number, Statement<Indexed, unknown>>();

/** One statement per number of rows. */
function insertRows(count: number): Statement<Indexed, unknown> {
  const known = inserts.get(count);
  if (known) return known;
  const made: Statement<Indexed, unknown> = statement((q, p: Indexed) =>
    q.insertInto('health_index').values(
      Array.from(
        { length: count },
        (_, at): HealthIndexTable => ({
          audience: p[`audience${at}`] as string,
          facet: p[`facet${at}`] as string,
          sort_at: p.sortAt,
          name: p.name,
          seq: p.seq,
        }),
      ),
    ),
  );
  inserts.set(count, made);
  return made;
}

export async function insertIndexEntries(
  db: Db,
  { audiences, facets, sortAt, name, seq }: IndexEntries,
): Promise<void> {
  const pairs = audiences.flatMap((audience) => facets.map((facet) => [audience, facet] as const));
  for (let start = 0; start < pairs.length; start += CHUNK) {
    const chunk = pairs.slice(start, start + CHUNK);
    const values = Object.fromEntries(
      chunk.flatMap(([audience, facet], at) => [
        [`audience${at}`, audience],
        [`facet${at}`, facet],
      ]),
    );
    await insertRows(chunk.length).run(db, { ...values, sortAt, name, seq });
  }
}

/** Pads to the next power of two by repeating the last item, so that few statements serve every length. */
const padded = (items: readonly string[]): string[] => {
  const size = 2 ** Math.ceil(Math.log2(items.length));
  return [...items, ...Array<string>(size - items.length).fill(items.at(-1) ?? '')];
};

const named = (prefix: 'audience' | 'facet', items: readonly string[]) =>
  Object.fromEntries(items.map((item, at) => [`${prefix}${at}`, item]));

const deletes = new Map<string, Statement<Indexed, unknown>>();

function deleteRows(audiences: number, facets: number): Statement<Indexed, unknown> {
  const key = `${audiences}.${facets}`;
  const known = deletes.get(key);
  if (known) return known;
  const made: Statement<Indexed, unknown> = statement((q, p: Indexed) => {
    const values = (prefix: 'audience' | 'facet', length: number) =>
      Array.from({ length }, (_, at) => p[`${prefix}${at}`] as string);
    return q
      .deleteFrom('health_index')
      .where('audience', 'in', values('audience', audiences))
      .where('facet', 'in', values('facet', facets))
      .where('sort_at', '=', p.sortAt)
      .where('name', '=', p.name);
  });
  deletes.set(key, made);
  return made;
}

const inChunks = (items: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(items.length / CHUNK) }, (_, at) => padded(items.slice(at * CHUNK, (at + 1) * CHUNK)));

export async function deleteIndexEntries(db: Db, { sortAt, name, seq, ...entries }: IndexEntries): Promise<void> {
  const facetChunks = inChunks(entries.facets);
  for (const audiences of inChunks(entries.audiences)) {
    for (const facets of facetChunks) {
      const values = { ...named('audience', audiences), ...named('facet', facets), sortAt, name, seq };
      await deleteRows(audiences.length, facets.length).run(db, values);
    }
  }
}
