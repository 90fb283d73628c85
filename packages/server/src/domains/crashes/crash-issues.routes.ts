import {
  crashGrouping_get,
  crashGrouping_preview,
  crashGrouping_update,
  crashGroups_await,
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
} from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { toIso } from '../../kernel/clock.ts';
import { changeRules, previewRules } from './grouping/grouping.ts';
import { readSettings } from './issues/app-settings.ts';
import { awaitGroups } from './issues/awaited-groups.ts';
import {
  changeIssue,
  describeIssue,
  getIssue,
  getIssueGroups,
  listIssueParts,
  listIssues,
  mergeIssues,
  splitIssue,
  trendRange,
} from './issues/issues.ts';
import { parseDayRange } from './range.ts';
import type { Run } from './reports/processing/reprocess-job.ts';
import { requestReprocessing } from './reports/processing/reprocessing.ts';
import { listReprocessings } from './reports/processing/reprocessings.ts';
import { listFailedReports, listReports } from './reports/reports.ts';
import { listSearchValues } from './reports/search/search-values.ts';
import { describeStability, listStableVersions } from './statistics/overview.ts';
import { formatTitle, groupToWire, issueToWire, reportToWire } from './wire.ts';

export const crashIssueRoutes = [
  route(crashIssues_list, async (ctx, { query }) => {
    const { kind, state, version, days, ...input } = query;
    const filter = {
      ...(kind ? { kind } : {}),
      ...(state ? { state } : {}),
      ...(version === undefined ? {} : { version }),
      ...(days === undefined ? {} : { days }),
    };
    const { values, nextCursor, total } = await listIssues(ctx, filter, input);
    return {
      values: values.map((issue) => ({ ...issueToWire(issue), trend: issue.trend })),
      ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }),
      ...(total === undefined ? {} : { total }),
    };
  }),
  route(crashGroups_await, (ctx, { body }) =>
    awaitGroups(
      ctx,
      body.groups.map((group) => ({
        version: group.appVersion,
        build: group.appBuild ?? '',
        exception_type: group.exceptionType ?? '',
        class_name: group.exceptionClassName ?? '',
        method: group.exceptionMethod ?? '',
        message: group.exceptionMessage ?? '',
        state: group.state,
        annotation: group.annotation ?? '',
      })),
    ),
  ),
  route(crashIssues_get, async (ctx, { params, query }) => {
    const { start, end } = query;
    const range =
      start === undefined ? trendRange(ctx.clock.now()) : parseDayRange(ctx, { start, ...(end ? { end } : {}) });
    const { issue, groups, days, models, systems, countries, languages } = await describeIssue(
      ctx,
      params.issue_id,
      range,
    );
    const parts = await listIssueParts(ctx, params.issue_id);
    return {
      ...issueToWire(issue),
      groups: groups.map(groupToWire),
      days,
      models,
      systems,
      countries,
      languages,
      parts: parts.map(({ key, count, groups: [first, ...rest] }) => ({
        key,
        count,
        title: first ? `${first.exception_type} in ${formatTitle(first)}` : '',
        versions: [...new Set([first, ...rest].flatMap((group) => group?.version ?? []))],
      })),
    };
  }),
  route(crashIssues_update, async (ctx, { params, body }) =>
    issueToWire(await changeIssue(ctx, params.issue_id, body)),
  ),
  route(crashIssues_listReports, async (ctx, { params, query }) => {
    await getIssue(ctx, params.issue_id);
    const groupIds = (await getIssueGroups(ctx, params.issue_id)).map(({ id }) => id);
    const { limit = 50, cursor, ...filter } = query;
    const { values, nextCursor } = await listReports(ctx, { groupIds, ...filter }, { limit, cursor });
    return {
      values: values.map(reportToWire),
      ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }),
    };
  }),
  route(crashIssues_merge, async (ctx, { params, body }) =>
    issueToWire(await mergeIssues(ctx, params.issue_id, body.issue_ids)),
  ),
  route(crashIssues_split, async (ctx, { params, body }) =>
    (await splitIssue(ctx, params.issue_id, body.keys)).map(issueToWire),
  ),
  route(crashGrouping_get, async (ctx) => ({ rules: [...(await readSettings(ctx, ctx.app.id)).rules] })),
  route(crashGrouping_update, async (ctx, { body }) => {
    await changeRules(ctx, body.rules);
    return body;
  }),
  route(crashGrouping_preview, (ctx, { body }) => previewRules(ctx, body.rules)),
  route(crashReports_listValues, listSearchValues),
  route(crashReports_listFailed, async (ctx, { query }) =>
    (await listFailedReports(ctx, { limit: query.limit ?? 50, skip: query.skip ?? 0 })).map((report) => ({
      id: report.id,
      at: toIso(report.at),
      received_at: toIso(report.received_at),
      type: report.type,
      version: report.version,
      build: report.build,
      reason: report.note,
      ...(report.user_id === null ? {} : { user_id: report.user_id }),
    })),
  ),
  route(crashReports_listReprocessing, async (ctx) =>
    (await listReprocessings(ctx)).map(({ id, reason, total, done, started_at, ended_at }) => ({
      id,
      reason: reason as Run['reason'],
      total,
      done,
      started_at: toIso(started_at),
      ...(ended_at === null ? {} : { ended_at: toIso(ended_at) }),
    })),
  ),
  route(crashReports_reprocess, async (ctx, { body }) => {
    await requestReprocessing(ctx, { issueId: body.issue_id, isFailed: body.failed });
    return { message: 'The reports are being reprocessed in the background.' };
  }),
  route(crashOverview_get, (ctx, { query }) => describeStability(ctx, parseDayRange(ctx, query), query.version)),
  route(crashOverview_listVersions, (ctx, { query }) => listStableVersions(ctx, parseDayRange(ctx, query))),
];
