import {
  crashIssues_get,
  crashIssues_list,
  crashIssues_listReports,
  crashIssues_update,
  crashOverview_get,
  crashReports_reprocess,
  Errors_ErrorAttachments,
  Errors_ErrorStackTrace,
  Errors_GetErrorDetails,
  type InputOf,
  type OutputOf,
} from '@mooring/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type AppRef, appKey } from './apps.ts';
import { call, useChange, usePages } from './client.ts';

export type ListedIssue = OutputOf<typeof crashIssues_list>['values'][number];
export type Issue = OutputOf<typeof crashIssues_get>;
export type CrashReport = OutputOf<typeof crashIssues_listReports>['values'][number];
export type Stacktrace = OutputOf<typeof Errors_ErrorStackTrace>;
export type StackFrame = NonNullable<Stacktrace['exception']>['frames'][number];

const crashesKey = (appRef: AppRef) => [...appKey(appRef), 'crashes'];

export const useStability = (params: AppRef, query: InputOf<typeof crashOverview_get>['query']) =>
  useQuery({
    queryKey: [...crashesKey(params), 'overview', query],
    queryFn: () => call(crashOverview_get, { params, query }),
    placeholderData: keepPreviousData,
  });

export const useIssues = (params: AppRef, query: InputOf<typeof crashIssues_list>['query']) =>
  usePages([...crashesKey(params), 'issues', query], (cursor) =>
    call(crashIssues_list, { params, query: { ...query, ...(cursor === undefined ? {} : { cursor }) } }),
  );

export const useIssue = (params: AppRef, issue_id: string) =>
  useQuery({
    queryKey: [...crashesKey(params), 'issue', issue_id],
    queryFn: () => call(crashIssues_get, { params: { ...params, issue_id }, query: {} }),
  });

export const useIssueReports = (params: AppRef, issue_id: string) =>
  usePages([...crashesKey(params), 'issue', issue_id, 'reports'], (cursor) =>
    call(crashIssues_listReports, {
      params: { ...params, issue_id },
      query: cursor === undefined ? {} : { cursor },
    }),
  );

/** What a report holds: its facts, its stack and what came with it. */
export const useReport = (params: AppRef, report: CrashReport | undefined) =>
  useQuery({
    queryKey: [...crashesKey(params), 'report', report?.errorId],
    enabled: report !== undefined,
    queryFn: async () => {
      const at = { ...params, errorGroupId: report?.errorGroupId ?? '', errorId: report?.errorId ?? '' };
      const [details, stack, attachments] = await Promise.all([
        call(Errors_GetErrorDetails, { params: at }),
        call(Errors_ErrorStackTrace, { params: at }),
        call(Errors_ErrorAttachments, { params: { ...params, errorId: at.errorId } }),
      ]);
      return { details, stack, attachments };
    },
  });

export const useChangeIssue = (params: AppRef, issue_id: string) =>
  useChange(
    (body: InputOf<typeof crashIssues_update>['body']) =>
      call(crashIssues_update, { params: { ...params, issue_id }, body }),
    crashesKey(params),
  );

export const useReprocess = (params: AppRef, issue_id: string) =>
  useChange(() => call(crashReports_reprocess, { params, body: { issue_id } }), crashesKey(params));
