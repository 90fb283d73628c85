import {
  Crashes_ListSessionLogs,
  Errors_AppBuildsList,
  Errors_AvailableVersions,
  Errors_CountsPerDay,
  Errors_DeleteError,
  Errors_ErrorAttachmentLocation,
  Errors_ErrorAttachments,
  Errors_ErrorAttachmentText,
  Errors_ErrorDownload,
  Errors_ErrorFreeDevicePercentages,
  Errors_ErrorGroupsSearch,
  Errors_ErrorLocation,
  Errors_ErrorSearch,
  Errors_ErrorStackTrace,
  Errors_GetErrorDetails,
  Errors_GroupCountsPerDay,
  Errors_GroupDetails,
  Errors_GroupErrorFreeDevicePercentages,
  Errors_GroupErrorStackTrace,
  Errors_GroupList,
  Errors_GroupModelCounts,
  Errors_GroupOperatingSystemCounts,
  Errors_LatestErrorDetails,
  Errors_ListForGroup,
  Errors_ListSessionLogs,
  Errors_UpdateState,
  errors_getRetentionSettings,
  errors_putRetentionSettings,
  groupStates,
} from '@mooring/contract';
import type { AppCtx } from '../../context.ts';
import { route } from '../../http/mount.ts';
import { toIso } from '../../kernel/clock.ts';
import { badRequest } from '../../kernel/errors.ts';
import { getResponseUrl } from '../../kernel/response-url.ts';
import { parseOwnJson } from '../../kernel/text/json.ts';
import { deviceToWire } from '../ingest/index.ts';
import type { Kind, State } from './crashes.tables.ts';
import { changeRetention } from './grouping/grouping.ts';
import { groupReport } from './grouping/grouping-key.ts';
import { readSettings } from './issues/app-settings.ts';
import type { GroupSort } from './issues/group-lists.store.ts';
import { changeGroup, findGroupsByText, type Group, getGroup, listGroupsInRange } from './issues/groups.ts';
import { namesFrom, parseDayRange, toTimeRange } from './range.ts';
import { getOmissionReason } from './reports/attachments.ts';
import { listBreadcrumbs } from './reports/processing/breadcrumbs.ts';
import { readContexts } from './reports/processing/report-contexts.ts';
import { listSessionLogs, type SessionLogs } from './reports/processing/session-logs.ts';
import { reportText } from './reports/report-text.ts';
import {
  attachmentLink,
  deleteReport,
  getAttachment,
  getGroupReport,
  latestReport,
  listReportAttachments,
  listReports,
  logLink,
  type Report,
  readAttachmentText,
  readLog,
  readLogFields,
  readStack,
} from './reports/reports.ts';
import { findMatchingGroups, findReports } from './reports/search/search.ts';
import { toObject, toText } from './reports/values.ts';
import {
  countBy,
  countReportsByDay,
  type FreeShare,
  listReportedVersions,
  measureErrorFree,
  measureGroupFree,
} from './statistics/statistics.ts';
import { errorGroupToWire, foundReportToWire, reportToWire, stackToWire, toTextResponse } from './wire.ts';

type ErrorType = 'all' | 'unhandledError' | 'handledError';
const kinds: Record<ErrorType, Kind | undefined> = { all: undefined, unhandledError: 'crash', handledError: 'error' };
const getKind = (type: ErrorType | undefined): Kind | undefined => kinds[type ?? 'all'];

const groupSorts: Record<string, GroupSort> = {
  count: 'count',
  devicecount: 'device_count',
  firstoccurrence: 'first_at',
  lastoccurrence: 'last_at',
};

function readOrderBy(orderby = 'count desc'): { sort: GroupSort; order: 'asc' | 'desc' } {
  const [name = '', order = 'desc'] = orderby.trim().split(/\s+/);
  const sort = groupSorts[name.toLowerCase()];
  if (!sort || !['asc', 'desc'].includes(order.toLowerCase())) {
    throw badRequest(
      '$orderby must be count, deviceCount, firstOccurrence or lastOccurrence, followed by asc or desc.',
    );
  }
  return { sort, order: order.toLowerCase() === 'asc' ? 'asc' : 'desc' };
}

const isState = (text: string): text is State => (groupStates as readonly string[]).includes(text);

function readStates(text: string | undefined): State[] | undefined {
  if (!text) return undefined;
  const states = text.toLowerCase().split(',');
  if (!states.every(isState))
    throw badRequest(`groupState must be one or more of ${groupStates.join(', ')}, comma-separated.`);
  return states;
}

const MAX_LIMIT = 2000;
const getLimit = (top = 30): number => (top === 0 ? MAX_LIMIT : top);

const sharesToWire = ({ average, days }: FreeShare) => ({ averagePercentage: average, dailyPercentages: days });

/** URL of the next page: the current one with another token. */
const nextLink = (ctx: AppCtx, path: string, query: object, cursor: string | undefined) => {
  if (cursor === undefined) return {};
  const params = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const nextQuery = new URLSearchParams({ ...Object.fromEntries(params), $skiptoken: cursor });
  const app = `/v0.1/apps/${encodeURIComponent(ctx.app.ownerName)}/${encodeURIComponent(ctx.app.name)}`;
  return { nextLink: `${getResponseUrl(ctx)}${app}/${path}?${nextQuery}` };
};

async function detailsToWire(ctx: AppCtx, report: Report) {
  const [log, stack] = [await readLogFields(ctx, report), await readStack(ctx, report)];
  const device = toObject(log.device);
  const { exception, reasonFrame } = groupReport(report.kind, stack);
  const launched = Date.parse(toText(log.appLaunchTimestamp, 50) ?? '');
  const carrier = toText(device.carrierName, 256);
  const label = toText(device.liveUpdateReleaseLabel, 256);
  const properties = parseOwnJson<Record<string, string>>(report.properties);
  return {
    ...reportToWire(report),
    hasBreadcrumbs: report.session_id !== null || listBreadcrumbs(log).length > 0,
    name: exception.type,
    exceptionMessage: exception.message,
    reasonFrames: reasonFrame
      ? errorGroupToWire({ ...noGroup, frame: JSON.stringify(reasonFrame), exception_type: exception.type })
          .reasonFrames
      : [],
    ...(Number.isNaN(launched) ? {} : { appLaunchTimestamp: toIso(launched) }),
    ...(carrier === undefined ? {} : { carrierName: carrier }),
    jailbreak: device.jailbreak === true,
    properties,
    ...readContexts(log),
    installId: report.install_id,
    ...(report.session_id === null ? {} : { sessionId: report.session_id }),
    model: [report.oem, report.model].filter(Boolean).join(' '),
    ...(label === undefined ? {} : { liveUpdateLabel: label }),
  };
}

const noGroup: Group = {
  app_id: '',
  id: '',
  number: 0,
  issue_id: '',
  key: '',
  kind: 'crash',
  version: '',
  build: '',
  state: 'open',
  annotation: '',
  exception_type: '',
  message: '',
  class_name: '',
  method: '',
  file: '',
  line: 0,
  frame: 'null',
  search_key: '',
  count: 0,
  device_count: 0,
  first_at: 0,
  last_at: 0,
  last_report_id: '',
};

const searchedSorts = {
  matchingReportsCount: 'count',
  exceptionClassName: 'class_name',
  exceptionMessage: 'message',
  exceptionMethod: 'method',
  lastOccurrence: 'last_at',
} as const satisfies Record<string, GroupSort>;

const sessionToWire = ({ logs, isMore }: SessionLogs, now: number) => ({
  exceeded_max_limit: isMore,
  last_received_log_timestamp: toIso(logs.at(-1)?.at ?? now),
  logs: logs.map(({ type, at, installId, sessionId, device, name, properties }) => ({
    type,
    timestamp: toIso(at),
    install_id: installId,
    device: deviceToWire(device),
    ...(sessionId === null ? {} : { session_id: sessionId }),
    ...(name === undefined ? {} : { event_name: name }),
    ...(Object.keys(properties).length === 0 ? {} : { properties: { ...properties } }),
  })),
});

export const errorRoutes = [
  route(Crashes_ListSessionLogs, async (ctx, { params }) =>
    sessionToWire(await listSessionLogs(ctx, params.crash_id), ctx.clock.now()),
  ),
  route(Errors_ListSessionLogs, async (ctx, { params }) =>
    sessionToWire(await listSessionLogs(ctx, params.errorId), ctx.clock.now()),
  ),
  route(Errors_AppBuildsList, async (ctx, { query }) => {
    const { version } = query;
    const found = await listReportedVersions(ctx, {
      range: parseDayRange(ctx, query),
      kind: getKind(query.errorType),
      version,
    });
    return { appBuilds: [...new Set(found.map(({ build }) => build))].slice(0, getLimit(query.$top)) };
  }),
  route(Errors_AvailableVersions, async (ctx, { query }) => {
    const found = await listReportedVersions(ctx, { range: parseDayRange(ctx, query), kind: getKind(query.errorType) });
    const [, searchText] = /^\s*contains\(\s*\w+\s*,\s*'([^']*)'\s*\)\s*$/i.exec(query.$filter ?? '') ?? [];
    if (query.$filter?.trim() && searchText === undefined) {
      throw badRequest("Unsupported $filter. Use the form contains(appVersion,'1.4').");
    }
    const versions = [...new Set(found.map(({ version }) => version))].filter((one) => one.includes(searchText ?? ''));
    const { $skip = 0 } = query;
    return {
      versions: versions.slice($skip, $skip + getLimit(query.$top)),
      ...(query.$inlinecount === 'allpages' ? { total_count: versions.length } : {}),
    };
  }),
  route(Errors_CountsPerDay, async (ctx, { query }) => {
    const { count, days } = await countReportsByDay(ctx, parseDayRange(ctx, query), {
      kind: getKind(query.errorType),
      versions: query.version === undefined ? undefined : [query.version],
      build: query.app_build,
    });
    return { count, errors: days };
  }),
  route(Errors_GroupList, async (ctx, { query }) => {
    const { values, nextCursor } = await listGroupsInRange(
      ctx,
      parseDayRange(ctx, query),
      {
        version: query.version,
        build: query.app_build,
        states: readStates(query.groupState),
        kind: getKind(query.errorType),
      },
      { ...readOrderBy(query.$orderby), limit: getLimit(query.$top), cursor: query.$skiptoken },
    );
    return { ...nextLink(ctx, 'errors/errorGroups', query, nextCursor), errorGroups: values.map(errorGroupToWire) };
  }),
  route(Errors_ErrorGroupsSearch, async (ctx, { query }) => {
    const { q, filter, order = 'desc', sort = 'lastOccurrence', $top = 100, $skip = 0 } = query;
    const by = searchedSorts[sort];
    if (!filter?.trim()) {
      const found = await findGroupsByText(ctx, { text: q }, { sort: by, order, limit: $top + 1, skip: $skip });
      return { hasMoreResults: found.length > $top, errorGroups: found.slice(0, $top).map(errorGroupToWire) };
    }
    const sign = order === 'asc' ? 1 : -1;
    const compare = (a: Group, b: Group) => (a[by] < b[by] ? -sign : a[by] > b[by] ? sign : a.number - b.number);
    const found = (await findMatchingGroups(ctx, { q, filter })).sort(compare);
    return {
      hasMoreResults: found.length > $skip + $top,
      errorGroups: found.slice($skip, $skip + $top).map(errorGroupToWire),
    };
  }),
  route(Errors_GroupDetails, async (ctx, { params }) => errorGroupToWire(await getGroup(ctx, params.errorGroupId))),
  route(Errors_UpdateState, async (ctx, { params, body }) =>
    errorGroupToWire(await changeGroup(ctx, params.errorGroupId, body)),
  ),
  route(Errors_GroupCountsPerDay, async (ctx, { params, query }) => {
    const group = await getGroup(ctx, params.errorGroupId);
    const { count, days } = await countReportsByDay(ctx, parseDayRange(ctx, query), {
      groupIds: [group.id],
      versions: query.version === undefined ? undefined : [query.version],
    });
    return { count, errors: days };
  }),
  route(Errors_GroupErrorFreeDevicePercentages, async (ctx, { params, query }) =>
    sharesToWire(await measureGroupFree(ctx, parseDayRange(ctx, query), await getGroup(ctx, params.errorGroupId))),
  ),
  route(Errors_ListForGroup, async (ctx, { params, query }) => {
    const group = await getGroup(ctx, params.errorGroupId);
    const { from, to } = toTimeRange(parseDayRange(ctx, query));
    const { values, nextCursor } = await listReports(
      ctx,
      { groupIds: [group.id], from, to, model: query.model, os: query.os },
      { limit: getLimit(query.$top), cursor: query.$skiptoken },
    );
    const path = `errors/errorGroups/${encodeURIComponent(group.id)}/errors`;
    return { ...nextLink(ctx, path, query, nextCursor), errors: values.map(reportToWire) };
  }),
  route(Errors_LatestErrorDetails, async (ctx, { params }) =>
    detailsToWire(ctx, await latestReport(ctx, params.errorGroupId)),
  ),
  route(Errors_GetErrorDetails, async (ctx, { params }) =>
    detailsToWire(ctx, await getGroupReport(ctx, params.errorGroupId, params.errorId)),
  ),
  route(Errors_DeleteError, async (ctx, { params }) => {
    const { report, attachments, blobs } = await deleteReport(ctx, {
      groupId: params.errorGroupId,
      id: params.errorId,
    });
    return {
      appId: ctx.app.id,
      errorGroupId: params.errorGroupId,
      errorId: report.id,
      errorsDeleted: 1,
      attachmentsDeleted: attachments,
      blobsSucceeded: blobs,
      blobsFailed: 0,
    };
  }),
  route(Errors_ErrorDownload, async (ctx, { params, query }) => {
    const report = await getGroupReport(ctx, params.errorGroupId, params.errorId);
    if (query.format !== 'txt') return toTextResponse(await readLog(ctx, ctx.app.id, report.id));
    return toTextResponse(JSON.stringify(reportText(report, await readStack(ctx, report))));
  }),
  route(Errors_ErrorLocation, async (ctx, { params }) => ({
    uri: logLink(ctx, await getGroupReport(ctx, params.errorGroupId, params.errorId)),
  })),
  route(Errors_ErrorStackTrace, async (ctx, { params }) => {
    const report = await getGroupReport(ctx, params.errorGroupId, params.errorId);
    return stackToWire(report, await readStack(ctx, report));
  }),
  route(Errors_GroupModelCounts, async (ctx, { params, query }) => {
    const group = await getGroup(ctx, params.errorGroupId);
    const models = await countBy(ctx, [group.id], 'model', query.$top ?? 30);
    return {
      errorCount: group.count,
      models: models.map(({ value, count }) => ({ modelName: value, modelCode: value, errorCount: count })),
    };
  }),
  route(Errors_GroupOperatingSystemCounts, async (ctx, { params, query }) => {
    const group = await getGroup(ctx, params.errorGroupId);
    const systems = await countBy(ctx, [group.id], 'os', query.$top ?? 30);
    return {
      errorCount: group.count,
      operatingSystems: systems.map(({ value, count }) => ({ operatingSystemName: value, errorCount: count })),
    };
  }),
  route(Errors_GroupErrorStackTrace, async (ctx, { params }) => {
    const report = await latestReport(ctx, params.errorGroupId);
    return stackToWire(report, await readStack(ctx, report));
  }),
  route(Errors_ErrorFreeDevicePercentages, async (ctx, { query }) =>
    sharesToWire(
      await measureErrorFree(ctx, parseDayRange(ctx, query), {
        kind: getKind(query.errorType) ?? 'crash',
        versions: namesFrom(query.versions),
        build: query.app_build,
      }),
    ),
  ),
  route(errors_getRetentionSettings, async (ctx) => {
    const { retentionDays } = await readSettings(ctx, ctx.app.id);
    return { retention_in_days: retentionDays <= 28 ? (28 as const) : (90 as const) };
  }),
  route(errors_putRetentionSettings, async (ctx, { body }) => {
    await changeRetention(ctx, body.retention_in_days);
    return body;
  }),
  route(Errors_ErrorSearch, async (ctx, { query }) => {
    const { q, filter, order = 'desc', sort = 'timestamp', $top = 100, $skip = 0 } = query;
    const { reports, isMore } = await findReports(ctx, { q, filter }, { sort, order, limit: $top, skip: $skip });
    return { hasMoreResults: isMore, errors: reports.map(foundReportToWire) };
  }),
  route(Errors_ErrorAttachments, async (ctx, { params }) =>
    (await listReportAttachments(ctx, params.errorId)).map((one) => ({
      appId: ctx.app.id,
      attachmentId: one.id,
      crashId: params.errorId,
      blobLocation: attachmentLink(ctx, one),
      contentType: one.content_type,
      fileName: one.file_name,
      createdTime: toIso(one.created_at),
      size: one.size,
      leftOut: getOmissionReason(one),
    })),
  ),
  route(Errors_ErrorAttachmentLocation, async (ctx, { params }) => ({
    uri: attachmentLink(ctx, await getAttachment(ctx, params.errorId, params.attachmentId)),
  })),
  route(Errors_ErrorAttachmentText, async (ctx, { params }) => ({
    content: await readAttachmentText(ctx, params.errorId, params.attachmentId),
  })),
];
