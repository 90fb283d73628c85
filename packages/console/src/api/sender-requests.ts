import {
  type InputOf,
  type OutputOf,
  senderRequests_create,
  type senderRequests_get,
  senderRequests_list,
} from '@mooring/contract';
import { useQuery } from '@tanstack/react-query';
import { type AppRef, appKey } from './apps.ts';
import { call, useChange } from './client.ts';

export type SenderRequest = OutputOf<typeof senderRequests_get>;
export type NewSenderRequest = InputOf<typeof senderRequests_create>['body'];

const keyOf = (appRef: AppRef) => [...appKey(appRef), 'data-requests'];
const SOON = 5_000;

/** Read again as long as something becomes of one. */
export const useSenderRequests = (params: AppRef) =>
  useQuery({
    queryKey: keyOf(params),
    queryFn: async () => (await call(senderRequests_list, { params })).values,
    refetchInterval: ({ state }) => (state.data?.some(({ ended_at }) => ended_at === undefined) ? SOON : false),
  });

export const useCreateSenderRequest = (params: AppRef) =>
  useChange((body: NewSenderRequest) => call(senderRequests_create, { params, body }), keyOf(params));
