import { sql } from 'kysely';
import { insertInto, query, type SubjectRequestsTable, statement } from './data-requests.tables.ts';

export type SubjectRequestRow = SubjectRequestsTable;

export const insertSubjectRequest = insertInto('sender_requests');

export const findSubjectRequest = statement((q, p: { id: string }) =>
  q.selectFrom('sender_requests').selectAll().where('id', '=', p.id),
);

export const listSubjectRequests = statement((q, p: { appId: string; limit: number }) =>
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
  Pick<SubjectRequestRow, 'status' | 'message' | 'record_count' | 'left_count' | 'due_at' | 'ended_at' | 'sender_value'>
>;

/** Only updates open requests. */
export const updateSubjectRequest = (db: Parameters<typeof query>[0], id: string, change: Change) =>
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

/** Expired files and old requests. */
export const listEndedSubjectRequests = statement((q, p: { now: number; old: number; limit: number }) =>
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

/** Exports of a data subject, finished or not. */
export const listSubjectExports = statement(
  (q, p: { appId: string; kind: SubjectRequestRow['sender_kind']; value: string }) =>
    q
      .selectFrom('sender_requests')
      .select('id')
      .where('app_id', '=', p.appId)
      .where('kind', '=', 'export')
      .where('sender_kind', '=', p.kind)
      .where('sender_value', '=', p.value),
);

/** Ends the download link. */
export const endDownload = statement((q, p: { id: string; now: number }) =>
  q.updateTable('sender_requests').set({ due_at: p.now }).where('id', '=', p.id),
);

export const markExpired = statement((q, p: { id: string }) =>
  q.updateTable('sender_requests').set({ record_count: -1, sender_value: '' }).where('id', '=', p.id),
);

export const deleteSubjectRequest = statement((q, p: { id: string }) =>
  q.deleteFrom('sender_requests').where('id', '=', p.id),
);
