import { sql } from 'kysely';
import { isAmong } from '../../db/portable.ts';
import { type IngestMinutesTable, insertInto, statement } from './ingest.tables.ts';

export type MinuteRow = IngestMinutesTable;

const countColumns = ['batches', 'logs', 'bytes', 'invalid', 'dropped', 'blocked', 'refused', 'limited'] as const;
export type CountName = (typeof countColumns)[number];
export type Counts = Record<CountName, number>;

export const noCounts = (): Counts => ({
  batches: 0,
  logs: 0,
  bytes: 0,
  invalid: 0,
  dropped: 0,
  blocked: 0,
  refused: 0,
  limited: 0,
});

export function addCounts(to: Counts, more: Counts): void {
  for (const name of countColumns) to[name] += more[name];
}

export const addToMinute = insertInto('ingest_minutes', (insert) =>
  insert.onConflict((c) =>
    c.columns(['app_id', 'minute']).doUpdateSet(
      // Adds the stored and the new counters.
      Object.fromEntries(
        countColumns.map((name) => [
          name,
          sql<number>`${sql.ref(`ingest_minutes.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
        ]),
      ),
    ),
  ),
);

export const addToItems = insertInto('ingest_items', (insert) =>
  insert.onConflict((c) =>
    c
      .columns(['app_id', 'hour', 'item', 'outcome', 'reason'])
      .doUpdateSet({ count: sql<number>`ingest_items.count + excluded.count` }),
  ),
);

/** Items since a time, summed by name, outcome and reason. */
export const sumItems = statement((q, p: { appId: string; since: number }) =>
  q
    .selectFrom('ingest_items')
    .select((eb) => ['item', 'outcome', 'reason', eb.fn.sum<number>('count').as('count')])
    .where('app_id', '=', p.appId)
    .where('hour', '>', p.since)
    .groupBy(['item', 'outcome', 'reason'])
    .orderBy('item')
    .orderBy('outcome')
    .orderBy('reason'),
);

export const deleteItemsBefore = statement((q, p: { before: number }) =>
  q.deleteFrom('ingest_items').where('hour', '<', p.before),
);

export const listMinutes = statement((q, p: { appId: string; since: number }) =>
  q
    .selectFrom('ingest_minutes')
    .selectAll()
    .where('app_id', '=', p.appId)
    .where('minute', '>', p.since)
    .orderBy('minute'),
);

export const sumBytesSince = statement((q, p: { appId: string; since: number }) =>
  q
    .selectFrom('ingest_minutes')
    .select((eb) => eb.fn.sum<number | null>('bytes').as('bytes'))
    .where('app_id', '=', p.appId)
    .where('minute', '>', p.since),
);

/** The same for several apps, for their usage. */
export const sumBytesByApp = statement((q, p: { appIds: string; since: number }, dialect) =>
  q
    .selectFrom('ingest_minutes')
    .select((eb) => ['app_id', eb.fn.sum<number | null>('bytes').as('sum')])
    .where(isAmong(dialect, 'app_id', p.appIds))
    .where('minute', '>', p.since)
    .groupBy('app_id'),
);

export const deleteMinutes = statement((q, p: { before: number; limit: number }) =>
  q.deleteFrom('ingest_minutes').where(({ refTuple, selectFrom }) => {
    const old = selectFrom('ingest_minutes as old')
      .select(['old.app_id', 'old.minute'])
      .where('old.minute', '<', p.before)
      .limit(p.limit);
    return sql<boolean>`${refTuple('app_id', 'minute')} in ${old}`;
  }),
);

export const saveSource = insertInto('ingest_senders', (insert) =>
  insert.onConflict((c) =>
    c.columns(['app_id', 'sdk', 'sdk_version', 'app_version']).doUpdateSet({
      logs: sql<number>`ingest_senders.logs + excluded.logs`,
      last_at: sql<number>`excluded.last_at`,
    }),
  ),
);

export const listSources = statement((q, p: { appId: string; limit: number }) =>
  q
    .selectFrom('ingest_senders')
    .select(['sdk', 'sdk_version', 'app_version', 'logs', 'last_at'])
    .where('app_id', '=', p.appId)
    .orderBy('last_at', 'desc')
    .orderBy('sdk')
    .orderBy('sdk_version')
    .orderBy('app_version')
    .limit(p.limit),
);

export const deleteSourcesBefore = statement((q, p: { before: number }) =>
  q.deleteFrom('ingest_senders').where('last_at', '<', p.before),
);

export const insertFirstDevice = insertInto('ingest_first_devices', (insert) =>
  insert.onConflict((c) => c.column('app_id').doNothing()),
);

export const findFirstDevice = statement((q, p: { appId: string }) =>
  q.selectFrom('ingest_first_devices').select(['model', 'os', 'received_at']).where('app_id', '=', p.appId),
);

export const insertInvalidLog = insertInto('ingest_invalid_logs');

export const listInvalidLogs = statement((q, p: { appId: string; limit: number }) =>
  q
    .selectFrom('ingest_invalid_logs')
    .select(['received_at', 'install_id', 'reason', 'log'])
    .where('app_id', '=', p.appId)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

export const pageInvalidLogs = statement((q, p: { appId: string; after: string; limit: number }) =>
  q
    .selectFrom('ingest_invalid_logs')
    .select(['id', 'received_at', 'install_id', 'reason', 'log'])
    .where('app_id', '=', p.appId)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

export const deleteInvalidLog = statement((q, p: { appId: string; id: string }) =>
  q.deleteFrom('ingest_invalid_logs').where('app_id', '=', p.appId).where('id', '=', p.id),
);

export const deleteInvalidLogsBefore = statement((q, p: { before: number }) =>
  q.deleteFrom('ingest_invalid_logs').where('received_at', '<', p.before),
);

export const findLastReceived = statement((q, p: { appId: string }) =>
  q.selectFrom('ingest_apps').select(['last_number', 'last_received_at']).where('app_id', '=', p.appId),
);

/** Finds the first batch after a number. */
export const findNextBatch = statement((q, p: { appId: string; after: number }) =>
  q
    .selectFrom('ingest_batches')
    .select('received_at')
    .where('app_id', '=', p.appId)
    .where('number', '>', p.after)
    .orderBy('number')
    .limit(1),
);
