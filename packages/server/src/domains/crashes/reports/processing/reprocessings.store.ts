import { insertInto, statement } from '../../crashes.tables.ts';

export const insertReprocessing = insertInto('crash_reprocessings');

export const deleteReprocessing = statement((q, p: { appId: string; id: string }) =>
  q.deleteFrom('crash_reprocessings').where('app_id', '=', p.appId).where('id', '=', p.id),
);

export const advanceReprocessing = statement((q, p: { appId: string; id: string; count: number; now: number }) =>
  q
    .updateTable('crash_reprocessings')
    .set((e) => ({ done: e('done', '+', p.count), updated_at: p.now }))
    .where('app_id', '=', p.appId)
    .where('id', '=', p.id),
);

export const endReprocessing = statement((q, p: { appId: string; id: string; now: number }) =>
  q
    .updateTable('crash_reprocessings')
    .set({ ended_at: p.now, updated_at: p.now })
    .where('app_id', '=', p.appId)
    .where('id', '=', p.id),
);

export const listReprocessingRows = statement((q, p: { appId: string; limit: number }) =>
  q
    .selectFrom('crash_reprocessings')
    .selectAll()
    .where('app_id', '=', p.appId)
    .orderBy('started_at', 'desc')
    .orderBy('id')
    .limit(p.limit),
);

export const deleteReprocessingsBefore = statement((q, p: { before: number }) =>
  q.deleteFrom('crash_reprocessings').where('updated_at', '<', p.before),
);
