import { useEffect } from 'react';
import type { CrashReport, useIssueReports } from '../../api/telemetry/crashes.ts';
import { useUrlChange, useUrlState } from '../../routing/url-state.ts';

export type ShownReport = Pick<CrashReport, 'errorId' | 'errorGroupId'>;

/** The report at the stack trace: the one in the address, or the latest. Newer and older ones are a step away. */
export function useShownReport(reports: ReturnType<typeof useIssueReports>) {
  const [errorId] = useUrlState('report');
  const [errorGroupId] = useUrlState('group');
  const change = useUrlChange();
  const all = reports.data ?? [];
  const at = errorId === '' ? 0 : all.findIndex((report) => report.errorId === errorId);
  const isLast = at === all.length - 1;
  // Loads the page that contains the next older report.
  useEffect(() => {
    const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = reports;
    if (at >= 0 && isLast && hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [at, isLast, reports]);
  const show = (report: ShownReport | undefined) =>
    report && change({ report: report.errorId, group: report.errorGroupId });
  const listed = at < 0 ? undefined : all[at];
  // A shared address may name a report that is not on the loaded pages.
  const named: ShownReport | undefined =
    errorId && errorGroupId && reports.data !== undefined ? { errorId, errorGroupId } : undefined;
  return {
    report: listed ?? named,
    /** 1 is the latest. Undefined if the report is not on the loaded pages. */
    place: listed && at + 1,
    show,
    newer: at > 0 ? all[at - 1] : undefined,
    older: at >= 0 ? all[at + 1] : undefined,
  };
}
