import { sql } from 'kysely';
import { insertInto, query, type SenderRequestsTable, statement } from './data-requests.tables.ts';

export type SenderRequestRow = SenderRequestsTable;

export const insertSenderRequest = insertInto('sender_requests');

export const findSenderRequest = statement((q, p: { id: string }) =>
  q.selectFrom('sender_requests').selectAll().where('id', '=', p.id),
);

export const listSenderRequests = statement((q, p: { appId: string; limit: number }) =>
  q.selectFrom('sender_requests').selectAll().where('app_id', '=', p.appId).orderBy('id', 'desc').limit(p.limit),
);

export const countOpenRequests = statement((q, p: { appId: string }) =>
  q
    .selectFrom('sender_requests')
    .select(sql<number>`count(*)`.as('count'))
    .where('app_id', '=', p.appId)
    .where('ended_at', 'is', null),
);

type Change = Partial<
  Pick<SenderRequestRow, 'status' | 'message' | 'record_count' | 'left_count' | 'due_at' | 'ended_at' | 'sender_value'>
>;

/** Only until it has ended. */
export const changeSenderRequest = (db: Parameters<typeof query>[0], id: string, change: Change) =>
  query(db, (q) =>
    q.updateTable('sender_requests').set(change).where('id', '=', id).where('ended_at', 'is', null).returning('id'),
  );

export const listOpenDeletions = statement((q, p: { after: string; limit: number }) =>
  q
    .selectFrom('sender_requests')
    .selectAll()
    .where('ended_at', 'is', null)
    .where('kind', '=', 'delete')
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

/** Files that have expired, and requests that ended long ago. */
export const listEndedSenderRequests = statement((q, p: { now: number; old: number; limit: number }) =>
  q
    .selectFrom('sender_requests')
    .select(['id', 'kind', 'record_count', 'ended_at'])
    .where('ended_at', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('ended_at', '<', p.old),
        eb.and([eb('kind', '=', 'export'), eb('record_count', '>=', 0), eb('due_at', '<=', p.now)]),
      ]),
    )
    .orderBy('ended_at')
    .limit(p.limit),
);

/** Copies of what one sender sent, made or about to be. */
export const listExportsOfSender = statement(
  (q, p: { appId: string; kind: SenderRequestRow['sender_kind']; value: string }) =>
    q
      .selectFrom('sender_requests')
      .select('id')
      .where('app_id', '=', p.appId)
      .where('kind', '=', 'export')
      .where('sender_kind', '=', p.kind)
      .where('sender_value', '=', p.value),
);

/** Nobody can download it any more. */
export const endDownload = statement((q, p: { id: string; now: number }) =>
  q.updateTable('sender_requests').set({ due_at: p.now }).where('id', '=', p.id),
);

/** Its file is gone. */
export const markExpired = statement((q, p: { id: string }) =>
  q.updateTable('sender_requests').set({ record_count: -1, sender_value: '' }).where('id', '=', p.id),
);

export const deleteSenderRequest = statement((q, p: { id: string }) =>
  q.deleteFrom('sender_requests').where('id', '=', p.id),
);
