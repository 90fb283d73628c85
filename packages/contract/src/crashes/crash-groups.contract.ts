import { endpoint, json, text } from '../endpoint/index.ts';
import { Type } from '../type.ts';
import {
  Attachments,
  at,
  Count,
  Crash,
  CrashGroup,
  changing,
  crashAt,
  GroupingOnly,
  groupAt,
  Location,
  params,
  reading,
  Stacktrace,
  State,
  Version,
} from './shapes.ts';

const Time = Type.Optional(Type.String({ format: 'date-time' }));
const flag = Type.Optional(Type.Boolean({ default: false }));

export const crashGroupOrders = [
  'last_occurrence asc',
  'last_occurrence desc',
  'count asc',
  'count desc',
  'display_id asc',
  'display_id desc',
  'impacted_users asc',
  'impacted_users desc',
] as const;

export const crashGroups_list = endpoint({
  ...reading,
  id: 'crashGroups_list',
  path: `${at}/crash_groups`,
  summary: 'Lists groups of crashes, by version and build',
  params: params.app,
  query: Type.Object({
    last_occurrence_from: Time,
    last_occurrence_to: Time,
    app_version: Version,
    group_type: Type.Optional(Type.Enum(['GroupType1', 'GroupType2'], { description: 'Not looked at.' })),
    group_status: Type.Optional(State),
    group_text_search: Type.Optional(Type.String({ maxLength: 200 })),
    $orderby: Type.Optional(Type.Enum([...crashGroupOrders], { description: 'last_occurrence desc if absent.' })),
    continuation_token: Type.Optional(Type.String({ maxLength: 2048 })),
  }),
  response: json(
    Type.Object({
      limited_result_set: Type.Boolean({ description: 'More follow.' }),
      continuation_token: Type.Optional(Type.String()),
      crash_groups: Type.Array(CrashGroup),
    }),
    { description: 'A page of them.' },
  ),
});

export const crashGroups_get = endpoint({
  ...reading,
  id: 'crashGroups_get',
  path: groupAt,
  summary: 'Tells about a group of crashes',
  params: params.group,
  response: json(CrashGroup, { description: 'The group.' }),
});

export const crashGroups_update = endpoint({
  ...changing,
  id: 'crashGroups_update',
  method: 'PATCH',
  path: groupAt,
  summary: 'Changes the state or the note of a group of crashes',
  description:
    'Of this version and build. When all groups of an issue are closed, the issue is, and it opens again in a newer version.',
  params: params.group,
  request: json(
    Type.Object({ status: Type.Optional(State), annotation: Type.Optional(Type.String({ maxLength: 4000 })) }),
  ),
  response: json(CrashGroup, { description: 'The group as it is now.' }),
});

export const crashGroups_getStacktrace = endpoint({
  ...reading,
  id: 'crashGroups_getStacktrace',
  path: `${groupAt}/stacktrace`,
  summary: 'Shows the stack of the latest report of a group',
  params: params.group,
  query: Type.Object({ grouping_only: GroupingOnly }),
  response: json(Stacktrace, { description: 'The stack.' }),
});

export const crashes_list = endpoint({
  ...reading,
  id: 'crashes_list',
  path: `${groupAt}/crashes`,
  summary: 'Lists reports of a group, the newest first',
  description: 'At most 100.',
  params: params.group,
  query: Type.Object({
    include_report: flag,
    include_log: flag,
    date_from: Time,
    date_to: Time,
    app_version: Version,
    error_type: Type.Optional(Type.Enum(['CrashingErrors', 'HandledErrors'])),
  }),
  response: json(Type.Array(Crash), { description: 'The reports.' }),
});

export const crashes_get = endpoint({
  ...reading,
  id: 'crashes_get',
  path: crashAt,
  summary: 'Tells about a report',
  params: params.crash,
  query: Type.Object({
    include_report: flag,
    include_log: flag,
    include_details: flag,
    include_stacktrace: flag,
    grouping_only: GroupingOnly,
  }),
  response: json(Crash, { status: 201, description: 'The report; 201, as clients were told.' }),
});

export const crashes_delete = endpoint({
  ...changing,
  id: 'crashes_delete',
  method: 'DELETE',
  path: crashAt,
  summary: 'Deletes a report with all it holds',
  params: params.crash,
  query: Type.Object({
    retention_delete: Type.Optional(Type.Boolean({ default: false, description: 'Leave what was counted as it is.' })),
  }),
  response: json(
    Type.Object({
      app_id: Type.String(),
      crash_group_id: Type.String(),
      crash_id: Type.String(),
      crashes_deleted: Count,
      attachments_deleted: Count,
      blobs_succeeded: Count,
      blobs_failed: Count,
    }),
    { description: 'What was deleted.' },
  ),
});

export const crashes_getNativeCrash = endpoint({
  ...reading,
  id: 'crashes_getNativeCrash',
  path: `${crashAt}/native`,
  summary: 'Shows a report as text, as the system of the device would write it',
  params: params.crash,
  response: text({ type: 'text/plain', description: 'The text.' }),
});

export const crashes_getNativeCrashDownload = endpoint({
  ...reading,
  id: 'crashes_getNativeCrashDownload',
  path: `${crashAt}/native/download`,
  summary: 'Shows a report as text, to be saved',
  params: params.crash,
  response: text({ type: 'text/plain', description: 'The text.' }),
});

export const crashes_getRawCrashLocation = endpoint({
  ...reading,
  id: 'crashes_getRawCrashLocation',
  path: `${crashAt}/raw/location`,
  summary: 'Tells where the log of a report can be read as it came',
  params: params.crash,
  response: json(Location, { description: 'The address.' }),
});

export const crashes_getStacktrace = endpoint({
  ...reading,
  id: 'crashes_getStacktrace',
  path: `${crashAt}/stacktrace`,
  summary: 'Shows the stack of a report',
  params: params.crash,
  query: Type.Object({ grouping_only: GroupingOnly }),
  response: json(Stacktrace, { description: 'The stack.' }),
});

export const crashes_listAttachments = endpoint({
  ...reading,
  id: 'crashes_listAttachments',
  path: `${at}/crashes/{crash_id}/attachments`,
  summary: 'Lists what came with a report',
  params: params.crashAttachments,
  response: json(Attachments, { description: 'The attachments.' }),
});

export const crashes_getCrashAttachmentLocation = endpoint({
  ...reading,
  id: 'crashes_getCrashAttachmentLocation',
  path: `${at}/crashes/{crash_id}/attachments/{attachment_id}/location`,
  summary: 'Tells where an attachment can be read',
  params: params.crashAttachment,
  response: json(Location, { description: 'The address.' }),
});

export const crashes_getCrashTextAttachmentContent = endpoint({
  ...reading,
  id: 'crashes_getCrashTextAttachmentContent',
  path: `${at}/crashes/{crash_id}/attachments/{attachment_id}/text`,
  summary: 'Shows an attachment that is text',
  params: params.crashAttachment,
  response: text({ type: 'text/plain', description: 'Its content.' }),
});

export const crashes_getAppCrashesInfo = endpoint({
  ...reading,
  id: 'crashes_getAppCrashesInfo',
  path: `${at}/crashes_info`,
  summary: 'Tells whether an app has crashes, and what can be done with them',
  params: params.app,
  response: json(
    Type.Object({
      has_crashes: Type.Boolean(),
      features: Type.Object({
        crashgroup_modify_status: Type.Boolean(),
        crashgroup_modify_annotation: Type.Boolean(),
        search: Type.Boolean(),
        crashgroup_analytics_crashfreeusers: Type.Boolean(),
        crashgroup_analytics_impactedusers: Type.Boolean(),
        crash_download_raw: Type.Boolean(),
      }),
    }),
    { description: 'What there is.' },
  ),
});

export const crashes_getAppVersions = endpoint({
  ...reading,
  id: 'crashes_getAppVersions',
  path: `${at}/versions`,
  summary: 'Lists versions and builds that reports came from',
  params: params.app,
  response: json(
    Type.Array(
      Type.Object({
        app_version_id: Type.String(),
        app_id: Type.String(),
        display_name: Type.String(),
        app_version: Type.String(),
        build_number: Type.Optional(Type.String()),
      }),
    ),
    { description: 'The versions, the newest first.' },
  ),
});

/** Ours: where `crashes_getRawCrashLocation` leads. */
export const crashLogs_get = endpoint({
  id: 'crashLogs_get',
  method: 'GET',
  path: '/crash-logs/{link}/{file_name}',
  tag: 'crashes',
  summary: 'Reads the log of a report by a signed address',
  access: 'public',
  effect: 'read',
  params: Type.Object({
    link: Type.String({ minLength: 1, maxLength: 1024 }),
    file_name: Type.String({ minLength: 1, maxLength: 256 }),
  }),
  response: text({ type: 'application/json', description: 'The log as it came.' }),
  errors: [404],
});
