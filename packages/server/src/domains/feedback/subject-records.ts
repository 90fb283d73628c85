import { buffer } from 'node:stream/consumers';
import type { Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import type { DataSubject, SubjectRecords } from '../../extensions/subject-records.ts';
import { listReplies, pageSubjectFeedback } from './feedback.store.ts';
import type { FeedbackTable } from './feedback.tables.ts';
import { removeFeedback } from './feedback.ts';
import { listPictures } from './pictures.store.ts';
import { readSentFeedback } from './sentry-feedback.ts';

const PAGE = 100;
const EVER = Number.MAX_SAFE_INTEGER;

async function* readRows(ctx: Ctx, subject: DataSubject, until = EVER): AsyncGenerator<FeedbackTable> {
  for (let after = ''; ; ) {
    const rows = await pageSubjectFeedback(ctx.db, subject, { after, until, limit: PAGE });
    yield* rows;
    const last = rows.at(-1);
    if (rows.length < PAGE || !last) return;
    after = last.id;
  }
}

/** Feedback of an install or user, with pictures and replies. */
export const subjectFeedback: SubjectRecords = {
  name: 'feedback',
  async *read(ctx, subject) {
    // Otherwise waiting batches would be missing.
    await readSentFeedback(ctx, subject.appId);
    for await (const { app_id: _, ...row } of readRows(ctx, subject)) {
      yield { record: 'feedback', ...row };
      for (const { id, state, type, blob_key } of await listPictures.all(ctx.db, { feedbackId: row.id })) {
        const blob = state === 'ready' ? await ctx.blobs.get(blob_key) : undefined;
        const data = blob && (await buffer(blob.stream)).toString('base64');
        yield { record: 'picture', feedback_id: row.id, id, state, type, data };
      }
      for (const { author_id: __, ...reply } of await listReplies.all(ctx.db, { feedbackId: row.id })) {
        yield { record: 'reply', ...reply };
      }
    }
  },
  async countLeft(ctx, subject, until) {
    let count = 0;
    for await (const _ of readRows(ctx, subject, until)) count += 1;
    return count;
  },
};

/** Deletes the feedback of an install or user. */
export async function eraseSubjectFeedback(ctx: Ctx, subject: DataSubject & { until: number }): Promise<void> {
  const { appId, until } = subject;
  // Otherwise waiting batches would become feedback later.
  await readSentFeedback(ctx, appId);
  for await (const { id } of readRows(ctx, subject, until)) {
    await tx(ctx, (ctx) => removeFeedback(ctx, appId, id));
  }
}
