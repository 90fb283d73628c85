import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../../db/open.ts';
import { hasManyWriters } from '../../../db/portable.ts';
import { type IngestBatchesTable, insertInto, query, statement } from '../ingest.tables.ts';

/** Corrects clocks that run slightly ahead of each other; a clock that was set back by more is trusted. */
const MAX_LEAD_MS = 60_000;
/**
 * With more than a thousand batches per second, times run ahead of the clock by at most this; then batches share a time.
 */
export const MAX_AHEAD_MS = 45_000;

/**
 * Takes the next numbers of an app, and some arrival times, with `latest` as the last by the clock. The row stays locked until
 * the transaction ends, so higher numbers only exist after these are visible or returned.
 */
export const takeNumbers = statement((q, p: { appId: string; count: number; times: number; latest: number }) => {
  const [last, latest] = [sql.ref('ingest_apps.last_received_at'), sql.ref('excluded.last_received_at')];
  const [times, ahead] = [sql<number>`cast(${p.times} as bigint)`, sql.lit(MAX_AHEAD_MS)];
  return q
    .insertInto('ingest_apps')
    .values({ app_id: p.appId, last_number: p.count, last_received_at: p.latest })
    .onConflict((c) =>
      c.column('app_id').doUpdateSet({
        last_number: sql<number>`ingest_apps.last_number + excluded.last_number`,
        last_received_at: sql<number>`case
          when ${last} <= ${latest} - ${times} or ${last} > ${latest} + ${sql.lit(MAX_LEAD_MS)} then ${latest}
          when ${last} + ${times} <= ${latest} + ${ahead} then ${last} + ${times}
          when ${last} <= ${latest} + ${ahead} then ${latest} + ${ahead}
          else ${last} end`,
      }),
    )
    .returning(['last_number', 'last_received_at']);
});

const insertBatch = insertInto('ingest_batches');

/** Rows per statement; each has as many parameters as columns. */
const ROWS_AT_ONCE = 100;

/** Inserts many rows per statement, because on a remote database each statement is a round trip. */
export async function insertBatches(db: Db, rows: readonly IngestBatchesTable[]): Promise<void> {
  if (!hasManyWriters(db.dialect)) {
    for (const [at, row] of rows.entries()) {
      await insertBatch.run(db, row);
      // SQLite runs without yielding, so let other requests run.
      if (at % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await setImmediate();
    }
    return;
  }
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const some = rows.slice(at, at + ROWS_AT_ONCE);
    await query(db, (q) => q.insertInto('ingest_batches').values(some));
  }
}

/** Inserts nothing if the same history was imported before. */
export const insertHistory = insertInto('ingest_history', (insert) => insert.onConflict((c) => c.doNothing()));

export const findAppOwner = statement((q, p: { appId: string }) =>
  q.selectFrom('app_names').select('owner_id').where('id', '=', p.appId),
);

export const findCursor = statement((q, p: { appId: string; consumer: string }) =>
  q.selectFrom('ingest_cursors').select('number').where('app_id', '=', p.appId).where('consumer', '=', p.consumer),
);

/** Moves the cursor only if it is where the reader found it. */
export const moveCursor = statement((q, p: { appId: string; consumer: string; from: number; to: number }) =>
  q
    .updateTable('ingest_cursors')
    .set({ number: p.to })
    .where('app_id', '=', p.appId)
    .where('consumer', '=', p.consumer)
    .where('number', '=', p.from),
);

export const insertCursor = statement((q, p: { appId: string; consumer: string; to: number }) =>
  q
    .insertInto('ingest_cursors')
    .values({ app_id: p.appId, consumer: p.consumer, number: p.to })
    .onConflict((c) => c.columns(['app_id', 'consumer']).doNothing()),
);

export const deleteCursor = statement((q, p: { appId: string; consumer: string }) =>
  q.deleteFrom('ingest_cursors').where('app_id', '=', p.appId).where('consumer', '=', p.consumer),
);

export const findOldestBatch = statement((q, p: { appId: string }) =>
  q.selectFrom('ingest_batches').select('number').where('app_id', '=', p.appId).orderBy('number').limit(1),
);

/** Reads batches by number or by arrival time; reads their sizes first, so that they fit into memory. */
const sizesBy = (position: 'number' | 'received_at') =>
  statement((q, p: { appId: string; after: number; limit: number }) =>
    q
      .selectFrom('ingest_batches')
      .select([`${position} as position`, 'size', 'log_count'])
      .where('app_id', '=', p.appId)
      .where(position, '>', p.after)
      .$if(position === 'received_at', (found) => found.where('is_history', '=', 0))
      .orderBy(position)
      .limit(p.limit),
  );

const batchesBy = (position: 'number' | 'received_at') =>
  statement((q, p: { appId: string; after: number; to: number }) =>
    q
      .selectFrom('ingest_batches')
      .select(['number', 'received_at', 'install_id', 'encoding', 'size', 'types', 'is_history', 'body'])
      .where('app_id', '=', p.appId)
      .where(position, '>', p.after)
      .where(position, '<=', p.to)
      .$if(position === 'received_at', (found) => found.where('is_history', '=', 0))
      .orderBy(position),
  );

export const byNumber = { sizes: sizesBy('number'), batches: batchesBy('number') };
export const byTime = { sizes: sizesBy('received_at'), batches: batchesBy('received_at') };

export type ReadBatch = Awaited<ReturnType<typeof byNumber.batches.all>>[number];

type Rewritten = Pick<
  IngestBatchesTable,
  'number' | 'install_id' | 'types' | 'log_count' | 'encoding' | 'size' | 'body'
>;

export const replaceBatch = statement((q, p: Rewritten & { appId: string }) =>
  q
    .updateTable('ingest_batches')
    .set({
      install_id: p.install_id,
      types: p.types,
      log_count: p.log_count,
      encoding: p.encoding,
      size: p.size,
      body: p.body,
    })
    .where('app_id', '=', p.appId)
    .where('number', '=', p.number),
);

/** Lists apps with batches that a consumer has not processed. */
export const listAppsBehind = statement((q, p: { consumer: string }) =>
  q
    .selectFrom('ingest_apps')
    .leftJoin('ingest_cursors', (join) =>
      join.onRef('ingest_cursors.app_id', '=', 'ingest_apps.app_id').on('ingest_cursors.consumer', '=', p.consumer),
    )
    .select('ingest_apps.app_id')
    .whereRef('ingest_apps.last_number', '>', sql<number>`coalesce(ingest_cursors.number, 0)`)
    .orderBy('ingest_apps.app_id'),
);

export const listCursors = statement((q, p: { appId: string }) =>
  q.selectFrom('ingest_cursors').select(['consumer', 'number']).where('app_id', '=', p.appId),
);

/** Deletes batches up to a number and older than a time. */
export const deleteBatches = statement((q, p: { appId: string; to: number; before: number; limit: number }) =>
  q
    .deleteFrom('ingest_batches')
    .where('app_id', '=', p.appId)
    .where(
      'number',
      'in',
      q
        .selectFrom('ingest_batches as old')
        .select('old.number')
        .where('old.app_id', '=', p.appId)
        .where('old.number', '<=', p.to)
        .where('old.received_at', '<', p.before)
        .orderBy('old.number')
        .limit(p.limit),
    ),
);

/** Finds the next app with batches, even if the app was deleted. */
export const findNextAppWithBatches = statement((q, p: { after: string }) =>
  q
    .selectFrom('ingest_batches')
    .leftJoin('ingest_apps', 'ingest_apps.app_id', 'ingest_batches.app_id')
    .select(['ingest_batches.app_id', 'ingest_apps.app_id as kept'])
    .where('ingest_batches.app_id', '>', p.after)
    .orderBy('ingest_batches.app_id')
    .limit(1),
);
