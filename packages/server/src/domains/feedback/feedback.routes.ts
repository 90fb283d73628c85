import {
  feedback_delete,
  feedback_get,
  feedback_list,
  feedback_send,
  feedback_update,
  feedbackPictures_get,
  feedbackReplies_send,
} from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { pageToWire } from '../../http/responses/pages.ts';
import { toIso } from '../../kernel/clock.ts';
import type { FeedbackPicturesTable } from './feedback.tables.ts';
import {
  changeFeedback,
  deleteFeedback,
  type Feedback,
  getFeedback,
  type ListedFeedback,
  listFeedback,
  type Person,
  type Reply,
  sendReply,
} from './feedback.ts';
import { getPicture } from './pictures.ts';
import { receiveFeedback } from './receiving.ts';

const personToWire = (person: Person | undefined) => person && { name: person.name, display_name: person.displayName };

const itemToWire = ({ row, assignee, pictureCount, replyCount }: ListedFeedback) => ({
  id: row.id,
  source: row.source,
  state: row.state,
  text: row.text,
  name: row.name ?? undefined,
  email: row.email ?? undefined,
  version: row.version || undefined,
  app_build: row.build || undefined,
  model: row.model || undefined,
  os: row.os || undefined,
  locale: row.locale || undefined,
  created_at: toIso(row.created_at),
  received_at: toIso(row.received_at),
  assignee: personToWire(assignee),
  picture_count: pictureCount,
  reply_count: replyCount,
});

const pictureToWire = ({ id, state, note, width, height, size }: FeedbackPicturesTable) => ({
  id,
  state,
  note: note || undefined,
  ...(state === 'ready' ? { width, height, size } : {}),
});

const replyToWire = ({ row: { id, text, to, sent_at }, author }: Reply) => ({
  id,
  text,
  to,
  author: personToWire(author),
  sent_at: toIso(sent_at),
});

function toWire(feedback: Feedback) {
  const { row, account, crash, releaseId, pictures, replies } = feedback;
  return {
    ...itemToWire(feedback),
    account: personToWire(account),
    can_reply: row.email !== null,
    url: row.url || undefined,
    install_id: row.install_id ?? undefined,
    user_id: row.user_id ?? undefined,
    session_id: row.session_id ?? undefined,
    event_id: row.event_id ?? undefined,
    crash: crash && { report_id: crash.id, crash_group_id: crash.groupId, issue_id: crash.issueId },
    release_id: releaseId,
    pictures: pictures.map(pictureToWire),
    replies: replies.map(replyToWire),
  };
}

export const feedbackRoutes = [
  route(feedback_list, async (ctx, { query }) => pageToWire(await listFeedback(ctx, query), itemToWire)),
  route(feedback_get, async (ctx, { params }) => toWire(await getFeedback(ctx, params.feedback_id))),
  route(feedback_update, async (ctx, { params, body }) => toWire(await changeFeedback(ctx, params.feedback_id, body))),
  route(feedback_delete, (ctx, { params }) => deleteFeedback(ctx, params.feedback_id)),
  route(feedbackReplies_send, async (ctx, { params, body }) =>
    replyToWire(await sendReply(ctx, params.feedback_id, body.text)),
  ),
  route(feedbackPictures_get, async (ctx, { params }) => {
    const picture = await getPicture(ctx, params.feedback_id, params.picture_id);
    return { ...picture, etag: `"${params.picture_id}"`, what: 'picture' };
  }),
  route(feedback_send, async (ctx, { body: { app_build, ...fields }, files }) => {
    const input = { ...fields, build: app_build ?? '', source: 'api' as const };
    return { id: await receiveFeedback(ctx, ctx.app, input, files) };
  }),
];
