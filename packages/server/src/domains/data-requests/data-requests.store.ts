import { lockRows } from '../../db/portable.ts';
import { type DataRequestsTable, insertInto, statement } from './data-requests.tables.ts';

export type DataRequestRow = DataRequestsTable;

export const insertDataRequest = insertInto('data_requests');

export const findDataRequest = statement((q, p: { id: string; kind: DataRequestsTable['kind'] }) =>
  q.selectFrom('data_requests').selectAll().where('id', '=', p.id).where('kind', '=', p.kind),
);

export const lockDataRequest = statement((q, p: { id: string }, dialect) =>
  lockRows(dialect, q.selectFrom('data_requests').selectAll().where('id', '=', p.id)),
);

export const listDataRequests = statement((q, p: { userId: string; limit: number }) =>
  q
    .selectFrom('data_requests')
    .selectAll()
    .where('user_id', '=', p.userId)
    .where('status', '<>', 'Cancelled')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(p.limit),
);

export const countExportsSince = statement((q, p: { userId: string; since: number }) =>
  q
    .selectFrom('data_requests')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', p.userId)
    .where('kind', '=', 'export')
    .where('created_at', '>', p.since),
);

/** Only updates open requests, so canceled ones stay canceled. */
export const saveProgress = statement(
  (q, p: { id: string; status: DataRequestsTable['status']; message: string; endedAt: number | null; dueAt: number }) =>
    q
      .updateTable('data_requests')
      .set({ status: p.status, message: p.message, ended_at: p.endedAt, due_at: p.dueAt })
      .where('id', '=', p.id)
      .where('ended_at', 'is', null),
);

export const cancelDeletions = statement((q, p: { userId: string; now: number }) =>
  q
    .updateTable('data_requests')
    .set({ status: 'Cancelled', ended_at: p.now })
    .where('user_id', '=', p.userId)
    .where('kind', '=', 'delete')
    .where('ended_at', 'is', null),
);

export const cancelExport = statement((q, p: { id: string; now: number }) =>
  q.updateTable('data_requests').set({ status: 'Cancelled', ended_at: p.now, due_at: p.now }).where('id', '=', p.id),
);

export const listDueDeletions = statement((q, p: { now: number; limit: number }) =>
  q
    .selectFrom('data_requests')
    .select(['id', 'user_id'])
    .where('kind', '=', 'delete')
    .where('due_at', '<=', p.now)
    .where('ended_at', 'is', null)
    .orderBy('due_at')
    .limit(p.limit),
);

/** Expired archives, archives of deleted accounts, and old receipts. */
export const listEndedRequests = statement((q, p: { now: number; oldReceipts: number; limit: number }) =>
  q
    .selectFrom('data_requests')
    .select(['id', 'kind'])
    .where(({ and, eb, or }) =>
      or([
        and([eb('kind', '=', 'export'), or([eb('due_at', '<=', p.now), eb('user_id', 'is', null)])]),
        and([eb('kind', '=', 'delete'), eb('ended_at', '<', p.oldReceipts)]),
      ]),
    )
    .limit(p.limit),
);

export const deleteDataRequest = statement((q, p: { id: string }) =>
  q.deleteFrom('data_requests').where('id', '=', p.id),
);
