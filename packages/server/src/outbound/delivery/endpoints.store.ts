import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { lockRows } from '../../db/portable.ts';
import { type DeliveryEndpointsTable, insertInto, query, statement, updateRow } from './delivery.tables.ts';

export type EndpointRow = DeliveryEndpointsTable;

export const insertEndpoint = insertInto('delivery_endpoints');

export const lockEndpointRow = statement((q, p: { id: string }, dialect) =>
  lockRows(dialect, q.selectFrom('delivery_endpoints').selectAll().where('id', '=', p.id)),
);

export const listUnsealed = statement((q, p: { limit: number }) =>
  q.selectFrom('delivery_endpoints').select(['id', 'url']).where('sealed_url', 'is', null).orderBy('id').limit(p.limit),
);

export const updateEndpointRow = updateRow('delivery_endpoints');

export const updateSecret = statement((q, p: { id: string; secret: string; oldUntil: number; at: number }) =>
  q
    .updateTable('delivery_endpoints')
    .set({ old_secret: sql.ref('secret'), secret: p.secret, old_secret_until: p.oldUntil, updated_at: p.at })
    .where('id', '=', p.id),
);

/** Does not change is_enabled: the caller disables the endpoint, and checks whether it was enabled. */
export const clearEndpointRow = statement((q, p: { id: string; url: string; secret: string; at: number }) =>
  q
    .updateTable('delivery_endpoints')
    .set({
      url: p.url,
      sealed_url: null,
      secret: p.secret,
      old_secret: null,
      old_secret_until: 0,
      disabled_reason: 'AccessLost',
      updated_at: p.at,
    })
    .where('id', '=', p.id),
);

export const deleteDeliveries = statement((q, p: { endpointId: string }) =>
  q.deleteFrom('deliveries').where('endpoint_id', '=', p.endpointId),
);

export const deleteEndpointRow = statement((q, p: { id: string }) =>
  q.deleteFrom('delivery_endpoints').where('id', '=', p.id),
);

/** Changes nothing if it is disabled already, so that its creator is notified once. */
export const disableEndpointRow = statement(
  (q, p: { id: string; reason: NonNullable<EndpointRow['disabled_reason']>; at: number }) =>
    q
      .updateTable('delivery_endpoints')
      .set({ is_enabled: 0, disabled_reason: p.reason, updated_at: p.at })
      .where('id', '=', p.id)
      .where('is_enabled', '=', 1),
);

export const saveFailures = (db: Db, ids: readonly string[], at: number) =>
  query(db, (q) =>
    q
      .updateTable('delivery_endpoints')
      .set({ failing_since: sql<number>`coalesce(failing_since, ${sql.lit(at)})` })
      .where('id', 'in', ids)
      .returning(['id', 'failing_since']),
  );

export const saveSuccesses = (db: Db, ids: readonly string[]) =>
  query(db, (q) =>
    q
      .updateTable('delivery_endpoints')
      .set({ failing_since: null })
      .where('id', 'in', ids)
      .where('failing_since', 'is not', null),
  );
