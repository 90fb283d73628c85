import {
  ApiError,
  type EndpointInput,
  type EndpointOutput,
  feedback_delete,
  feedback_get,
  feedback_list,
  feedback_update,
  feedbackReplies_send,
  feedbackTickets_create,
  feedbackTickets_get,
} from '@mooring/contract';
import { useQuery } from '@tanstack/react-query';
import { type AppRef, appKey } from '../apps.ts';
import { call, useChange, usePages } from '../client.ts';

export type FeedbackItem = EndpointOutput<typeof feedback_list>['values'][number];
export type Feedback = EndpointOutput<typeof feedback_get>;
export type FeedbackPicture = Feedback['pictures'][number];

const feedbackKey = (appRef: AppRef) => [...appKey(appRef), 'feedback'];
/** Polls while the server draws pictures, or creates a ticket. */
const SOON = 3_000;

export const useFeedbackList = (params: AppRef, query: EndpointInput<typeof feedback_list>['query']) =>
  usePages([...feedbackKey(params), 'list', query], (cursor) =>
    call(feedback_list, { params, query: { ...query, ...(cursor === undefined ? {} : { cursor }) } }),
  );

export const useFeedback = (params: AppRef, feedback_id: string) =>
  useQuery({
    queryKey: [...feedbackKey(params), 'one', feedback_id],
    queryFn: () => call(feedback_get, { params: { ...params, feedback_id } }),
    refetchInterval: ({ state }) =>
      state.data?.pictures.some((picture) => picture.state === 'waiting') ? SOON : false,
  });

export const useChangeFeedback = (params: AppRef, feedback_id: string) =>
  useChange(
    (body: EndpointInput<typeof feedback_update>['body']) =>
      call(feedback_update, { params: { ...params, feedback_id }, body }),
    feedbackKey(params),
  );

/** Changes the state of several messages. */
export const useChangeFeedbackItems = (params: AppRef) =>
  useChange(async ({ ids, state }: { ids: readonly string[]; state: FeedbackItem['state'] }) => {
    for (const feedback_id of ids) await call(feedback_update, { params: { ...params, feedback_id }, body: { state } });
  }, feedbackKey(params));

export const useReplyToFeedback = (params: AppRef, feedback_id: string) =>
  useChange(
    (text: string) => call(feedbackReplies_send, { params: { ...params, feedback_id }, body: { text } }),
    feedbackKey(params),
  );

export const useDeleteFeedback = (params: AppRef) =>
  useChange(
    ({ id }: Pick<Feedback, 'id'>) => call(feedback_delete, { params: { ...params, feedback_id: id } }),
    feedbackKey(params),
  );

/** Null without a ticket. */
export const useFeedbackTicket = (params: AppRef, feedback_id: string) =>
  useQuery({
    queryKey: [...feedbackKey(params), 'ticket', feedback_id],
    queryFn: () =>
      call(feedbackTickets_get, { params: { ...params, feedback_id } }).catch((error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }),
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? SOON : false),
  });

export const useCreateFeedbackTicket = (params: AppRef, feedback_id: string) =>
  useChange(() => call(feedbackTickets_create, { params: { ...params, feedback_id }, body: {} }), feedbackKey(params));

/** The session of the browser authorizes it. */
export const pictureUrl = ({ owner_name, app_name }: AppRef, feedbackId: string, { id }: FeedbackPicture): string =>
  `/v0.1/apps/${[owner_name, app_name].map(encodeURIComponent).join('/')}/feedback/${feedbackId}/pictures/${id}`;
