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
  type EndpointInput,
  type EndpointOutput,
  Errors_ErrorAttachments,
  Errors_ErrorSearch,
  Errors_ErrorStackTrace,
  Errors_GetErrorDetails,
  Errors_ListSessionLogs,
} from '@mooring/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type AppRef, appKey } from '../apps.ts';
import { call, useChange, usePages, useRead } from '../client.ts';

export type ListedIssue = EndpointOutput<typeof crashIssues_list>['values'][number];
export type Issue = EndpointOutput<typeof crashIssues_get>;
export type CrashReport = EndpointOutput<typeof crashIssues_listReports>['values'][number];
export type ReportMatch = EndpointOutput<typeof Errors_ErrorSearch>['errors'][number];
export type ReportDetails = EndpointOutput<typeof Errors_GetErrorDetails>;
export type Stacktrace = EndpointOutput<typeof Errors_ErrorStackTrace>;
export type StackFrame = NonNullable<Stacktrace['exception']>['frames'][number];

export type SessionLog = EndpointOutput<typeof Errors_ListSessionLogs>['logs'][number];
export type GroupingRule = EndpointOutput<typeof crashGrouping_get>['rules'][number];
export type FailedReport = EndpointOutput<typeof crashReports_listFailed>[number];

const crashesKey = (appRef: AppRef) => [...appKey(appRef), 'crashes'];

export const useStability = (params: AppRef, query: EndpointInput<typeof crashOverview_get>['query'], enabled = true) =>
  useQuery({
    enabled,
    queryKey: [...crashesKey(params), 'overview', query],
    queryFn: () => call(crashOverview_get, { params, query }),
    placeholderData: keepPreviousData,
  });

/** Crash-free devices and sessions by version and build. */
export const useStableVersions = (params: AppRef, start: string, enabled: boolean) =>
  useQuery({
    queryKey: [...crashesKey(params), 'versions', start],
    queryFn: () => call(crashOverview_listVersions, { params, query: { start } }),
    enabled,
  });

export const useIssues = (params: AppRef, query: EndpointInput<typeof crashIssues_list>['query']) =>
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

const PAGE_SIZE = 50;

/** Reports that match a text or a filter, newest first. */
export const useReportSearch = (
  params: AppRef,
  query: Pick<EndpointInput<typeof Errors_ErrorSearch>['query'], 'q' | 'filter'>,
) =>
  usePages([...crashesKey(params), 'found', query], async (cursor) => {
    const $skip = Number(cursor ?? 0);
    const page = await call(Errors_ErrorSearch, { params, query: { ...query, $top: PAGE_SIZE, $skip } });
    const next = $skip + PAGE_SIZE;
    return { values: page.errors, ...(page.hasMoreResults ? { next_cursor: String(next) } : {}) };
  });

/** Suggestions for a search field. */
export const useReportValues = (params: AppRef) =>
  useRead([...crashesKey(params), 'values'], () => call(crashReports_listValues, { params }));

/** A report with its details, stack trace and attachments. */
export const useReport = (params: AppRef, report: Pick<CrashReport, 'errorId' | 'errorGroupId'> | undefined) =>
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
    (body: EndpointInput<typeof crashIssues_update>['body']) =>
      call(crashIssues_update, { params: { ...params, issue_id }, body }),
    crashesKey(params),
  );

/** Changes the state of several issues. */
export const useChangeIssues = (params: AppRef) =>
  useChange(async ({ ids, state }: { ids: readonly string[]; state: 'open' | 'closed' | 'ignored' }) => {
    for (const issue_id of ids) await call(crashIssues_update, { params: { ...params, issue_id }, body: { state } });
  }, crashesKey(params));

export const useReprocess = (params: AppRef, body: EndpointInput<typeof crashReports_reprocess>['body']) =>
  useChange(() => call(crashReports_reprocess, { params, body }), crashesKey(params));

/** Session logs before the crash. */
export const useSessionLogs = (params: AppRef, errorId: string) =>
  useRead([...crashesKey(params), 'session', errorId], () =>
    call(Errors_ListSessionLogs, { params: { ...params, errorId }, query: {} }),
  );

export type Reprocessing = EndpointOutput<typeof crashReports_listReprocessing>[number];

const LOOK_EVERY = 2000;

/** Progress of reprocessing; polls while it runs. */
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

/** Dry run of grouping rules. */
export const useRulesPreview = (params: AppRef) =>
  useChange((rules: GroupingRule[]) => call(crashGrouping_preview, { params, body: { rules } }));

export const useChangeRules = (params: AppRef) =>
  useChange((rules: GroupingRule[]) => call(crashGrouping_update, { params, body: { rules } }), crashesKey(params));
