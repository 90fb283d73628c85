import {
  crashes_delete,
  crashes_get,
  crashes_getAppCrashesInfo,
  crashes_getAppVersions,
  crashes_getCrashAttachmentLocation,
  crashes_getCrashTextAttachmentContent,
  crashes_getNativeCrash,
  crashes_getNativeCrashDownload,
  crashes_getRawCrashLocation,
  crashes_getStacktrace,
  crashes_list,
  crashes_listAttachments,
  crashGroups_get,
  crashGroups_getStacktrace,
  crashGroups_list,
  crashGroups_update,
  crashLogs_get,
} from '@mooring/contract';
import type { AppCtx } from '../../context.ts';
import { route } from '../../http/mount.ts';
import { toIso } from '../../kernel/clock.ts';
import type { GroupSort } from './issues/group-lists.store.ts';
import { changeGroup, getGroup, listGroups } from './issues/groups.ts';
import { getOmissionReason } from './reports/attachments.ts';
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
  readLinkedLog,
  readLogFields,
  readStack,
} from './reports/reports.ts';
import { toObject, toText } from './reports/values.ts';
import { listReportedVersions } from './statistics/statistics.ts';
import { groupToWire, stackToWire, toTextResponse } from './wire.ts';

const sortByParam: Record<string, GroupSort> = {
  last_occurrence: 'last_at',
  count: 'count',
  display_id: 'number',
  impacted_users: 'device_count',
};

function readOrder(orderby = 'last_occurrence desc') {
  const [name = '', order] = orderby.split(' ');
  return { sort: sortByParam[name] ?? 'last_at', order: order === 'asc' ? ('asc' as const) : ('desc' as const) };
}

const parseTime = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text));

interface Included {
  isWithDetails?: boolean | undefined;
  isWithStack?: boolean | undefined;
  isGroupingOnly?: boolean | undefined;
}

async function getReportDetails(ctx: AppCtx, report: Report) {
  const log = await readLogFields(ctx, report);
  const device = toObject(log.device);
  const text = (name: string) => toText(device[name], 256);
  const launched = toText(log.appLaunchTimestamp, 50);
  const [country, carrier, build] = [text('carrierCountry'), text('carrierName'), text('osBuild')];
  return {
    ...(country === undefined ? {} : { carrier_country: country }),
    ...(carrier === undefined ? {} : { carrier_name: carrier }),
    locale: text('locale') ?? '',
    ...(build === undefined ? {} : { os_build: build }),
    rooted: device.jailbreak === true,
    screen_size: text('screenSize') ?? '',
    ...(launched && !Number.isNaN(Date.parse(launched)) ? { app_start_timestamp: toIso(Date.parse(launched)) } : {}),
  };
}

async function crashToWire(ctx: AppCtx, report: Report, included: Included) {
  const { isWithDetails, isWithStack, isGroupingOnly = false } = included;
  return {
    ...(isWithDetails ? { details: await getReportDetails(ctx, report) } : {}),
    new_crash_group_id: report.group_id ?? '',
    crash_id: report.id,
    new_crash_id: report.id,
    timestamp: toIso(report.at),
    version: report.version,
    build: report.build,
    device: report.model,
    device_name: [report.oem, report.model].filter(Boolean).join(' '),
    os_version: report.os_version,
    os_type: report.os_name,
    ...(isWithStack ? { stacktrace: stackToWire(report, await readStack(ctx, report), { isGroupingOnly }) } : {}),
    user_name: report.user_id ?? '',
  };
}

const MAX_CRASHES = 100;

const nativeText = async (ctx: AppCtx, groupId: string, id: string) => {
  const report = await getGroupReport(ctx, groupId, id);
  return toTextResponse(reportText(report, await readStack(ctx, report)));
};

export const crashGroupRoutes = [
  route(crashGroups_list, async (ctx, { query }) => {
    const { values, nextCursor } = await listGroups(
      ctx,
      {
        kind: 'crash',
        version: query.app_version,
        states: query.group_status && [query.group_status],
        text: query.group_text_search,
        lastFrom: parseTime(query.last_occurrence_from),
        lastTo: parseTime(query.last_occurrence_to),
      },
      { ...readOrder(query.$orderby), cursor: query.continuation_token },
    );
    return {
      limited_result_set: nextCursor !== undefined,
      ...(nextCursor === undefined ? {} : { continuation_token: nextCursor }),
      crash_groups: values.map(groupToWire),
    };
  }),
  route(crashGroups_get, async (ctx, { params }) => groupToWire(await getGroup(ctx, params.crash_group_id))),
  route(crashGroups_update, async (ctx, { params, body }) => {
    const { status, annotation } = body;
    return groupToWire(await changeGroup(ctx, params.crash_group_id, { state: status, annotation }));
  }),
  route(crashGroups_getStacktrace, async (ctx, { params, query }) => {
    const report = await latestReport(ctx, params.crash_group_id);
    return stackToWire(report, await readStack(ctx, report), { isGroupingOnly: query.grouping_only ?? false });
  }),
  route(crashes_list, async (ctx, { params, query }) => {
    const group = await getGroup(ctx, params.crash_group_id);
    const { values } = await listReports(
      ctx,
      {
        groupIds: [group.id],
        from: parseTime(query.date_from),
        to: parseTime(query.date_to),
        version: query.app_version,
        kind: query.error_type && (query.error_type === 'HandledErrors' ? 'error' : 'crash'),
      },
      { limit: MAX_CRASHES },
    );
    const included = { isWithDetails: query.include_report, isWithStack: query.include_report || query.include_log };
    return Promise.all(values.map((report) => crashToWire(ctx, report, included)));
  }),
  route(crashes_get, async (ctx, { params, query }) => {
    const report = await getGroupReport(ctx, params.crash_group_id, params.crash_id);
    return crashToWire(ctx, report, {
      isWithDetails: query.include_details || query.include_report,
      isWithStack: query.include_stacktrace || query.include_report || query.include_log,
      isGroupingOnly: query.grouping_only,
    });
  }),
  route(crashes_delete, async (ctx, { params, query }) => {
    const { report, attachments, blobs } = await deleteReport(ctx, {
      groupId: params.crash_group_id,
      id: params.crash_id,
      retainsCounts: query.retention_delete ?? false,
    });
    return {
      app_id: ctx.app.id,
      crash_group_id: params.crash_group_id,
      crash_id: report.id,
      crashes_deleted: 1,
      attachments_deleted: attachments,
      blobs_succeeded: blobs,
      blobs_failed: 0,
    };
  }),
  route(crashes_getNativeCrash, (ctx, { params }) => nativeText(ctx, params.crash_group_id, params.crash_id)),
  route(crashes_getNativeCrashDownload, (ctx, { params }) => nativeText(ctx, params.crash_group_id, params.crash_id)),
  route(crashes_getRawCrashLocation, async (ctx, { params }) => ({
    uri: logLink(ctx, await getGroupReport(ctx, params.crash_group_id, params.crash_id)),
  })),
  route(crashes_getStacktrace, async (ctx, { params, query }) => {
    const report = await getGroupReport(ctx, params.crash_group_id, params.crash_id);
    return stackToWire(report, await readStack(ctx, report), { isGroupingOnly: query.grouping_only ?? false });
  }),
  route(crashes_listAttachments, async (ctx, { params }) =>
    (await listReportAttachments(ctx, params.crash_id)).map((one) => ({
      app_id: ctx.app.id,
      attachment_id: one.id,
      crash_id: params.crash_id,
      blob_location: attachmentLink(ctx, one),
      content_type: one.content_type,
      file_name: one.file_name,
      created_time: toIso(one.created_at),
      size: one.size,
      left_out: getOmissionReason(one),
    })),
  ),
  route(crashes_getCrashAttachmentLocation, async (ctx, { params }) => ({
    uri: attachmentLink(ctx, await getAttachment(ctx, params.crash_id, params.attachment_id)),
  })),
  route(crashes_getCrashTextAttachmentContent, async (ctx, { params }) =>
    toTextResponse(await readAttachmentText(ctx, params.crash_id, params.attachment_id)),
  ),
  route(crashes_getAppCrashesInfo, async (ctx) => {
    const { values } = await listGroups(ctx, { kind: 'crash' }, { sort: 'last_at', order: 'desc', cursor: undefined });
    return {
      has_crashes: values.length > 0,
      features: {
        crashgroup_modify_status: true,
        crashgroup_modify_annotation: true,
        search: true,
        crashgroup_analytics_crashfreeusers: true,
        crashgroup_analytics_impactedusers: true,
        crash_download_raw: true,
      },
    };
  }),
  route(crashes_getAppVersions, async (ctx) =>
    (await listReportedVersions(ctx, {})).map(({ version, build }) => ({
      app_version_id: `${version} (${build})`,
      app_id: ctx.app.id,
      display_name: `${version} (${build})`,
      app_version: version,
      build_number: build,
    })),
  ),
  route(crashLogs_get, async (ctx, { params }) => toTextResponse(await readLinkedLog(ctx, params.link))),
];
