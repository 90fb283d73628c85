import type { EndpointExamples } from '../endpoint/example.ts';

const app = { owner_name: 'ada', app_name: 'compass' };

/** Stand for IDs that the server creates. */
export const exampleIds = {
  group: '01a1e2f0-0000-7000-8000-00000000c001',
  issue: '01a1e2f0-0000-7000-8000-00000000c002',
  otherIssue: '01a1e2f0-0000-7000-8000-00000000c003',
  mergedIssue: '01a1e2f0-0000-7000-8000-00000000c004',
  mergedKey: '7b0c7a1f3a534d0c9a610b4e9a0f2d117b0c7a1f',
  link: 'm3x1.MDFhMWUyZjA.c2lnbmVkLWJ5LXRoaXMtc2VydmVy',
};
/** An ID that the device created. */
export const sentIds = {
  crash: '6f1d2c3b-4a5e-4f60-8172-93a4b5c6d7e8',
  second: '6f1d2c3b-4a5e-4f60-8172-93a4b5c6d7e9',
  third: '6f1d2c3b-4a5e-4f60-8172-93a4b5c6d7ea',
  error: '6f1d2c3b-4a5e-4f60-8172-93a4b5c6d7eb',
  attachment: '7a1d2c3b-4a5e-4f60-8172-93a4b5c6d7e8',
};

const group = { ...app, crash_group_id: exampleIds.group };
const crash = { ...group, crash_id: sentIds.crash };
const errorGroup = { ...app, errorGroupId: exampleIds.group };
const error = { ...errorGroup, errorId: sentIds.crash };
const issue = { ...app, issue_id: exampleIds.issue };
const range = { start: '2026-11-01T00:00:00.000Z', end: '2026-11-02T00:00:00.000Z' };
const at = '2026-11-01T08:59:00.000Z';
const [first, second] = ['2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'];

const frame = {
  class_name: 'org.example.shop.Cart',
  method: 'pay',
  file: 'Cart.java',
  line: 88,
  language: 'Java',
} as const;
const code = 'at org.example.shop.Cart.pay(Cart.java:88)';
const formatted = 'org.example.shop.Cart.pay (Cart.java:88)';
const reason_frame = {
  ...frame,
  app_code: true,
  code_formatted: formatted,
  code_raw: code,
  exception_type: 'java.lang.IllegalStateException',
} as const;
const stackFrame = { ...frame, app_code: true, code_raw: code, code_formatted: formatted, relevant: true } as const;
const exception = {
  reason: 'cart empty',
  type: 'java.lang.IllegalStateException',
  frames: [stackFrame],
  relevant: true,
  platform: 'android',
} as const;
const stacktrace = {
  title: 'java.lang.IllegalStateException',
  reason: 'cart empty',
  threads: [{ title: 'main', frames: [], relevant: true, platform: 'android', crashed: true }],
  exception,
  exceptions: [exception],
  binaries: [],
  notes: [],
} as const;

const crashGroup = {
  crash_group_id: exampleIds.group,
  new_crash_group_id: exampleIds.group,
  display_id: '2',
  app_version: '1.4.0',
  build: '140',
  status: 'open',
  count: 12,
  impacted_users: 9,
  first_occurrence: at,
  last_occurrence: at,
  exception: 'java.lang.IllegalStateException',
  crash_reason: 'cart empty',
  reason_frame,
  fatal: true,
  annotation: '',
  issue_id: exampleIds.issue,
} as const;

const errorGroupShown = {
  state: 'open',
  annotation: '',
  errorGroupId: exampleIds.group,
  appVersion: '1.4.0',
  appBuild: '140',
  count: 12,
  deviceCount: 9,
  firstOccurrence: at,
  lastOccurrence: at,
  exceptionType: 'java.lang.IllegalStateException',
  exceptionMessage: 'cart empty',
  exceptionClassName: 'org.example.shop.Cart',
  exceptionMethod: 'pay',
  exceptionFile: 'Cart.java',
  exceptionLine: '88',
  issueId: exampleIds.issue,
} as const;

const report = {
  errorId: sentIds.crash,
  timestamp: at,
  deviceName: 'Pixel 7',
  osVersion: '14',
  osType: 'Android',
  country: 'DE',
  language: 'en-US',
  userId: 'u-17',
  hasBreadcrumbs: true,
  hasAttachments: true,
  errorGroupId: exampleIds.group,
  appVersion: '1.4.0',
  appBuild: '140',
};
const details = {
  ...report,
  name: 'java.lang.IllegalStateException',
  jailbreak: false,
  properties: { plan: 'pro' },
  exceptionMessage: 'cart empty',
};

const crashShown = {
  new_crash_group_id: exampleIds.group,
  crash_id: sentIds.crash,
  new_crash_id: sentIds.crash,
  timestamp: at,
  version: '1.4.0',
  build: '140',
  device: 'Pixel 7',
  device_name: 'Google Pixel 7',
  os_version: '14',
  os_type: 'Android',
  user_name: 'u-17',
};

const issueShown = {
  id: exampleIds.issue,
  number: 1,
  kind: 'crash',
  state: 'open',
  annotation: '',
  exception_type: 'java.lang.IllegalStateException',
  message: 'cart empty',
  class_name: 'org.example.shop.Cart',
  method: 'pay',
  file: 'Cart.java',
  line: 88,
  count: 12,
  device_count: 9,
  first_at: at,
  last_at: at,
  first_version: '1.3.0',
  last_version: '1.4.0',
} as const;

const sessionLog = {
  timestamp: at,
  install_id: '5b7c1f0e-3a53-4d0c-9a61-0b4e9a0f2d11',
  session_id: '0d1f7c1e-3a53-4d0c-9a61-0b4e9a0f2d22',
  device: {
    sdk_name: 'appcenter.android',
    sdk_version: '5.0.4',
    os_name: 'Android',
    os_version: '14',
    locale: 'en_US',
    time_zone_offset: 60,
    app_version: '1.4.0',
    app_build: '140',
  },
} as const;
const sessionLogs = {
  exceeded_max_limit: false,
  last_received_log_timestamp: at,
  logs: [
    { ...sessionLog, type: 'event', event_name: 'checkout', properties: { plan: 'pro' } },
    { ...sessionLog, type: 'error' },
  ],
} as const;

const days = [
  { datetime: first, count: 4 },
  { datetime: second, count: 8 },
];
const percentages = {
  averagePercentage: 98.5,
  dailyPercentages: [
    { datetime: first, percentage: 99.2 },
    { datetime: second, percentage: 98.4 },
  ],
};
const uri = { uri: `https://mooring.example.com/crash-logs/${exampleIds.link}/${sentIds.crash}.json` };
const fileUri = { uri: 'https://mooring.example.com/files/m3x1.Y3Jhc2gtYXR0YWNobWVudHM.c2lnbmVk/note.txt' };
const rules = { rules: [{ kind: 'skip', pattern: 'org.example.shop.Log.*' }] } as const;

export const crashesExamples = {
  crashGroups_list: {
    params: app,
    query: { app_version: '1.4.0', group_status: 'open', $orderby: 'count desc' },
    response: { limited_result_set: false, crash_groups: [crashGroup] },
  },
  crashGroups_get: { params: group, response: crashGroup },
  crashGroups_update: {
    params: group,
    body: { status: 'closed', annotation: 'Fixed in 1.4.1' },
    response: { ...crashGroup, status: 'closed', annotation: 'Fixed in 1.4.1' },
  },
  crashGroups_getStacktrace: { params: group, query: {}, response: stacktrace },
  crashes_list: { params: group, query: {}, response: [crashShown] },
  crashes_get: { params: crash, query: {}, response: crashShown },
  crashes_delete: {
    params: crash,
    query: {},
    response: {
      app_id: 'b0d1a5b3-0000-7000-8000-3f0c5d2e9b11',
      crash_group_id: exampleIds.group,
      crash_id: sentIds.crash,
      crashes_deleted: 1,
      attachments_deleted: 1,
      blobs_succeeded: 1,
      blobs_failed: 0,
    },
  },
  crashes_getNativeCrash: { params: crash },
  crashes_getNativeCrashDownload: { params: crash },
  crashes_getRawCrashLocation: { params: crash, response: uri },
  crashes_getStacktrace: { params: crash, query: {}, response: stacktrace },
  crashes_listAttachments: {
    params: { ...app, crash_id: sentIds.crash },
    response: [
      {
        app_id: 'b0d1a5b3-0000-7000-8000-3f0c5d2e9b11',
        attachment_id: sentIds.attachment,
        crash_id: sentIds.crash,
        blob_location: fileUri.uri,
        content_type: 'text/plain',
        file_name: 'note.txt',
        created_time: at,
        size: 5,
      },
    ],
  },
  crashes_getCrashAttachmentLocation: {
    params: { ...app, crash_id: sentIds.crash, attachment_id: sentIds.attachment },
    response: fileUri,
  },
  crashes_getCrashTextAttachmentContent: {
    params: { ...app, crash_id: sentIds.crash, attachment_id: sentIds.attachment },
  },
  crashes_getAppCrashesInfo: {
    params: app,
    response: {
      has_crashes: true,
      features: {
        crashgroup_modify_status: true,
        crashgroup_modify_annotation: true,
        search: true,
        crashgroup_analytics_crashfreeusers: true,
        crashgroup_analytics_impactedusers: true,
        crash_download_raw: true,
      },
    },
  },
  crashes_getAppVersions: {
    params: app,
    response: [
      {
        app_version_id: '1.4.0 (140)',
        app_id: 'b0d1a5b3-0000-7000-8000-3f0c5d2e9b11',
        display_name: '1.4.0 (140)',
        app_version: '1.4.0',
        build_number: '140',
      },
    ],
  },
  crashLogs_get: { params: { link: exampleIds.link, file_name: `${sentIds.crash}.json` } },
  crashIssues_list: {
    params: app,
    query: { kind: 'crash', state: 'open', sort: 'count' },
    response: {
      values: [{ ...issueShown, trend: Array.from({ length: 28 }, (_, day) => (day > 25 ? 6 : 0)) }],
      total: 1,
    },
  },
  crashIssues_get: {
    params: issue,
    query: {},
    response: {
      ...issueShown,
      groups: [crashGroup],
      days,
      models: [{ value: 'Pixel 7', count: 12 }],
      systems: [{ value: 'Android 14', count: 12 }],
      countries: [{ value: 'DE', count: 12 }],
      languages: [{ value: 'en-US', count: 12 }],
      parts: [
        {
          key: exampleIds.mergedKey,
          count: 12,
          title: 'java.lang.IllegalStateException in org.example.shop.Cart.pay',
          versions: ['1.4.0'],
        },
      ],
    },
  },
  crashIssues_update: {
    params: issue,
    body: { state: 'closed', annotation: 'Fixed in 1.4.1' },
    response: { ...issueShown, state: 'closed', annotation: 'Fixed in 1.4.1', closed_version: '1.4.0' },
  },
  crashIssues_listReports: { params: issue, query: { limit: 10 }, response: { values: [report] } },
  crashIssues_merge: { params: issue, body: { issue_ids: [exampleIds.otherIssue] }, response: issueShown },
  crashIssues_split: {
    params: { ...app, issue_id: exampleIds.mergedIssue },
    body: { keys: [exampleIds.mergedKey] },
    response: [{ ...issueShown, id: exampleIds.otherIssue }],
  },
  crashGroups_await: {
    params: app,
    body: {
      groups: [
        {
          appVersion: '1.3.0',
          appBuild: '130',
          exceptionType: 'java.lang.IllegalStateException',
          exceptionClassName: 'org.example.shop.Cart',
          exceptionMethod: 'pay',
          state: 'closed',
          annotation: 'Fixed in 1.3.1',
        },
      ],
    },
    response: { applied: 0, waiting: 1 },
  },
  crashGrouping_get: { params: app, response: rules },
  crashGrouping_update: { params: app, body: rules, response: rules },
  crashGrouping_preview: {
    params: app,
    body: rules,
    response: {
      reports: 1000,
      before: 41,
      after: 40,
      merged: [
        {
          issues: [
            { id: exampleIds.issue, title: 'java.io.IOException in org.example.shop.Api.get', count: 12 },
            { id: exampleIds.otherIssue, title: 'java.io.IOException in org.example.shop.Api.post', count: 3 },
          ],
          count: 15,
        },
      ],
      split: [],
    },
  },
  crashReports_listValues: {
    params: app,
    response: {
      exceptionType: [{ value: 'java.lang.IllegalStateException', count: 2 }],
      appVersion: [{ value: '1.4.0', count: 2 }],
      deviceName: [{ value: 'Pixel 7', count: 2 }],
      osVersion: [{ value: '14', count: 2 }],
      country: [{ value: 'DE', count: 2 }],
      property: [{ name: 'plan', value: 'pro', count: 1 }],
    },
  },
  crashReports_listFailed: {
    params: app,
    query: {},
    response: [
      {
        id: sentIds.third,
        at,
        received_at: at,
        type: 'managedError',
        version: '1.4.0',
        build: '140',
        reason:
          'The log of type managedError has no exception and no thread with frames, so it describes no crash or error.',
      },
    ],
  },
  crashReports_listReprocessing: {
    params: app,
    response: [{ id: sentIds.third, reason: 'symbols', total: 1200, done: 350, started_at: at }],
  },
  crashReports_reprocess: {
    params: app,
    body: { issue_id: exampleIds.issue },
    response: { message: 'The reports are being reprocessed in the background.' },
  },
  crashOverview_get: {
    params: app,
    query: range,
    response: {
      crash_count: 12,
      error_count: 30,
      hang_count: 2,
      crash_free_devices: 98.5,
      crash_free_sessions: 99.1,
      days: [
        {
          datetime: first,
          crashes: 12,
          errors: 30,
          hangs: 2,
          sessions: 1333,
          crash_free_devices: 98.5,
          crash_free_sessions: 99.1,
        },
      ],
      versions: [{ version: '1.4.0', crashes: 12, errors: 30, hangs: 2, devices: 9 }],
    },
  },
  crashOverview_listVersions: {
    params: app,
    query: range,
    response: [{ version: '1.4.0', app_build: '140', devices: 200, crashed_devices: 3, crash_free_devices: 98.5 }],
  },
  Analytics_CrashGroupsTotals: {
    params: app,
    body: { crash_groups: [{ crash_group_id: exampleIds.group, app_version: '1.4.0' }] },
    response: [
      { crash_group_id: exampleIds.group, app_version: '1.4.0', overall: { crash_count: 12, device_count: 9 } },
    ],
  },
  Analytics_CrashGroupCounts: {
    params: group,
    query: { version: '1.4.0', ...range },
    response: { count: 12, crashes: days },
  },
  Analytics_CrashGroupModelCounts: {
    params: group,
    query: { version: '1.4.0' },
    response: { crash_count: 12, models: [{ model_name: 'Pixel 7', crash_count: 12 }] },
  },
  Analytics_CrashGroupOperatingSystemCounts: {
    params: group,
    query: { version: '1.4.0' },
    response: { crash_count: 12, operating_systems: [{ operating_system_name: 'Android 14', crash_count: 12 }] },
  },
  Analytics_CrashGroupTotals: {
    params: group,
    query: { version: '1.4.0' },
    response: { crash_count: 12, device_count: 9 },
  },
  Errors_AppBuildsList: { params: app, query: { version: '1.4.0', ...range }, response: { appBuilds: ['140'] } },
  Errors_AvailableVersions: { params: app, query: range, response: { versions: ['1.4.0', '1.3.0'] } },
  Errors_CountsPerDay: {
    params: app,
    query: { ...range, errorType: 'unhandledError' },
    response: { count: 12, errors: days },
  },
  Errors_GroupList: {
    params: app,
    query: { ...range, $top: 10, $orderby: 'count desc' },
    response: { errorGroups: [errorGroupShown] },
  },
  Errors_ErrorGroupsSearch: {
    params: app,
    query: { q: 'cart', filter: "appVersion eq '1.4.0'", sort: 'lastOccurrence', order: 'desc' },
    response: { hasMoreResults: false, errorGroups: [errorGroupShown] },
  },
  Errors_GroupDetails: { params: errorGroup, response: errorGroupShown },
  Errors_UpdateState: {
    params: errorGroup,
    body: { state: 'ignored', annotation: 'Known' },
    response: { ...errorGroupShown, state: 'ignored', annotation: 'Known' },
  },
  Errors_GroupCountsPerDay: { params: errorGroup, query: range, response: { count: 12, errors: days } },
  Errors_GroupErrorFreeDevicePercentages: { params: errorGroup, query: range, response: percentages },
  Errors_ListForGroup: { params: errorGroup, query: { ...range, $top: 10 }, response: { errors: [report] } },
  Errors_LatestErrorDetails: { params: errorGroup, response: details },
  Errors_GetErrorDetails: { params: error, response: details },
  Errors_DeleteError: {
    params: error,
    response: {
      appId: 'b0d1a5b3-0000-7000-8000-3f0c5d2e9b11',
      errorGroupId: exampleIds.group,
      errorId: sentIds.crash,
      errorsDeleted: 1,
      attachmentsDeleted: 1,
      blobsSucceeded: 1,
      blobsFailed: 0,
    },
  },
  Errors_ErrorDownload: { params: error, query: { format: 'json' } },
  Errors_ErrorLocation: { params: error, response: uri },
  Errors_ErrorStackTrace: { params: error, response: stacktrace },
  Errors_GroupModelCounts: {
    params: errorGroup,
    query: {},
    response: { errorCount: 12, models: [{ modelName: 'Pixel 7', modelCode: 'Pixel 7', errorCount: 12 }] },
  },
  Errors_GroupOperatingSystemCounts: {
    params: errorGroup,
    query: {},
    response: { errorCount: 12, operatingSystems: [{ operatingSystemName: 'Android 14', errorCount: 12 }] },
  },
  Errors_GroupErrorStackTrace: { params: errorGroup, response: stacktrace },
  Errors_ErrorFreeDevicePercentages: {
    params: app,
    query: { ...range, versions: '1.4.0|1.3.0', errorType: 'unhandledError' },
    response: percentages,
  },
  errors_getRetentionSettings: { params: app, response: { retention_in_days: 90 } },
  errors_putRetentionSettings: {
    params: app,
    body: { retention_in_days: 28 },
    response: { retention_in_days: 28 },
  },
  Errors_ErrorSearch: {
    params: app,
    query: { q: 'cart', filter: "userId eq 'u-17'", sort: 'timestamp', order: 'desc' },
    response: {
      hasMoreResults: false,
      errors: [
        {
          ...report,
          issueId: exampleIds.issue,
          exceptionType: 'java.lang.IllegalStateException',
          exceptionMessage: 'cart empty',
        },
      ],
    },
  },
  Errors_ErrorAttachments: {
    params: { ...app, errorId: sentIds.crash },
    response: [
      {
        appId: 'b0d1a5b3-0000-7000-8000-3f0c5d2e9b11',
        attachmentId: sentIds.attachment,
        crashId: sentIds.crash,
        blobLocation: fileUri.uri,
        contentType: 'text/plain',
        fileName: 'note.txt',
        createdTime: at,
        size: 5,
      },
    ],
  },
  Errors_ErrorAttachmentLocation: {
    params: { ...app, errorId: sentIds.crash, attachmentId: sentIds.attachment },
    response: fileUri,
  },
  Errors_ErrorAttachmentText: {
    params: { ...app, errorId: sentIds.crash, attachmentId: sentIds.attachment },
    response: { content: 'hello' },
  },
  Crashes_ListSessionLogs: { params: { ...app, crash_id: sentIds.crash }, query: {}, response: sessionLogs },
  Errors_ListSessionLogs: { params: { ...app, errorId: sentIds.crash }, query: {}, response: sessionLogs },
} satisfies EndpointExamples<typeof import('./index.ts')>;
