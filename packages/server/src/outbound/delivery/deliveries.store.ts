import { type Expression, type Kysely, sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { isRemote, lockFreeRows, selectOldestPerOwner } from '../../db/portable.ts';
import { mentionsTerms, selectPage } from '../../db/rows/listing.ts';
import type { Listing } from '../../kernel/paging.ts';
import { type DeliveriesTable, type DeliveryAttemptsTable, query, statement, type Tables } from './delivery.tables.ts';

export type DeliveryRow = DeliveriesTable;

/** Skips deliveries that exist already. */
export const insertDeliveries = (db: Db, rows: readonly DeliveryRow[]) =>
  query(db, (q) =>
    q
      .insertInto('deliveries')
      .values(rows)
      .onConflict((c) => c.columns(['endpoint_id', 'source_id', 'replay']).doNothing()),
  );

/**
 * Endpoints with due deliveries. Jumps in the index from one endpoint to the next, so that a long queue of one endpoint
 * costs nothing.
 */
export const listWaitingEndpoints = statement((q, p: { now: number }) =>
  q
    .withRecursive('waiting', (c) =>
      c
        .selectFrom('deliveries')
        .select((eb) => eb.fn.min<string | null>('endpoint_id').as('id'))
        .where('due_at', 'is not', null)
        .unionAll(
          c
            .selectFrom('waiting')
            .select((eb) =>
              eb
                .selectFrom('deliveries')
                .select((e) => e.fn.min<string | null>('endpoint_id').as('id'))
                .where('due_at', 'is not', null)
                .whereRef('endpoint_id', '>', 'waiting.id')
                .as('id'),
            )
            .where('waiting.id', 'is not', null),
        ),
    )
    .selectFrom('waiting')
    .innerJoin('delivery_endpoints', 'delivery_endpoints.id', 'waiting.id')
    .selectAll('delivery_endpoints')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('deliveries')
          .select('deliveries.id')
          .whereRef('deliveries.endpoint_id', '=', 'delivery_endpoints.id')
          .where('deliveries.due_at', '<=', p.now),
      ),
    ),
);

interface Claim {
  now: number;
  lease: string;
  until: number;
}

/** Claiming counts as an attempt, even if the process ends. */
const claim = (q: Kysely<Tables>, p: Claim, ids: Expression<string>) =>
  q
    .updateTable('deliveries')
    .set({ lease: p.lease, due_at: p.until, attempts: sql<number>`attempts + 1` })
    .where('id', 'in', ids)
    .returning(['id', 'endpoint_id', 'source_id', 'message_id', 'attempts']);

const claimForEndpoint = statement((q, p: Claim & { id: string; count: number }, dialect) => {
  const due = q.selectFrom('deliveries').select('id').where('endpoint_id', '=', p.id).where('due_at', '<=', p.now);
  const oldest = due.orderBy('due_at').orderBy('id').limit(p.count);
  return claim(q, p, lockFreeRows(dialect, oldest).$asScalar());
});

const claimForEndpoints = statement((q, p: Claim & { requested: string }, dialect) => {
  const columns = { table: 'deliveries', owner: 'endpoint_id', due: 'due_at' };
  return claim(q, p, selectOldestPerOwner(dialect, { ...columns, now: p.now, requested: p.requested }));
});

export type ClaimedDelivery = NonNullable<Awaited<ReturnType<typeof claimForEndpoint.first>>>;

/** Claims the oldest due deliveries of endpoints, up to a count for each. */
export async function claimDeliveries(
  db: Db,
  { requested, ...p }: Claim & { requested: readonly { id: string; count: number }[] },
): Promise<ClaimedDelivery[]> {
  if (requested.length === 0) return [];
  if (isRemote(db.dialect)) return claimForEndpoints.all(db, { ...p, requested: JSON.stringify(requested) });
  const claimed: ClaimedDelivery[] = [];
  for (const { id, count } of requested) claimed.push(...(await claimForEndpoint.all(db, { ...p, id, count })));
  return claimed;
}

/** Renews the leases of deliveries in progress. */
export const renewDeliveries = (db: Db, p: { ids: readonly string[]; lease: string; until: number }) =>
  query(db, (q) =>
    q.updateTable('deliveries').set({ due_at: p.until }).where('id', 'in', p.ids).where('lease', '=', p.lease),
  );

interface EndedDeliveries {
  ids: readonly string[];
  lease: string;
  state: DeliveryRow['state'];
  at: number;
}

/** Ends deliveries with this lease. Returns those that still existed. */
export const endDeliveries = (db: Db, { ids, lease, state, at }: EndedDeliveries) =>
  query(db, (q) =>
    q
      .updateTable('deliveries')
      .set({ state, settled_at: at, due_at: null, lease: null })
      .where('id', 'in', ids)
      .where('lease', '=', lease)
      .returning('id'),
  );

/** Postpones deliveries with this lease, each to its own time. Returns those that still existed. */
export const postponeDeliveries = (db: Db, lease: string, postponed: readonly { id: string; dueAt: number }[]) =>
  query(db, (q) => {
    const times = postponed.map(({ id, dueAt }) => sql`when ${id} then ${sql.lit(dueAt)}`);
    return q
      .updateTable('deliveries')
      .set({ due_at: sql<number>`case id ${sql.join(times, sql` `)} end`, lease: null })
      .where(
        'id',
        'in',
        postponed.map(({ id }) => id),
      )
      .where('lease', '=', lease)
      .returning('id');
  });

/** Cancels due deliveries of a disabled endpoint. */
export const cancelWaiting = statement((q, p: { endpointId: string; at: number }) =>
  q
    .updateTable('deliveries')
    .set({ state: 'Cancelled', settled_at: p.at, due_at: null, lease: null })
    .where('endpoint_id', '=', p.endpointId)
    .where('due_at', '<=', p.at),
);

export const insertAttempts = (db: Db, rows: readonly DeliveryAttemptsTable[]) =>
  query(db, (q) => q.insertInto('delivery_attempts').values(rows));

export const countWaiting = statement((q, p: { now: number }) =>
  q
    .selectFrom('deliveries')
    .select(({ fn }) => [fn.countAll<number>().as('due'), fn.min<number | null>('due_at').as('oldestDueAt')])
    .where('due_at', '<=', p.now),
);

export const findDeliveryRow = statement((q, p: { endpointId: string; id: string }) =>
  q.selectFrom('deliveries').selectAll().where('endpoint_id', '=', p.endpointId).where('id', '=', p.id),
);

const keys = {
  created_at: sql.ref<number>('deliveries.created_at'),
  state: sql.ref<string>('deliveries.state'),
  subject: sql.ref<string>('deliveries.subject'),
  attempts: sql.ref<number>('deliveries.attempts'),
};
const searched = ['deliveries.subject', 'deliveries.kind', 'deliveries.state', 'deliveries.message_id'];

export const pageDeliveries = (db: Db, endpointId: string, listing: Listing<keyof typeof keys>) =>
  query(db, (q) =>
    selectPage(
      q
        .selectFrom('deliveries')
        .selectAll()
        .where('endpoint_id', '=', endpointId)
        .where(mentionsTerms(listing.terms, searched)),
      { key: keys[listing.sort], id: sql.ref('deliveries.id') },
      listing,
    ),
  );

const WATCHED = 200;

export const findNewestVersion = statement((q, p: { endpointId: string }) =>
  q
    .selectFrom(
      q
        .selectFrom('deliveries')
        .select(['id', 'attempts', 'settled_at'])
        .where('endpoint_id', '=', p.endpointId)
        .orderBy('id', 'desc')
        .limit(sql.lit(WATCHED))
        .as('newest'),
    )
    .select(({ fn }) => [
      fn.max('newest.id').as('last'),
      fn.sum<number | null>('newest.attempts').as('attempts'),
      fn.count<number>('newest.settled_at').as('settled'),
    ]),
);

export const lastReplay = statement((q, p: { endpointId: string; sourceId: string }) =>
  q
    .selectFrom('deliveries')
    .select((eb) => eb.fn.max('replay').as('replay'))
    .where('endpoint_id', '=', p.endpointId)
    .where('source_id', '=', p.sourceId),
);

export const listAttempts = (db: Db, deliveryIds: readonly string[]): Promise<DeliveryAttemptsTable[]> =>
  query(db, (q) =>
    q
      .selectFrom('delivery_attempts')
      .selectAll()
      .where('delivery_id', 'in', deliveryIds)
      .orderBy('delivery_id')
      .orderBy('number'),
  );

/** Deletes the oldest deliveries, in batches. */
export const deleteOldDeliveries = statement((q, p: { before: number; limit: number }) =>
  q
    .deleteFrom('deliveries')
    .where(
      'id',
      'in',
      q
        .selectFrom('deliveries')
        .select('id')
        .where('created_at', '<', p.before)
        .orderBy('created_at')
        .orderBy('id')
        .limit(p.limit),
    ),
);
