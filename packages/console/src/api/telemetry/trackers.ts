import {
  ApiError,
  bugTracker_createIssue,
  bugTracker_getRepoIssueFromCrash,
  bugTracker_unlinkIssue,
  bugtracker_check,
  bugtracker_connect,
  bugtracker_disconnect,
  bugtracker_getSettings,
  type EndpointInput,
  type EndpointOutput,
} from '@mooring/contract';
import { useQuery } from '@tanstack/react-query';
import { type AppRef, appKey } from '../apps.ts';
import { call, useChange } from '../client.ts';

export type BugTracker = EndpointOutput<typeof bugtracker_getSettings>;
export type NewBugTracker = EndpointInput<typeof bugtracker_connect>['body'];
export type Ticket = EndpointOutput<typeof bugTracker_getRepoIssueFromCrash>;

const trackerKey = (appRef: AppRef) => [...appKey(appRef), 'tracker'];
/** Polls while tickets are waiting. */
const SOON = 3_000;

/** No tracker is null rather than an error page. */
const orNull = <T>(request: Promise<T>): Promise<T | null> =>
  request.catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });

export const useBugTracker = (params: AppRef) =>
  useQuery({
    queryKey: [...trackerKey(params), 'settings'],
    queryFn: () => orNull(call(bugtracker_getSettings, { params })),
    refetchInterval: ({ state }) => (state.data && state.data.checked_at === undefined ? SOON : false),
  });

export const useTicket = (params: AppRef, crash_group_id: string) =>
  useQuery({
    queryKey: [...trackerKey(params), 'ticket', crash_group_id],
    queryFn: () => orNull(call(bugTracker_getRepoIssueFromCrash, { params: { ...params, crash_group_id } })),
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? SOON : false),
  });

export const useConnectTracker = (params: AppRef) =>
  useChange((body: NewBugTracker) => call(bugtracker_connect, { params, body }), trackerKey(params));

export const useCheckTracker = (params: AppRef) =>
  useChange(() => call(bugtracker_check, { params, body: {} }), trackerKey(params));

export const useDisconnectTracker = (params: AppRef) =>
  useChange((_: BugTracker) => call(bugtracker_disconnect, { params }), trackerKey(params));

export const useCreateTicket = (params: AppRef, crash_group_id: string) =>
  useChange(
    () => call(bugTracker_createIssue, { params: { ...params, crash_group_id }, body: {} }),
    trackerKey(params),
  );

export const useUnlinkTicket = (params: AppRef, crash_group_id: string) =>
  useChange((_: Ticket) => call(bugTracker_unlinkIssue, { params: { ...params, crash_group_id } }), trackerKey(params));
