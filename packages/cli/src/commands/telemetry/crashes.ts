import {
  crashes_getNativeCrash,
  crashIssues_get,
  crashIssues_list,
  crashIssues_listReports,
  crashIssues_merge,
  crashIssues_update,
  crashOverview_listVersions,
  crashReports_listFailed,
  crashReports_listReprocessing,
  crashReports_reprocess,
  type EndpointOutput,
  Errors_ErrorDownload,
  Errors_ErrorSearch,
  Errors_GroupErrorStackTrace,
  groupStates,
  issueKinds,
} from '@mooring/contract';
import { app, readApp } from '../../arguments/targets.ts';
import { command } from '../../framework/command.ts';
import { wrongUsage } from '../../framework/errors.ts';
import { operation, type Row } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';
import { lastDays, rangeOptions, rounded } from './analytics.ts';

type Issue = Row<typeof crashIssues_list>;
type Report = Row<typeof crashIssues_listReports>;
type ErrorMatch = EndpointOutput<typeof Errors_ErrorSearch>['errors'][number];
type Stacktrace = EndpointOutput<typeof Errors_GroupErrorStackTrace>;

const issue = { summary: 'Issue ID, as in "mooring crashes groups"' } as const;
const report = { summary: 'Report ID, as in "mooring crashes reports"' } as const;

const formatLocation = ({ class_name, method }: Pick<Issue, 'class_name' | 'method'>): string =>
  [class_name, method].filter(Boolean).join('.');

const issueColumns: Column<Omit<Issue, 'trend'>>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'STATE', value: ({ state, regressed_version }) => (regressed_version ? `${state}, regressed` : state) },
  { header: 'COUNT', value: ({ count }) => count },
  { header: 'DEVICES', value: ({ device_count }) => device_count },
  { header: 'VERSIONS', value: (one) => [...new Set([one.first_version, one.last_version])].join(' – ') },
  { header: 'LAST SEEN', value: ({ last_at }) => last_at, isTime: true },
  { header: 'TYPE', value: ({ exception_type }) => exception_type },
  { header: 'LOCATION', value: formatLocation },
];

const reportColumns: Column<Report>[] = [
  { header: 'ID', value: ({ errorId }) => errorId },
  { header: 'TIME', value: ({ timestamp }) => timestamp, isTime: true },
  { header: 'VERSION', value: ({ appVersion, appBuild }) => `${appVersion ?? ''} (${appBuild ?? ''})` },
  { header: 'DEVICE', value: ({ deviceName }) => deviceName },
  { header: 'OS', value: ({ osType, osVersion }) => [osType, osVersion].filter(Boolean).join(' ') },
  { header: 'USER', value: ({ userId }) => userId },
  { header: 'ATTACHMENTS', value: ({ hasAttachments }) => hasAttachments },
];

/** Marks frames of the app with `>`, as they usually contain the cause. */
export function stackLines({ exceptions = [], missing_symbols = [], notes = [] }: Stacktrace): string[] {
  const lines = exceptions.flatMap(({ type, reason, frames }, at) => [
    `${at > 0 ? 'Caused by: ' : ''}${[type, reason].filter(Boolean).join(': ')}`,
    ...frames.map(({ code_formatted, app_code }) => `  ${app_code ? '>' : ' '} ${code_formatted}`),
  ]);
  const missing = missing_symbols.map(({ message, command }) => (command ? `${message}\n  ${command}` : message));
  return [...lines, ...missing, ...notes];
}

const changed = (name: string, state: (typeof groupStates)[number], summary: string) =>
  operation({
    name: `crashes ${name}`,
    endpoint: crashIssues_update,
    summary,
    arguments: { app, issue },
    input: ({ args }) => ({ params: { ...readApp(args.app), issue_id: args.issue }, body: { state } }),
    columns: issueColumns,
  });

export const crashesCommands = [
  operation({
    name: 'crashes groups',
    endpoint: crashIssues_list,
    summary: 'List the crash and error issues of an app, across versions',
    arguments: { app },
    options: {
      kind: { value: 'KIND', summary: 'Filter by kind: crashes, handled errors or app hangs', choices: issueKinds },
      state: { value: 'STATE', summary: 'Filter by state', choices: groupStates },
      version: { value: 'VERSION', summary: 'Filter by app version' },
    },
    input: ({ args, options: { kind, state, version } }) => ({
      params: readApp(args.app),
      query: { ...(kind ? { kind } : {}), ...(state ? { state } : {}), ...(version ? { version } : {}) },
    }),
    columns: issueColumns,
  }),
  command({
    name: 'crashes show',
    summary: 'Show an issue: count, versions and stack trace',
    arguments: { app, issue },
    async run({ args, out, connect }) {
      const { call } = connect();
      const params = readApp(args.app);
      const issue = await call(crashIssues_get, { params: { ...params, issue_id: args.issue }, query: {} });
      const [group] = issue.groups;
      const errorGroupId = group?.crash_group_id ?? '';
      const stack = await call(Errors_GroupErrorStackTrace, { params: { ...params, errorGroupId } });
      out.record({ ...issue, stacktrace: stack }, issue, [
        ...issueColumns,
        { header: 'MESSAGE', value: ({ message }) => message },
        { header: 'NOTE', value: ({ annotation }) => annotation },
        {
          header: 'STACK',
          value: () => stackLines(stack).join(' | '),
          forPeople: true,
        },
      ]);
      for (const line of stackLines(stack)) out.note(line);
    },
  }),
  operation({
    name: 'crashes reports',
    summary: 'List the reports of an issue, newest first',
    endpoint: crashIssues_listReports,
    arguments: { app, issue },
    input: ({ args }) => ({ params: { ...readApp(args.app), issue_id: args.issue } }),
    columns: reportColumns,
  }),
  command({
    name: 'crashes search',
    summary: 'Find reports by text, ID or filter',
    arguments: { app, text: { summary: 'Text, or the ID of a report, user or device', optional: true } },
    options: {
      filter: {
        value: 'FILTER',
        summary: "Filter expression, such as \"appVersion eq '1.4.0' and property.plan eq 'pro'\"",
      },
      top: { value: 'N', summary: 'Maximum number of results (default 100)' },
    },
    async run({ args, options, out, connect }) {
      const { call } = connect();
      const query = {
        ...(args.text ? { q: args.text } : {}),
        ...(options.filter ? { filter: options.filter } : {}),
        ...(options.top ? { $top: Number(options.top) } : {}),
      };
      const { errors, hasMoreResults } = await call(Errors_ErrorSearch, { params: readApp(args.app), query });
      out.table(errors, errors, [
        ...reportColumns,
        { header: 'TYPE', value: ({ exceptionType }: ErrorMatch) => exceptionType },
      ]);
      if (hasMoreResults) out.note('More reports exist. Narrow the search, or use --top.');
    },
  }),
  command({
    name: 'crashes download',
    summary: 'Print a report as text, or the original log',
    arguments: { app, issue, report },
    options: { raw: { summary: 'Print the log as the device sent it, as JSON' } },
    async run({ args, options, out, connect }) {
      const { call } = connect();
      const params = readApp(args.app);
      const { groups } = await call(crashIssues_get, { params: { ...params, issue_id: args.issue }, query: {} });
      for (const { crash_group_id } of groups) {
        const at = { ...params, crash_group_id, crash_id: args.report };
        const text = await call(crashes_getNativeCrash, { params: at }).catch((error: { status?: number }) => {
          if (error.status !== 404) throw error;
        });
        if (text === undefined) continue;
        const error = { ...params, errorGroupId: crash_group_id, errorId: args.report };
        out.text(options.raw ? await call(Errors_ErrorDownload, { params: error, query: {} }) : text);
        return;
      }
      throw wrongUsage(`The issue has no report "${args.report}". List its reports with "mooring crashes reports".`);
    },
  }),
  changed('close', 'closed', 'Close an issue; it reopens if it occurs in a newer version'),
  changed('open', 'open', 'Reopen an issue'),
  changed('ignore', 'ignored', 'Ignore an issue in all current and future versions'),
  operation({
    name: 'crashes merge',
    summary: 'Merge issues into one',
    endpoint: crashIssues_merge,
    arguments: { app, issue, others: { summary: 'IDs of the issues to merge into it', many: true } },
    input: ({ args }) => ({
      params: { ...readApp(args.app), issue_id: args.issue },
      body: { issue_ids: args.others },
    }),
    columns: issueColumns,
  }),
  operation({
    name: 'crashes failed',
    summary: "List the reports that couldn't be processed, with the reason",
    endpoint: crashReports_listFailed,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app), query: {} }),
    columns: [
      { header: 'ID', value: ({ id }) => id },
      { header: 'TIME', value: ({ at }) => at, isTime: true },
      { header: 'VERSION', value: ({ version, build }) => `${version} (${build})` },
      { header: 'REASON', value: ({ reason }) => reason },
    ],
  }),
  operation({
    name: 'crashes versions',
    summary: 'List the share of crash-free devices by version and build',
    endpoint: crashOverview_listVersions,
    arguments: { app },
    options: { days: rangeOptions.days },
    input: ({ args, options: { days } }) => ({ params: readApp(args.app), query: lastDays(days) }),
    columns: [
      { header: 'VERSION', value: ({ version, app_build }) => `${version} (${app_build})` },
      { header: 'DEVICES', value: ({ devices }) => devices },
      { header: 'CRASHED', value: ({ crashed_devices }) => crashed_devices },
      { header: 'CRASH-FREE', value: ({ crash_free_devices }) => `${rounded(crash_free_devices)}%` },
    ],
  }),
  operation({
    name: 'crashes reprocessing',
    summary: 'Show the progress of processing reports again',
    endpoint: crashReports_listReprocessing,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns: [
      { header: 'STARTED', value: ({ started_at }) => started_at, isTime: true },
      { header: 'REASON', value: ({ reason }) => reason },
      { header: 'DONE', value: ({ done, total }) => `${done} of ${total}` },
      { header: 'ENDED', value: ({ ended_at }) => ended_at, isTime: true },
    ],
  }),
  operation({
    name: 'crashes reprocess',
    summary: 'Process reports again: of an issue, failed ones, or all',
    endpoint: crashReports_reprocess,
    arguments: { app, issue: { ...issue, optional: true } },
    options: { failed: { summary: 'Only reports that failed to process' } },
    input: ({ args, options: { failed } }) => ({
      params: readApp(args.app),
      body: { ...(args.issue ? { issue_id: args.issue } : {}), ...(failed ? { failed } : {}) },
    }),
    line: ({ message }) => message,
  }),
];
