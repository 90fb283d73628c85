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
  summary: 'List crash groups, by version and build',
  params: params.app,
  query: Type.Object({
    last_occurrence_from: Time,
    last_occurrence_to: Time,
    app_version: Version,
    group_type: Type.Optional(Type.Enum(['GroupType1', 'GroupType2'], { description: 'Ignored.' })),
    group_status: Type.Optional(State),
    group_text_search: Type.Optional(Type.String({ maxLength: 200 })),
    $orderby: Type.Optional(
      Type.Enum([...crashGroupOrders], { description: 'The sort order (default: last_occurrence desc).' }),
    ),
    continuation_token: Type.Optional(Type.String({ maxLength: 2048 })),
  }),
  response: json(
    Type.Object({
      limited_result_set: Type.Boolean({ description: 'True if more groups follow.' }),
      continuation_token: Type.Optional(Type.String()),
      crash_groups: Type.Array(CrashGroup),
    }),
    { description: 'A page of crash groups.' },
  ),
});

export const crashGroups_get = endpoint({
  ...reading,
  id: 'crashGroups_get',
  path: groupAt,
  summary: 'Get a crash group',
  params: params.group,
  response: json(CrashGroup, { description: 'The group.' }),
});

export const crashGroups_update = endpoint({
  ...changing,
  id: 'crashGroups_update',
  method: 'PATCH',
  path: groupAt,
  summary: 'Update the state or the note of a crash group',
  description:
    'Applies to this version and build. Closing all groups of an issue closes the issue; it reopens if it occurs in a newer version.',
  params: params.group,
  request: json(
    Type.Object({ status: Type.Optional(State), annotation: Type.Optional(Type.String({ maxLength: 4000 })) }),
  ),
  response: json(CrashGroup, { description: 'The updated group.' }),
});

export const crashGroups_getStacktrace = endpoint({
  ...reading,
  id: 'crashGroups_getStacktrace',
  path: `${groupAt}/stacktrace`,
  summary: 'Get the stack trace of the latest report of a crash group',
  params: params.group,
  query: Type.Object({ grouping_only: GroupingOnly }),
  response: json(Stacktrace, { description: 'The stack trace.' }),
});

export const crashes_list = endpoint({
  ...reading,
  id: 'crashes_list',
  path: `${groupAt}/crashes`,
  summary: 'List reports of a crash group, newest first',
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
  summary: 'Get a report',
  params: params.crash,
  query: Type.Object({
    include_report: flag,
    include_log: flag,
    include_details: flag,
    include_stacktrace: flag,
    grouping_only: GroupingOnly,
  }),
  response: json(Crash, { status: 201, description: 'The report. The status is 201, as existing clients expect.' }),
});

export const crashes_delete = endpoint({
  ...changing,
  id: 'crashes_delete',
  method: 'DELETE',
  path: crashAt,
  summary: 'Delete a report with all its data',
  params: params.crash,
  query: Type.Object({
    retention_delete: Type.Optional(Type.Boolean({ default: false, description: 'Keep the counts unchanged.' })),
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
    { description: 'The deleted report.' },
  ),
});

export const crashes_getNativeCrash = endpoint({
  ...reading,
  id: 'crashes_getNativeCrash',
  path: `${crashAt}/native`,
  summary: "Get a report as text, in the format of the device's operating system",
  params: params.crash,
  response: text({ type: 'text/plain', description: 'The text.' }),
});

export const crashes_getNativeCrashDownload = endpoint({
  ...reading,
  id: 'crashes_getNativeCrashDownload',
  path: `${crashAt}/native/download`,
  summary: 'Download a report as text',
  params: params.crash,
  response: text({ type: 'text/plain', description: 'The text.' }),
});

export const crashes_getRawCrashLocation = endpoint({
  ...reading,
  id: 'crashes_getRawCrashLocation',
  path: `${crashAt}/raw/location`,
  summary: 'Get a URL of the raw log of a report',
  params: params.crash,
  response: json(Location, { description: 'The URL.' }),
});

export const crashes_getStacktrace = endpoint({
  ...reading,
  id: 'crashes_getStacktrace',
  path: `${crashAt}/stacktrace`,
  summary: 'Get the stack trace of a report',
  params: params.crash,
  query: Type.Object({ grouping_only: GroupingOnly }),
  response: json(Stacktrace, { description: 'The stack trace.' }),
});

export const crashes_listAttachments = endpoint({
  ...reading,
  id: 'crashes_listAttachments',
  path: `${at}/crashes/{crash_id}/attachments`,
  summary: 'List the attachments of a report',
  params: params.crashAttachments,
  response: json(Attachments, { description: 'The attachments.' }),
});

export const crashes_getCrashAttachmentLocation = endpoint({
  ...reading,
  id: 'crashes_getCrashAttachmentLocation',
  path: `${at}/crashes/{crash_id}/attachments/{attachment_id}/location`,
  summary: 'Get a URL of an attachment',
  params: params.crashAttachment,
  response: json(Location, { description: 'The URL.' }),
});

export const crashes_getCrashTextAttachmentContent = endpoint({
  ...reading,
  id: 'crashes_getCrashTextAttachmentContent',
  path: `${at}/crashes/{crash_id}/attachments/{attachment_id}/text`,
  summary: 'Get an attachment that is text',
  params: params.crashAttachment,
  response: text({ type: 'text/plain', description: 'The content of the attachment.' }),
});

export const crashes_getAppCrashesInfo = endpoint({
  ...reading,
  id: 'crashes_getAppCrashesInfo',
  path: `${at}/crashes_info`,
  summary: 'Check whether an app has crashes, and which features are available for them',
  params: params.app,
  response: json(
    Type.Object({
      has_crashes: Type.Boolean(),
      features: Type.Object({
        crashgroup_modify_status: Type.Boolean({ description: 'True if the state of crash groups can be changed.' }),
        crashgroup_modify_annotation: Type.Boolean({ description: 'True if crash groups can have a note.' }),
        search: Type.Boolean({ description: 'True if crashes can be searched.' }),
        crashgroup_analytics_crashfreeusers: Type.Boolean({
          description: 'True if the percentage of crash-free devices is available.',
        }),
        crashgroup_analytics_impactedusers: Type.Boolean({
          description: 'True if the number of affected devices is available.',
        }),
        crash_download_raw: Type.Boolean({ description: 'True if the raw log can be downloaded.' }),
      }),
    }),
    { description: 'The available features.' },
  ),
});

export const crashes_getAppVersions = endpoint({
  ...reading,
  id: 'crashes_getAppVersions',
  path: `${at}/versions`,
  summary: 'List the versions and builds that sent reports',
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
    { description: 'The versions, newest first.' },
  ),
});

/** Not in the API of App Center: the target of the URL of `crashes_getRawCrashLocation`. */
export const crashLogs_get = endpoint({
  id: 'crashLogs_get',
  method: 'GET',
  path: '/crash-logs/{link}/{file_name}',
  tag: 'crashes',
  summary: 'Get the raw log of a report by a signed URL',
  access: 'public',
  effect: 'read',
  params: Type.Object({
    link: Type.String({ minLength: 1, maxLength: 1024 }),
    file_name: Type.String({ minLength: 1, maxLength: 256 }),
  }),
  response: text({ type: 'application/json', description: 'The log as the SDK sent it.' }),
  errors: [404],
});
