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

/** All of it is ours: issues span versions, which the groups of other clients do not. */
export const issueKinds = ['crash', 'error'] as const;
export const issueSorts = ['last_at', 'count', 'device_count'] as const;

const Kind = Type.Enum([...issueKinds], { description: 'A crash ended the app; an error was caught by it and told.' });
const text = Type.Optional(Type.String());

const issueFields = {
  id: Type.String(),
  number: Type.Integer({ description: 'To talk about.' }),
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
  closed_version: Type.Optional(Type.String({ description: 'The newest version that it was closed in.' })),
  regressed_version: Type.Optional(Type.String({ description: 'In which version it came back after it was closed.' })),
  regressed_at: Type.Optional(Time),
};

export const CrashIssue = Type.Object(issueFields, { $id: 'CrashIssue' });

const ListedIssue = Type.Object(
  {
    ...issueFields,
    trend: Type.Array(Count, { description: 'How often it was seen on each of the last 28 days, oldest first.' }),
  },
  { $id: 'ListedCrashIssue' },
);

const Values = Type.Array(Type.Object({ value: Type.String(), count: Count }));

const DescribedIssue = Type.Object(
  {
    ...issueFields,
    groups: Type.Array(CrashGroup, { description: 'One for each version and build, the newest first.' }),
    days: Type.Array(Type.Object({ datetime: Type.String(), count: Count })),
    models: Values,
    systems: Values,
    countries: Values,
    languages: Values,
    parts: Type.Array(
      Type.Object({ key: Type.String(), count: Count, title: Type.String(), versions: Type.Array(Type.String()) }),
      { description: 'What it was merged from, which it can be split into again.' },
    ),
  },
  { $id: 'DescribedCrashIssue' },
);

export const crashIssues_list = endpoint({
  ...reading,
  id: 'crashIssues_list',
  path: `${at}/crash_issues`,
  summary: 'Lists issues: problems over all versions of the app',
  params: params.app,
  query: Type.Object({
    ...listQuery(issueSorts, 'the type, the message, the class, the method and the file'),
    kind: Type.Optional(Kind),
    state: Type.Optional(State),
    version: Version,
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 3650, description: 'Only those that were seen on the last so many days.' }),
    ),
  }),
  response: json(Page(ListedIssue), { description: 'The issues.' }),
});

export const crashIssues_get = endpoint({
  ...reading,
  id: 'crashIssues_get',
  path: `${at}/crash_issues/{issue_id}`,
  summary: 'Tells about an issue: its versions, and what is counted of it',
  params: params.issue,
  query: Type.Object({
    start: Type.Optional(Range.start),
    end: Range.end,
  }),
  response: json(DescribedIssue, { description: 'The issue; days are those of the range, or of the last 28.' }),
});

export const crashIssues_update = endpoint({
  ...changing,
  id: 'crashIssues_update',
  method: 'PATCH',
  path: `${at}/crash_issues/{issue_id}`,
  summary: 'Opens, closes or ignores an issue in all its versions, or notes something on it',
  description: 'A closed issue that comes back in a newer version opens again.',
  params: params.issue,
  request: json(
    Type.Object({ state: Type.Optional(State), annotation: Type.Optional(Type.String({ maxLength: 4000 })) }),
  ),
  response: json(CrashIssue, { description: 'The issue as it is now.' }),
});

export const crashIssues_listReports = endpoint({
  ...reading,
  id: 'crashIssues_listReports',
  path: `${at}/crash_issues/{issue_id}/reports`,
  summary: 'Lists reports of an issue, the newest first',
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
  summary: 'Makes one issue of several',
  description: 'The others are gone then; their reports, and those to come, belong to this one.',
  params: params.issue,
  request: json(
    Type.Object({
      issue_ids: Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { minItems: 1, maxItems: 50 }),
    }),
  ),
  response: json(CrashIssue, { description: 'The issue as it is now.' }),
});

export const crashIssues_split = endpoint({
  ...changing,
  id: 'crashIssues_split',
  method: 'POST',
  path: `${at}/crash_issues/{issue_id}/split`,
  summary: 'Takes parts that were merged out of an issue again',
  params: params.issue,
  request: json(
    Type.Object({ keys: Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { minItems: 1, maxItems: 50 }) }),
  ),
  response: json(Type.Array(CrashIssue), { description: 'The issues that were made of them.' }),
});

const Words = Type.Optional(Type.String({ maxLength: 4096 }));

/** As many groups as one request may tell of. */
export const MOST_AWAITED_GROUPS = 500;

export const crashGroups_await = endpoint({
  ...changing,
  id: 'crashGroups_await',
  method: 'POST',
  path: `${at}/awaited_crash_groups`,
  summary: 'Tells the state and the note that groups of crashes and errors had on another server',
  description:
    'Groups are known by what lists of them show: version, build, type, class and method, and by the message where both are empty. Those that are here have it at once; the others have it from their first report on, and nobody is told that they are new. Of several that look alike, the last counts.',
  params: params.app,
  request: json(
    Type.Object({
      groups: Type.Array(
        Type.Object({
          appVersion: Type.String({ maxLength: 256 }),
          appBuild: Version,
          exceptionType: Words,
          exceptionClassName: Words,
          exceptionMethod: Words,
          exceptionMessage: Words,
          state: State,
          annotation: Type.Optional(Type.String({ maxLength: 4000 })),
        }),
        { minItems: 1, maxItems: MOST_AWAITED_GROUPS },
      ),
    }),
  ),
  response: json(
    Type.Object({
      applied: Type.Integer({ minimum: 0, description: 'Groups that are here.' }),
      waiting: Type.Integer({
        minimum: 0,
        description: 'Those that no report has come of, and that differ from a new one.',
      }),
    }),
    { description: 'What became of them.' },
  ),
});

const Rules = Type.Array(
  Type.Object({
    kind: Type.Enum(['skip', 'ours', 'theirs', 'message'], {
      description:
        'skip: such frames do not count. ours, theirs: they are code of the app, or not. message: exceptions of such a type are also told apart by their message.',
    }),
    pattern: Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'What stands for the whole class and method, the file or the binary; for message the type. * is anything.',
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
  summary: 'Shows by which rules of its own an app groups its reports',
  params: params.app,
  response: json(RuleList, { description: 'The rules.' }),
});

export const crashGrouping_update = endpoint({
  ...changing,
  access: 'app:manager',
  id: 'crashGrouping_update',
  method: 'PUT',
  path: `${at}/crash_grouping`,
  summary: 'Says by which rules of its own an app groups its reports',
  description: 'Those that are there are grouped anew in the background.',
  params: params.app,
  request: json(RuleList),
  response: json(RuleList, { description: 'The rules.' }),
});

export const crashGrouping_preview = endpoint({
  ...reading,
  method: 'POST',
  id: 'crashGrouping_preview',
  path: `${at}/crash_grouping/preview`,
  summary: 'Shows what rules would do to the last 1,000 reports',
  params: params.app,
  request: json(RuleList),
  response: json(
    Type.Object({
      reports: Count,
      before: Type.Integer({ minimum: 0, description: 'How many issues there are among them now.' }),
      after: Type.Integer({ minimum: 0, description: 'How many there would be.' }),
      merged: Changes,
      split: Changes,
    }),
    { description: 'What would change; nothing has.' },
  ),
});

const MostUsed = (of: string) => ({ ...Values, description: `${of}, those of most reports first; at most 50.` });

export const crashReports_listValues = endpoint({
  ...reading,
  id: 'crashReports_listValues',
  path: `${at}/crash_reports/values`,
  summary: 'Lists what the newest reports can be searched by',
  description: 'Of the newest 5,000 reports. Names are those that the filter of a search takes.',
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
          description: 'Properties that the app gave, with their values; at most 50.',
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
  summary: 'Lists reports that could not be processed, with the reason',
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
    { description: 'The reports, the newest first.' },
  ),
});

export const reprocessingReasons = ['requested', 'rules', 'symbols'] as const;

export const crashReports_listReprocessing = endpoint({
  ...reading,
  id: 'crashReports_listReprocessing',
  path: `${at}/crash_reports/reprocessing`,
  summary: 'Tells how far it is when reports are processed again',
  description: 'Because somebody asked for it, rules of grouping were changed, or symbols came; of the last day.',
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
    { description: 'The latest first, at most 20.' },
  ),
});

export const crashReports_reprocess = endpoint({
  ...changing,
  id: 'crashReports_reprocess',
  method: 'POST',
  path: `${at}/crash_reports/reprocess`,
  summary: 'Processes reports again: of an issue, those that failed, or all',
  params: params.app,
  request: json(
    Type.Object({
      issue_id: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
      failed: Type.Optional(Type.Boolean({ description: 'Only those that could not be processed.' })),
    }),
  ),
  response: json(Type.Object({ message: Type.String() }), {
    status: 202,
    description: 'It is done in the background.',
  }),
});

export const crashOverview_get = endpoint({
  ...reading,
  id: 'crashOverview_get',
  path: `${at}/crash_overview`,
  summary: 'Tells how stable an app is: shares of devices and sessions without a crash, by day and by version',
  params: params.app,
  query: Type.Object({ ...Range, version: Version }),
  response: json(
    Type.Object({
      crash_count: Count,
      error_count: Count,
      crash_free_devices: Type.Number({ description: 'Percent.' }),
      crash_free_sessions: Type.Number({ description: 'Percent; a crash ends its session.' }),
      days: Type.Array(
        Type.Object({
          datetime: Type.String(),
          crashes: Count,
          errors: Count,
          sessions: Count,
          crash_free_devices: Type.Number(),
          crash_free_sessions: Type.Number(),
        }),
      ),
      versions: Type.Array(Type.Object({ version: Type.String(), crashes: Count, errors: Count, devices: Count }), {
        description: 'Those that reports of the range came from, the newest first.',
      }),
    }),
    { description: 'The shares and counts.' },
  ),
});

export const crashOverview_listVersions = endpoint({
  ...reading,
  id: 'crashOverview_listVersions',
  path: `${at}/crash_overview/versions`,
  summary: 'Tells how many active devices of each version and build had no crash',
  params: params.app,
  query: Type.Object(Range),
  response: json(
    Type.Array(
      Type.Object({
        version: Type.String(),
        app_build: Type.String(),
        devices: Type.Integer({
          minimum: 1,
          description: 'That were active with it; one whose only sign is a crash is not.',
        }),
        crashed_devices: Count,
        crash_free_devices: Type.Number({ description: 'Percent.' }),
      }),
      { maxItems: 200 },
    ),
    {
      description: 'The versions that most devices have, at most 200; nothing of a version that none was active with.',
    },
  ),
});
