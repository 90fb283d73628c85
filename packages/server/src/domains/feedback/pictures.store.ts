import { sql } from 'kysely';
import { isAmong } from '../../db/portable.ts';
import { insertInto, statement, updateRow } from './feedback.tables.ts';

/** Inserts nothing if the picture was stored before. */
export const insertPicture = insertInto('feedback_pictures', (insert) =>
  insert.onConflict((c) => c.columns(['feedback_id', 'sent_id']).doNothing()).returning('id'),
);

export const updatePicture = updateRow('feedback_pictures');

export const findPicture = statement((q, p: { id: string }) =>
  q.selectFrom('feedback_pictures').selectAll().where('id', '=', p.id),
);

export const listPictures = statement((q, p: { feedbackId: string }) =>
  q.selectFrom('feedback_pictures').selectAll().where('feedback_id', '=', p.feedbackId).orderBy('id'),
);

export const countPictures = statement((q, p: { feedbackId: string }) =>
  q.selectFrom('feedback_pictures').select(sql<number>`count(*)`.as('count')).where('feedback_id', '=', p.feedbackId),
);

export const sumPictureSizes = statement((q, p: { appIds: string }, dialect) =>
  q
    .selectFrom('feedback_pictures')
    .select((eb) => ['app_id', eb.fn.sum<number | null>('size').as('sum')])
    .where(isAmong(dialect, 'app_id', p.appIds))
    .groupBy('app_id'),
);
