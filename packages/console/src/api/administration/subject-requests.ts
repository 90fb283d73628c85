import {
  type EndpointInput,
  type EndpointOutput,
  senderRequests_create,
  type senderRequests_get,
  senderRequests_list,
} from '@mooring/contract';
import { useQuery } from '@tanstack/react-query';
import { type AppRef, appKey } from '../apps.ts';
import { call, useChange } from '../client.ts';

export type SubjectRequest = EndpointOutput<typeof senderRequests_get>;
export type NewSubjectRequest = EndpointInput<typeof senderRequests_create>['body'];

const subjectRequestsKey = (appRef: AppRef) => [...appKey(appRef), 'data-requests'];
const POLL_INTERVAL_MS = 5_000;

/** Polls while a request is in progress. */
export const useSubjectRequests = (params: AppRef) =>
  useQuery({
    queryKey: subjectRequestsKey(params),
    queryFn: async () => (await call(senderRequests_list, { params })).values,
    refetchInterval: ({ state }) =>
      state.data?.some(({ ended_at }) => ended_at === undefined) ? POLL_INTERVAL_MS : false,
  });

export const useCreateSubjectRequest = (params: AppRef) =>
  useChange((body: NewSubjectRequest) => call(senderRequests_create, { params, body }), subjectRequestsKey(params));
