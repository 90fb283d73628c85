import {
  crashGrouping_get,
  crashGrouping_preview,
  crashGrouping_update,
  crashIssues_get,
  crashIssues_list,
  crashIssues_listReports,
  crashIssues_merge,
  crashIssues_split,
  crashIssues_update,
  crashOverview_get,
  crashOverview_listVersions,
  crashReports_listFailed,
  crashReports_listReprocessing,
  crashReports_listValues,
  crashReports_reprocess,
  Errors_ErrorAttachments,
  Errors_ErrorSearch,
  Errors_ErrorStackTrace,
  Errors_GetErrorDetails,
  Errors_ListSessionLogs,
  type InputOf,
  type OutputOf,
} from '@mooring/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type AppRef, appKey } from './apps.ts';
import { call, useChange, usePages, useRead } from './client.ts';

export type ListedIssue = OutputOf<typeof crashIssues_list>['values'][number];
export type Issue = OutputOf<typeof crashIssues_get>;
export type CrashReport = OutputOf<typeof crashIssues_listReports>['values'][number];
export type FoundReport = OutputOf<typeof Errors_ErrorSearch>['errors'][number];
export type Stacktrace = OutputOf<typeof Errors_ErrorStackTrace>;
export type StackFrame = NonNullable<Stacktrace['exception']>['frames'][number];

export type SessionLog = OutputOf<typeof Errors_ListSessionLogs>['logs'][number];
export type GroupingRule = OutputOf<typeof crashGrouping_get>['rules'][number];
export type FailedReport = OutputOf<typeof crashReports_listFailed>[number];

const crashesKey = (appRef: AppRef) => [...appKey(appRef), 'crashes'];

export const useStability = (params: AppRef, query: InputOf<typeof crashOverview_get>['query'], enabled = true) =>
  useQuery({
    enabled,
    queryKey: [...crashesKey(params), 'overview', query],
    queryFn: () => call(crashOverview_get, { params, query }),
    placeholderData: keepPreviousData,
  });

/** Shares of devices without a crash, by version and build. */
export const useStableVersions = (params: AppRef, start: string, enabled: boolean) =>
  useQuery({
    queryKey: [...crashesKey(params), 'versions', start],
    queryFn: () => call(crashOverview_listVersions, { params, query: { start } }),
    enabled,
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

const FOUND_AT_ONCE = 50;

/** Reports that a text or a filter finds, the newest first. */
export const useFoundReports = (
  params: AppRef,
  query: Pick<InputOf<typeof Errors_ErrorSearch>['query'], 'q' | 'filter'>,
) =>
  usePages([...crashesKey(params), 'found', query], async (cursor) => {
    const $skip = Number(cursor ?? 0);
    const found = await call(Errors_ErrorSearch, { params, query: { ...query, $top: FOUND_AT_ONCE, $skip } });
    const next = $skip + FOUND_AT_ONCE;
    return { values: found.errors, ...(found.hasMoreResults ? { next_cursor: String(next) } : {}) };
  });

/** What a search is offered. */
export const useReportValues = (params: AppRef) =>
  useRead([...crashesKey(params), 'values'], () => call(crashReports_listValues, { params }));

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

export const useReprocess = (params: AppRef, body: InputOf<typeof crashReports_reprocess>['body']) =>
  useChange(() => call(crashReports_reprocess, { params, body }), crashesKey(params));

/** What came in the session of a report until it. */
export const useSessionLogs = (params: AppRef, errorId: string) =>
  useRead([...crashesKey(params), 'session', errorId], () =>
    call(Errors_ListSessionLogs, { params: { ...params, errorId }, query: {} }),
  );

export type Reprocessing = OutputOf<typeof crashReports_listReprocessing>[number];

const LOOK_EVERY = 2000;

/** What is processed again; looked at again while something is. */
export const useReprocessing = (params: AppRef) =>
  useQuery({
    queryKey: [...crashesKey(params), 'reprocessing'],
    queryFn: () => call(crashReports_listReprocessing, { params }),
    refetchInterval: ({ state }) => (state.data?.some(({ ended_at }) => ended_at === undefined) ? LOOK_EVERY : false),
  });

export const useFailedReports = (params: AppRef) =>
  useRead([...crashesKey(params), 'failed'], () => call(crashReports_listFailed, { params, query: { limit: 200 } }));

export const useMerge = (params: AppRef, issue_id: string) =>
  useChange(
    (issue_ids: string[]) => call(crashIssues_merge, { params: { ...params, issue_id }, body: { issue_ids } }),
    crashesKey(params),
  );

export const useSplit = (params: AppRef, issue_id: string) =>
  useChange(
    (keys: string[]) => call(crashIssues_split, { params: { ...params, issue_id }, body: { keys } }),
    crashesKey(params),
  );

export const useRules = (params: AppRef) =>
  useRead([...crashesKey(params), 'rules'], () => call(crashGrouping_get, { params }));

/** What rules would do; nothing is changed. */
export const useRulesPreview = (params: AppRef) =>
  useChange((rules: GroupingRule[]) => call(crashGrouping_preview, { params, body: { rules } }));

export const useChangeRules = (params: AppRef) =>
  useChange((rules: GroupingRule[]) => call(crashGrouping_update, { params, body: { rules } }), crashesKey(params));
