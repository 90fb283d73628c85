import { endpoint, json, text } from '../endpoint/index.ts';
import { Type } from '../type.ts';
import {
  at,
  Count,
  changing,
  DayCounts,
  DayPercentages,
  ErrorAttachments,
  ErrorDetails,
  ErrorGroup,
  ErrorReport,
  ErrorType,
  errorAt,
  errorGroupAt,
  FoundReport,
  Location,
  params,
  Range,
  reading,
  Stacktrace,
  State,
  Top,
  Version,
} from './shapes.ts';

const OneErrorType = Type.Optional(Type.Enum(['unhandledError', 'handledError']));
const Skip = Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000, default: 0 }));
const Filter = Type.Optional(
  Type.String({ maxLength: 4096, description: "Comparisons such as appVersion eq '1.4.0' and userId eq 'u-17'." }),
);

export const Errors_AppBuildsList = endpoint({
  ...reading,
  id: 'Errors_AppBuildsList',
  path: `${at}/errors/availableAppBuilds`,
  summary: 'List the builds of a version that sent reports',
  params: params.app,
  query: Type.Object({ version: Type.String({ maxLength: 256 }), ...Range, ...Top, errorType: ErrorType }),
  response: json(Type.Object({ appBuilds: Type.Array(Type.String()) }), { description: 'The builds.' }),
});

export const Errors_AvailableVersions = endpoint({
  ...reading,
  id: 'Errors_AvailableVersions',
  path: `${at}/errors/available_versions`,
  summary: 'List the versions that sent reports, newest first',
  params: params.app,
  query: Type.Object({
    ...Range,
    ...Top,
    $skip: Skip,
    $filter: Type.Optional(
      Type.String({ maxLength: 4096, description: "A filter such as contains(appVersion,'1.4')." }),
    ),
    $inlinecount: Type.Optional(Type.Enum(['allpages', 'none'])),
    errorType: ErrorType,
  }),
  response: json(Type.Object({ versions: Type.Array(Type.String()), total_count: Type.Optional(Count) }), {
    description: 'The versions.',
  }),
});

export const Errors_CountsPerDay = endpoint({
  ...reading,
  id: 'Errors_CountsPerDay',
  path: `${at}/errors/errorCountsPerDay`,
  summary: 'Count crashes or errors by day',
  params: params.app,
  query: Type.Object({ version: Version, ...Range, app_build: Version, errorType: OneErrorType }),
  response: json(DayCounts, { description: 'The counts.' }),
});

export const Errors_GroupList = endpoint({
  ...reading,
  id: 'Errors_GroupList',
  path: `${at}/errors/errorGroups`,
  summary: 'List crash and error groups in a range of days',
  description: 'Counts cover the range.',
  params: params.app,
  query: Type.Object({
    version: Version,
    app_build: Version,
    groupState: Type.Optional(Type.String({ maxLength: 100, description: 'One or more states, comma-separated.' })),
    ...Range,
    $orderby: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'count, deviceCount, firstOccurrence or lastOccurrence, with asc or desc.',
      }),
    ),
    ...Top,
    errorType: ErrorType,
    $skiptoken: Type.Optional(Type.String({ maxLength: 2048, description: 'The $skiptoken of nextLink.' })),
  }),
  response: json(Type.Object({ nextLink: Type.Optional(Type.String()), errorGroups: Type.Array(ErrorGroup) }), {
    description: 'The groups.',
  }),
});

export const Errors_ErrorGroupsSearch = endpoint({
  ...reading,
  id: 'Errors_ErrorGroupsSearch',
  path: `${at}/errors/errorGroups/search`,
  summary: 'Search crash and error groups',
  params: params.app,
  query: Type.Object({
    filter: Filter,
    q: Type.Optional(Type.String({ maxLength: 200 })),
    order: Type.Optional(Type.Enum(['desc', 'asc'])),
    sort: Type.Optional(
      Type.Enum([
        'matchingReportsCount',
        'exceptionClassName',
        'exceptionMessage',
        'exceptionMethod',
        'lastOccurrence',
      ]),
    ),
    $top: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 100 })),
    $skip: Skip,
  }),
  response: json(Type.Object({ hasMoreResults: Type.Boolean(), errorGroups: Type.Array(ErrorGroup) }), {
    description: 'The groups.',
  }),
});

export const Errors_GroupDetails = endpoint({
  ...reading,
  id: 'Errors_GroupDetails',
  path: errorGroupAt,
  summary: 'Get a crash or error group',
  params: params.errorGroup,
  response: json(ErrorGroup, { description: 'The group.' }),
});

export const Errors_UpdateState = endpoint({
  ...changing,
  id: 'Errors_UpdateState',
  method: 'PATCH',
  path: errorGroupAt,
  summary: 'Update the state or the note of a group',
  params: params.errorGroup,
  request: json(Type.Object({ state: State, annotation: Type.Optional(Type.String({ maxLength: 4000 })) })),
  response: json(ErrorGroup, { description: 'The updated group.' }),
});

export const Errors_GroupCountsPerDay = endpoint({
  ...reading,
  id: 'Errors_GroupCountsPerDay',
  path: `${errorGroupAt}/errorCountsPerDay`,
  summary: 'Count reports of a group by day',
  params: params.errorGroup,
  query: Type.Object({ version: Version, ...Range }),
  response: json(DayCounts, { description: 'The counts.' }),
});

export const Errors_GroupErrorFreeDevicePercentages = endpoint({
  ...reading,
  id: 'Errors_GroupErrorFreeDevicePercentages',
  path: `${errorGroupAt}/errorfreeDevicePercentages`,
  summary: 'Get the percentage of active devices of its version without reports of a group, by day',
  params: params.errorGroup,
  query: Type.Object(Range),
  response: json(DayPercentages, { description: 'The percentages.' }),
});

export const Errors_ListForGroup = endpoint({
  ...reading,
  id: 'Errors_ListForGroup',
  path: `${errorGroupAt}/errors`,
  summary: 'List reports of a group, newest first',
  params: params.errorGroup,
  query: Type.Object({
    ...Range,
    ...Top,
    model: Version,
    os: Version,
    $skiptoken: Type.Optional(Type.String({ maxLength: 2048, description: 'The $skiptoken of nextLink.' })),
  }),
  response: json(Type.Object({ nextLink: Type.Optional(Type.String()), errors: Type.Array(ErrorReport) }), {
    description: 'The reports.',
  }),
});

export const Errors_LatestErrorDetails = endpoint({
  ...reading,
  id: 'Errors_LatestErrorDetails',
  path: `${errorGroupAt}/errors/latest`,
  summary: 'Get the latest report of a group',
  params: params.errorGroup,
  response: json(ErrorDetails, { description: 'The report.' }),
});

export const Errors_GetErrorDetails = endpoint({
  ...reading,
  id: 'Errors_GetErrorDetails',
  path: errorAt,
  summary: 'Get a report of a group',
  params: params.error,
  response: json(ErrorDetails, { description: 'The report.' }),
});

export const Errors_DeleteError = endpoint({
  ...changing,
  id: 'Errors_DeleteError',
  method: 'DELETE',
  path: errorAt,
  summary: 'Delete a report of a group with all its data',
  params: params.error,
  response: json(
    Type.Object({
      appId: Type.String(),
      errorGroupId: Type.String(),
      errorId: Type.String(),
      errorsDeleted: Count,
      attachmentsDeleted: Count,
      blobsSucceeded: Count,
      blobsFailed: Count,
    }),
    { description: 'The deleted report.' },
  ),
});

export const Errors_ErrorDownload = endpoint({
  ...reading,
  id: 'Errors_ErrorDownload',
  path: `${errorAt}/download`,
  summary: 'Get the full report: the raw log, or a text',
  params: params.error,
  query: Type.Object({
    format: Type.Optional(Type.Enum(['json', 'txt'], { description: 'The format (default: json).' })),
  }),
  response: text({ type: 'application/json', description: 'The log; with format=txt, the text as a JSON string.' }),
});

export const Errors_ErrorLocation = endpoint({
  ...reading,
  id: 'Errors_ErrorLocation',
  path: `${errorAt}/location`,
  summary: 'Get a URL of the raw log of a report',
  params: params.error,
  response: json(Location, { description: 'The URL.' }),
});

export const Errors_ErrorStackTrace = endpoint({
  ...reading,
  id: 'Errors_ErrorStackTrace',
  path: `${errorAt}/stacktrace`,
  summary: 'Get the stack trace of a report of a group',
  params: params.error,
  response: json(Stacktrace, { description: 'The stack trace.' }),
});

export const Errors_GroupModelCounts = endpoint({
  ...reading,
  id: 'Errors_GroupModelCounts',
  path: `${errorGroupAt}/models`,
  summary: 'Count reports of a group by model, highest count first',
  params: params.errorGroup,
  query: Type.Object(Top),
  response: json(
    Type.Object({
      errorCount: Count,
      models: Type.Array(Type.Object({ modelName: Type.String(), modelCode: Type.String(), errorCount: Count })),
    }),
    { description: 'The counts.' },
  ),
});

export const Errors_GroupOperatingSystemCounts = endpoint({
  ...reading,
  id: 'Errors_GroupOperatingSystemCounts',
  path: `${errorGroupAt}/operatingSystems`,
  summary: 'Count reports of a group by operating system, highest count first',
  params: params.errorGroup,
  query: Type.Object(Top),
  response: json(
    Type.Object({
      errorCount: Count,
      operatingSystems: Type.Array(Type.Object({ operatingSystemName: Type.String(), errorCount: Count })),
    }),
    { description: 'The counts.' },
  ),
});

export const Errors_GroupErrorStackTrace = endpoint({
  ...reading,
  id: 'Errors_GroupErrorStackTrace',
  path: `${errorGroupAt}/stacktrace`,
  summary: 'Get the stack trace of the latest report of an error group',
  params: params.errorGroup,
  response: json(Stacktrace, { description: 'The stack trace.' }),
});

export const Errors_ErrorFreeDevicePercentages = endpoint({
  ...reading,
  id: 'Errors_ErrorFreeDevicePercentages',
  path: `${at}/errors/errorfreeDevicePercentages`,
  summary: 'Get the percentage of active devices without a crash or error, by day',
  params: params.app,
  query: Type.Object({
    ...Range,
    versions: Type.Optional(
      Type.Union(
        [Type.String({ maxLength: 16_384 }), Type.Array(Type.String({ maxLength: 1024 }), { maxItems: 200 })],
        {
          description: 'Joined by `|`, or as repeated parameters. Empty or omitted: all.',
        },
      ),
    ),
    app_build: Version,
    errorType: OneErrorType,
  }),
  response: json(DayPercentages, {
    description: 'The percentages of devices without a crash or, for handledError, without an error.',
  }),
});

const Retention = Type.Object({ retention_in_days: Type.Union([Type.Literal(28), Type.Literal(90)]) });

export const errors_getRetentionSettings = endpoint({
  ...reading,
  id: 'errors_getRetentionSettings',
  path: `${at}/errors/retention_settings`,
  summary: 'Get the number of days that reports are stored',
  params: params.app,
  response: json(Retention, { description: 'The number of days.' }),
});

export const errors_putRetentionSettings = endpoint({
  ...changing,
  access: 'app:manager',
  id: 'errors_putRetentionSettings',
  method: 'PUT',
  path: `${at}/errors/retention_settings`,
  summary: 'Set the number of days that reports are stored',
  params: params.app,
  request: json(Retention),
  response: json(Retention, { description: 'The number of days.' }),
});

export const errorSearchSorts = [
  'timestamp',
  'errorGroupId',
  'exceptionClassName',
  'exceptionFile',
  'exceptionLine',
  'exceptionMessage',
  'exceptionMethod',
  'deviceName',
  'osVersion',
  'userId',
] as const;

export const Errors_ErrorSearch = endpoint({
  ...reading,
  id: 'Errors_ErrorSearch',
  path: `${at}/errors/search`,
  summary: 'Search reports of crashes and errors',
  description:
    '`q` matches words in the type, the message and the location of the error, or the ID of a report, a user or an install. `filter` compares fields; `property.name eq` matches custom properties.',
  params: params.app,
  query: Type.Object({
    filter: Filter,
    q: Type.Optional(Type.String({ maxLength: 200 })),
    order: Type.Optional(Type.Enum(['desc', 'asc'])),
    sort: Type.Optional(Type.Enum([...errorSearchSorts])),
    $top: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 100 })),
    $skip: Skip,
  }),
  response: json(Type.Object({ hasMoreResults: Type.Boolean(), errors: Type.Array(FoundReport) }), {
    description: 'The reports.',
  }),
});

export const Errors_ErrorAttachments = endpoint({
  ...reading,
  id: 'Errors_ErrorAttachments',
  path: `${at}/errors/{errorId}/attachments`,
  summary: 'List the attachments of a crash or an error',
  params: params.ofError,
  response: json(ErrorAttachments, { description: 'The attachments.' }),
});

export const Errors_ErrorAttachmentLocation = endpoint({
  ...reading,
  id: 'Errors_ErrorAttachmentLocation',
  path: `${at}/errors/{errorId}/attachments/{attachmentId}/location`,
  summary: 'Get a URL of an attachment of a report',
  params: params.errorAttachment,
  response: json(Location, { description: 'The URL.' }),
});

export const Errors_ErrorAttachmentText = endpoint({
  ...reading,
  id: 'Errors_ErrorAttachmentText',
  path: `${at}/errors/{errorId}/attachments/{attachmentId}/text`,
  summary: 'Get an attachment of a report that is text',
  params: params.errorAttachment,
  response: json(Type.Object({ content: Type.String() }), { description: 'The content of the attachment.' }),
});
