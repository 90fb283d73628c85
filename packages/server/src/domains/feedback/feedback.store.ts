import { sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { mentionsTerms, selectPage } from '../../db/rows/listing.ts';
import type { Listing } from '../../kernel/paging.ts';
import { type FeedbackState, insertInto, query, statement, updateRow } from './feedback.tables.ts';

/** Inserts nothing if the message was stored before. */
export const insertFeedback = insertInto('feedback', (insert) =>
  insert.onConflict((c) => c.columns(['app_id', 'sent_id']).doNothing()).returning('id'),
);

export const updateFeedbackRow = updateRow('feedback');
export const insertReply = insertInto('feedback_replies');

export const findFeedback = statement((q, p: { appId: string; id: string }) =>
  q.selectFrom('feedback').selectAll().where('app_id', '=', p.appId).where('id', '=', p.id),
);

export const findSentFeedback = (db: Db, appId: string, sentIds: readonly string[]) =>
  query(db, (q) =>
    q.selectFrom('feedback').select(['id', 'sent_id']).where('app_id', '=', appId).where('sent_id', 'in', sentIds),
  );

export interface FeedbackFilter {
  states: readonly FeedbackState[] | undefined;
  /** Null for feedback that no one is assigned to. */
  assigneeId: string | null | undefined;
  version: string | undefined;
}

export const pageFeedback = (
  db: Db,
  appId: string,
  { states, assigneeId, version }: FeedbackFilter,
  listing: Listing<'received_at'>,
) =>
  query(db, (q) => {
    let found = q
      .selectFrom('feedback')
      .selectAll()
      .select((eb) => [
        eb
          .selectFrom('feedback_pictures')
          .select(sql<number>`count(*)`.as('count'))
          .whereRef('feedback_pictures.feedback_id', '=', 'feedback.id')
          .as('picture_count'),
        eb
          .selectFrom('feedback_replies')
          .select(sql<number>`count(*)`.as('count'))
          .whereRef('feedback_replies.feedback_id', '=', 'feedback.id')
          .as('reply_count'),
      ])
      .where('feedback.app_id', '=', appId)
      .where(mentionsTerms(listing.terms, ['feedback.text', 'feedback.name', 'feedback.email']));
    if (states) found = found.where('feedback.state', 'in', states);
    if (assigneeId !== undefined) {
      found = found.where('feedback.assignee_id', assigneeId === null ? 'is' : '=', assigneeId);
    }
    if (version !== undefined) found = found.where('feedback.version', '=', version);
    return selectPage(
      found,
      { key: sql.ref<number>('feedback.received_at'), id: sql.ref<string>('feedback.id') },
      listing,
    );
  });

export const listReplies = statement((q, p: { feedbackId: string }) =>
  q.selectFrom('feedback_replies').selectAll().where('feedback_id', '=', p.feedbackId).orderBy('id'),
);

export const listPeople = (db: Db, ids: readonly string[]) =>
  query(db, (q) => q.selectFrom('people').select(['id', 'name', 'display_name']).where('id', 'in', ids));

export const deleteFeedbackRow = statement((q, p: { appId: string; id: string }) =>
  q.deleteFrom('feedback').where('app_id', '=', p.appId).where('id', '=', p.id),
);

/** The feedback of an install or a user, received up to a time. */
export const pageSubjectFeedback = (
  db: Db,
  { appId, kind, value }: { appId: string; kind: 'install' | 'user'; value: string },
  { after, until, limit }: { after: string; until: number; limit: number },
) =>
  query(db, (q) =>
    q
      .selectFrom('feedback')
      .selectAll()
      .where('app_id', '=', appId)
      .where(kind === 'install' ? 'install_id' : 'user_id', '=', value)
      .where('received_at', '<=', until)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit),
  );

/** Increases the count of an hour and returns it. */
export const addToCount = statement((q, p: { subject: string; hour: number }) =>
  q
    .insertInto('feedback_counts')
    .values({ subject: p.subject, hour: p.hour, count: 1 })
    .onConflict((c) => c.columns(['subject', 'hour']).doUpdateSet({ count: sql<number>`feedback_counts.count + 1` }))
    .returning('count'),
);

export const deleteOldCounts = statement((q, p: { before: number }) =>
  q.deleteFrom('feedback_counts').where('hour', '<', p.before),
);

/** The next app with feedback, even if the app was deleted. */
export const findAppWithFeedback = statement((q, p: { after: string }) =>
  q
    .selectFrom('feedback')
    .leftJoin('app_names', 'app_names.id', 'feedback.app_id')
    .select(['feedback.app_id', 'app_names.id as known_app_id'])
    .where('feedback.app_id', '>', p.after)
    .orderBy('feedback.app_id')
    .limit(1),
);

export const listOldFeedback = statement((q, p: { appId: string; before: number; limit: number }) =>
  q
    .selectFrom('feedback')
    .select('id')
    .where('app_id', '=', p.appId)
    .where('received_at', '<', p.before)
    .orderBy('received_at')
    .limit(p.limit),
);
