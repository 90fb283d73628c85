import { endpoint, json } from '../endpoint/index.ts';
import { Time } from '../fields.ts';
import { listQuery, Page } from '../paging.ts';
import { Type } from '../type.ts';
import {
  at,
  Count,
  CrashGroup,
  changing,
  ErrorReport,
  params,
  Range,
  ReasonFrame,
  reading,
  State,
  Version,
} from './shapes.ts';

/** None of these operations is in the API of App Center: issues span versions, its groups do not. */
export const issueKinds = ['crash', 'error', 'hang'] as const;
export const issueSorts = ['last_at', 'count', 'device_count'] as const;

const Kind = Type.Enum([...issueKinds], {
  description:
    'A crash ended the app. An error was handled by the app and reported. In a hang, the app did not respond; an ANR on Android is one.',
});
const text = Type.Optional(Type.String());

const issueFields = {
  id: Type.String(),
  number: Type.Integer({ description: 'A short number for conversations.' }),
  kind: Kind,
  state: State,
  annotation: Type.String(),
  exception_type: Type.String(),
  message: Type.String(),
  class_name: Type.String(),
  method: Type.String(),
  file: Type.String(),
  line: Type.Optional(Type.Integer()),
  reason_frame: Type.Optional(ReasonFrame),
  count: Count,
  device_count: Count,
  first_at: Time,
  last_at: Time,
  first_version: Type.String(),
  last_version: Type.String(),
  closed_version: Type.Optional(Type.String({ description: 'The newest version that the issue was closed in.' })),
  regressed_version: Type.Optional(
    Type.String({ description: 'The version that the issue occurred in again after it was closed.' }),
  ),
  regressed_at: Type.Optional(Time),
};

export const CrashIssue = Type.Object(issueFields, { $id: 'CrashIssue' });

const ListedIssue = Type.Object(
  {
    ...issueFields,
    trend: Type.Array(Count, { description: 'The number of reports on each of the last 28 days, oldest first.' }),
  },
  { $id: 'ListedCrashIssue' },
);

const Values = Type.Array(Type.Object({ value: Type.String(), count: Count }));

const DescribedIssue = Type.Object(
  {
    ...issueFields,
    groups: Type.Array(CrashGroup, { description: 'One group for each version and build, newest first.' }),
    days: Type.Array(Type.Object({ datetime: Type.String(), count: Count })),
    models: Values,
    systems: Values,
    countries: Values,
    languages: Values,
    parts: Type.Array(
      Type.Object({ key: Type.String(), count: Count, title: Type.String(), versions: Type.Array(Type.String()) }),
      { description: 'The issues that were merged into this one, which can be split off again.' },
    ),
  },
  { $id: 'DescribedCrashIssue' },
);

export const crashIssues_list = endpoint({
  ...reading,
  id: 'crashIssues_list',
  path: `${at}/crash_issues`,
  summary: 'List issues: problems of an app across all versions',
  params: params.app,
  query: Type.Object({
    ...listQuery(issueSorts, 'the type, the message, the class, the method and the file'),
    kind: Type.Optional(Kind),
    state: Type.Optional(State),
    version: Version,
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 3650, description: 'Only issues that occurred within this number of days.' }),
    ),
  }),
  response: json(Page(ListedIssue), { description: 'The issues.' }),
});

export const crashIssues_get = endpoint({
  ...reading,
  id: 'crashIssues_get',
  path: `${at}/crash_issues/{issue_id}`,
  summary: 'Get an issue, with its versions and counts',
  params: params.issue,
  query: Type.Object({
    start: Type.Optional(Range.start),
    end: Range.end,
  }),
  response: json(DescribedIssue, { description: 'The issue. `days` covers the range, or the last 28 days.' }),
});

export const crashIssues_update = endpoint({
  ...changing,
  id: 'crashIssues_update',
  method: 'PATCH',
  path: `${at}/crash_issues/{issue_id}`,
  summary: 'Open, close or ignore an issue in all its versions, or change its note',
  description: 'A closed issue reopens if it occurs in a newer version.',
  params: params.issue,
  request: json(
    Type.Object({ state: Type.Optional(State), annotation: Type.Optional(Type.String({ maxLength: 4000 })) }),
  ),
  response: json(CrashIssue, { description: 'The updated issue.' }),
});

export const crashIssues_listReports = endpoint({
  ...reading,
  id: 'crashIssues_listReports',
  path: `${at}/crash_issues/{issue_id}/reports`,
  summary: 'List reports of an issue, newest first',
  params: params.issue,
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
    cursor: Type.Optional(Type.String({ maxLength: 2048 })),
    version: Version,
    model: Version,
    os: Version,
  }),
  response: json(Page(ErrorReport), { description: 'The reports.' }),
});

export const crashIssues_merge = endpoint({
  ...changing,
  id: 'crashIssues_merge',
  method: 'POST',
  path: `${at}/crash_issues/{issue_id}/merge`,
  summary: 'Merge issues into one',
  description: 'The merged issues are deleted. Their reports, past and future, belong to this issue.',
  params: params.issue,
  request: json(
    Type.Object({
      issue_ids: Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { minItems: 1, maxItems: 50 }),
    }),
  ),
  response: json(CrashIssue, { description: 'The updated issue.' }),
});

export const crashIssues_split = endpoint({
  ...changing,
  id: 'crashIssues_split',
  method: 'POST',
  path: `${at}/crash_issues/{issue_id}/split`,
  summary: 'Split merged issues off an issue again',
  params: params.issue,
  request: json(
    Type.Object({ keys: Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { minItems: 1, maxItems: 50 }) }),
  ),
  response: json(Type.Array(CrashIssue), { description: 'The issues that were split off.' }),
});

const GroupText = Type.Optional(Type.String({ maxLength: 4096 }));

/** The maximum number of groups in one request. */
export const MAX_AWAITED_GROUPS = 500;

export const crashGroups_await = endpoint({
  ...changing,
  id: 'crashGroups_await',
  method: 'POST',
  path: `${at}/awaited_crash_groups`,
  summary: 'Import states and notes of crash and error groups from another server',
  description:
    'Groups are matched by the fields that lists show: version, build, type, class and method, and by the message if both class and method are empty. Existing groups are updated immediately, others with their first report; those are not announced as new. Of several similar groups, the last one counts.',
  params: params.app,
  request: json(
    Type.Object({
      groups: Type.Array(
        Type.Object({
          appVersion: Type.String({ maxLength: 256 }),
          appBuild: Version,
          exceptionType: GroupText,
          exceptionClassName: GroupText,
          exceptionMethod: GroupText,
          exceptionMessage: GroupText,
          state: State,
          annotation: Type.Optional(Type.String({ maxLength: 4000 })),
        }),
        { minItems: 1, maxItems: MAX_AWAITED_GROUPS },
      ),
    }),
  ),
  response: json(
    Type.Object({
      applied: Type.Integer({ minimum: 0, description: 'The number of groups that exist here.' }),
      waiting: Type.Integer({
        minimum: 0,
        description: 'The number of groups that have no report yet, and differ from a new group.',
      }),
    }),
    { description: 'The number of imported groups.' },
  ),
});

const Rules = Type.Array(
  Type.Object({
    kind: Type.Enum(['skip', 'ours', 'theirs', 'message'], {
      description:
        '`skip` ignores matching frames. `ours` and `theirs` mark frames as code of the app or of others. `message` also groups exceptions of a matching type by their message.',
    }),
    pattern: Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Matches the whole class and method, the file or the binary; for `message`, the type. `*` matches any text.',
    }),
  }),
  { maxItems: 50 },
);
const RuleList = Type.Object({ rules: Rules }, { $id: 'CrashGroupingRules' });

const Changes = Type.Array(
  Type.Object({
    issues: Type.Array(Type.Object({ id: Type.String(), title: Type.String(), count: Count })),
    count: Count,
  }),
);

export const crashGrouping_get = endpoint({
  ...reading,
  id: 'crashGrouping_get',
  path: `${at}/crash_grouping`,
  summary: 'Get the grouping rules of an app',
  params: params.app,
  response: json(RuleList, { description: 'The rules.' }),
});

export const crashGrouping_update = endpoint({
  ...changing,
  access: 'app:manager',
  id: 'crashGrouping_update',
  method: 'PUT',
  path: `${at}/crash_grouping`,
  summary: 'Replace the grouping rules of an app',
  description: 'Existing reports are regrouped in the background.',
  params: params.app,
  request: json(RuleList),
  response: json(RuleList, { description: 'The rules.' }),
});

export const crashGrouping_preview = endpoint({
  ...reading,
  method: 'POST',
  id: 'crashGrouping_preview',
  path: `${at}/crash_grouping/preview`,
  summary: 'Preview the effect of grouping rules on the last 1,000 reports',
  params: params.app,
  request: json(RuleList),
  response: json(
    Type.Object({
      reports: Count,
      before: Type.Integer({ minimum: 0, description: 'The current number of issues of these reports.' }),
      after: Type.Integer({ minimum: 0, description: 'The number of issues with the new rules.' }),
      merged: Changes,
      split: Changes,
    }),
    { description: 'The expected changes. Nothing is changed yet.' },
  ),
});

const MostUsed = (of: string) => ({ ...Values, description: `${of}, most reports first, at most 50.` });

export const crashReports_listValues = endpoint({
  ...reading,
  id: 'crashReports_listValues',
  path: `${at}/crash_reports/values`,
  summary: 'List values to search reports by',
  description: 'Covers the newest 5,000 reports. The names are fields of the search filter.',
  params: params.app,
  response: json(
    Type.Object(
      {
        exceptionType: MostUsed('Types'),
        appVersion: MostUsed('Versions'),
        deviceName: MostUsed('Models'),
        osVersion: MostUsed('Versions of the operating system'),
        country: MostUsed('Countries'),
        property: Type.Array(Type.Object({ name: Type.String(), value: Type.String(), count: Count }), {
          description: 'Custom properties with their values, at most 50.',
        }),
      },
      { $id: 'CrashReportValues' },
    ),
    { description: 'The values.' },
  ),
});

export const crashReports_listFailed = endpoint({
  ...reading,
  id: 'crashReports_listFailed',
  path: `${at}/crash_reports/failed`,
  summary: 'List reports that could not be processed, with the reason',
  params: params.app,
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
    skip: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000, default: 0 })),
  }),
  response: json(
    Type.Array(
      Type.Object({
        id: Type.String(),
        at: Time,
        received_at: Time,
        type: Type.String(),
        version: Type.String(),
        build: Type.String(),
        reason: Type.String(),
        user_id: text,
      }),
    ),
    { description: 'The reports, newest first.' },
  ),
});

export const reprocessingReasons = ['requested', 'rules', 'symbols'] as const;

export const crashReports_listReprocessing = endpoint({
  ...reading,
  id: 'crashReports_listReprocessing',
  path: `${at}/crash_reports/reprocessing`,
  summary: 'Get the progress of reprocessing of the last day',
  description: 'Reports are reprocessed on request, after a change of grouping rules, and when symbols arrive.',
  params: params.app,
  response: json(
    Type.Array(
      Type.Object({
        id: Type.String(),
        reason: Type.Enum([...reprocessingReasons]),
        total: Count,
        done: Count,
        started_at: Time,
        ended_at: Type.Optional(Time),
      }),
      { maxItems: 20 },
    ),
    { description: 'The runs, latest first, at most 20.' },
  ),
});

export const crashReports_reprocess = endpoint({
  ...changing,
  id: 'crashReports_reprocess',
  method: 'POST',
  path: `${at}/crash_reports/reprocess`,
  summary: 'Reprocess the reports of an issue, reports that failed, or all reports',
  params: params.app,
  request: json(
    Type.Object({
      issue_id: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
      failed: Type.Optional(Type.Boolean({ description: 'Only reports that could not be processed.' })),
    }),
  ),
  response: json(Type.Object({ message: Type.String() }), {
    status: 202,
    description: 'Accepted. The reports are processed in the background.',
  }),
});

export const crashOverview_get = endpoint({
  ...reading,
  id: 'crashOverview_get',
  path: `${at}/crash_overview`,
  summary: 'Get the stability of an app: percentages of crash-free devices and sessions, by day and by version',
  params: params.app,
  query: Type.Object({ ...Range, version: Version }),
  response: json(
    Type.Object({
      crash_count: Count,
      error_count: Count,
      hang_count: { ...Count, description: 'The app did not respond, which is not a crash.' },
      crash_free_devices: Type.Number({ description: 'Percent.' }),
      crash_free_sessions: Type.Number({ description: 'A percentage. A crash ends its session.' }),
      days: Type.Array(
        Type.Object({
          datetime: Type.String(),
          crashes: Count,
          errors: Count,
          hangs: Count,
          sessions: Count,
          crash_free_devices: Type.Number(),
          crash_free_sessions: Type.Number(),
        }),
      ),
      versions: Type.Array(
        Type.Object({ version: Type.String(), crashes: Count, errors: Count, hangs: Count, devices: Count }),
        { description: 'The versions that sent reports in the range, newest first.' },
      ),
    }),
    { description: 'The percentages and counts.' },
  ),
});

export const crashOverview_listVersions = endpoint({
  ...reading,
  id: 'crashOverview_listVersions',
  path: `${at}/crash_overview/versions`,
  summary: 'Get the crash-free percentage of active devices by version and build',
  params: params.app,
  query: Type.Object(Range),
  response: json(
    Type.Array(
      Type.Object({
        version: Type.String(),
        app_build: Type.String(),
        devices: Type.Integer({
          minimum: 1,
          description:
            'The number of devices that were active with this version. A crash alone does not make a device active.',
        }),
        crashed_devices: Count,
        crash_free_devices: Type.Number({ description: 'Percent.' }),
      }),
      { maxItems: 200 },
    ),
    {
      description:
        'The versions with the most active devices, at most 200. Versions without active devices are not listed.',
    },
  ),
});
