import { sql } from 'kysely';
import { mentionsWords, selectPage } from '../../db/listing.ts';
import type { Db } from '../../db/open.ts';
import type { Listing } from '../../kernel/paging.ts';
import { type DeliveriesTable, type DeliveryAttemptsTable, insertInto, query, statement } from './delivery.tables.ts';

export type DeliveryRow = DeliveriesTable;

type NewRow = Pick<DeliveryRow, 'id' | 'endpoint_id' | 'kind' | 'subject' | 'source_id' | 'replay' | 'message_id'>;

/** Nothing comes back when it goes to the endpoint already. */
export const insertDelivery = statement((q, p: NewRow & { at: number }) =>
  q
    .insertInto('deliveries')
    .values({
      id: p.id,
      endpoint_id: p.endpoint_id,
      kind: p.kind,
      subject: p.subject,
      source_id: p.source_id,
      replay: p.replay,
      message_id: p.message_id,
      state: 'Waiting',
      attempts: 0,
      created_at: p.at,
      settled_at: null,
    })
    .onConflict((c) => c.columns(['endpoint_id', 'source_id', 'replay']).doNothing())
    .returning('id'),
);

/** A delivery that is still to be made, with where it goes. */
export const findWaiting = statement((q, p: { id: string }) =>
  q
    .selectFrom('deliveries')
    .innerJoin('delivery_endpoints', 'delivery_endpoints.id', 'deliveries.endpoint_id')
    .select([
      'deliveries.id',
      'deliveries.endpoint_id',
      'deliveries.source_id',
      'deliveries.message_id',
      'delivery_endpoints.channel',
      'delivery_endpoints.url',
      'delivery_endpoints.secret',
      'delivery_endpoints.old_secret',
      'delivery_endpoints.old_secret_until',
      'delivery_endpoints.is_enabled',
    ])
    .where('deliveries.id', '=', p.id)
    .where('deliveries.state', '=', 'Waiting'),
);

export type WaitingDelivery = NonNullable<Awaited<ReturnType<typeof findWaiting.first>>>;

export const countAttempt = statement((q, p: { id: string }) =>
  q.updateTable('deliveries').set({ attempts: sql<number>`attempts + 1` }).where('id', '=', p.id).returning('attempts'),
);

export const insertAttempt = insertInto('delivery_attempts');

export const settleDelivery = statement((q, p: { id: string; state: DeliveryRow['state']; at: number }) =>
  q.updateTable('deliveries').set({ state: p.state, settled_at: p.at }).where('id', '=', p.id),
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
        .where(mentionsWords(listing.words, searched)),
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

/** The oldest, a few at a time. */
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
