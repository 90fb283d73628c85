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
  Errors_ErrorDownload,
  Errors_ErrorSearch,
  Errors_GroupErrorStackTrace,
  groupStates,
  issueKinds,
  type OutputOf,
} from '@mooring/contract';
import { command } from '../framework/command.ts';
import { wrongUsage } from '../framework/errors.ts';
import { operation, type RowOf } from '../framework/operation.ts';
import type { Column } from '../output.ts';
import { readApp } from '../targets.ts';
import { lastDays, rangeOptions, rounded } from './analytics.ts';
import { app } from './apps.ts';

type Issue = RowOf<typeof crashIssues_list>;
type Report = RowOf<typeof crashIssues_listReports>;
type Found = OutputOf<typeof Errors_ErrorSearch>['errors'][number];
type Stacktrace = OutputOf<typeof Errors_GroupErrorStackTrace>;

const issue = { summary: 'Id of the issue, as `mooring crashes groups` lists it' } as const;
const report = { summary: 'Id of the report, as `mooring crashes reports` lists it' } as const;

const where = ({ class_name, method }: Pick<Issue, 'class_name' | 'method'>): string =>
  [class_name, method].filter(Boolean).join('.');

const issueColumns: Column<Omit<Issue, 'trend'>>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'STATE', value: ({ state, regressed_version }) => (regressed_version ? `${state}, regressed` : state) },
  { header: 'COUNT', value: ({ count }) => count },
  { header: 'DEVICES', value: ({ device_count }) => device_count },
  { header: 'VERSIONS', value: (one) => [...new Set([one.first_version, one.last_version])].join(' – ') },
  { header: 'LAST', value: ({ last_at }) => last_at, isTime: true },
  { header: 'TYPE', value: ({ exception_type }) => exception_type },
  { header: 'WHERE', value: where },
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

/** The frames of the app are marked, as they are what one looks for. */
export function stackLines({ exceptions = [], missing_symbols = [], notes = [] }: Stacktrace): string[] {
  const lines = exceptions.flatMap(({ type, reason, frames }, at) => [
    `${at > 0 ? 'Caused by: ' : ''}${[type, reason].filter(Boolean).join(': ')}`,
    ...frames.map(({ code_formatted, app_code }) => `  ${app_code ? '>' : ' '} ${code_formatted}`),
  ]);
  const lacking = missing_symbols.map(({ message, command }) => (command ? `${message}\n  ${command}` : message));
  return [...lines, ...lacking, ...notes];
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
    summary: 'Lists what broke in an app, over all its versions',
    arguments: { app },
    options: {
      kind: { value: 'KIND', summary: 'Only crashes, or only errors that the app caught', choices: issueKinds },
      state: { value: 'STATE', summary: 'Only those in this state', choices: groupStates },
      version: { value: 'VERSION', summary: 'Only those that were seen in this version' },
    },
    input: ({ args, options: { kind, state, version } }) => ({
      params: readApp(args.app),
      query: { ...(kind ? { kind } : {}), ...(state ? { state } : {}), ...(version ? { version } : {}) },
    }),
    columns: issueColumns,
  }),
  command({
    name: 'crashes show',
    summary: 'Shows what broke: how often, in which versions, and where in the code',
    arguments: { app, issue },
    async run({ args, out, connect }) {
      const { call } = connect();
      const params = readApp(args.app);
      const found = await call(crashIssues_get, { params: { ...params, issue_id: args.issue }, query: {} });
      const [group] = found.groups;
      const errorGroupId = group?.crash_group_id ?? '';
      const stack = await call(Errors_GroupErrorStackTrace, { params: { ...params, errorGroupId } });
      out.record({ ...found, stacktrace: stack }, found, [
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
    endpoint: crashIssues_listReports,
    arguments: { app, issue },
    input: ({ args }) => ({ params: { ...readApp(args.app), issue_id: args.issue } }),
    columns: reportColumns,
  }),
  command({
    name: 'crashes search',
    summary: 'Finds single reports by a word, an id, or whatever a filter compares',
    arguments: { app, text: { summary: 'Words, or the id of a report, a user or an installation', optional: true } },
    options: {
      filter: { value: 'FILTER', summary: "Such as \"appVersion eq '1.4.0' and property.plan eq 'pro'\"" },
      top: { value: 'N', summary: 'At most so many, 100 unless told' },
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
        { header: 'TYPE', value: ({ exceptionType }: Found) => exceptionType },
      ]);
      if (hasMoreResults) out.note('There are more; say more of what you look for, or give --top.');
    },
  }),
  command({
    name: 'crashes download',
    summary: 'Prints a report: as text, or the log as it came',
    arguments: { app, issue, report },
    options: { raw: { summary: 'The log as the device sent it, as JSON' } },
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
      throw wrongUsage(`The issue has no report "${args.report}"; \`mooring crashes reports\` lists them.`);
    },
  }),
  changed('close', 'closed', 'Closes an issue in all its versions; it opens again if it comes back in a newer one'),
  changed('open', 'open', 'Opens an issue again'),
  changed('ignore', 'ignored', 'Ignores an issue, also in versions to come'),
  operation({
    name: 'crashes merge',
    endpoint: crashIssues_merge,
    arguments: { app, issue, others: { summary: 'Ids of the issues that belong to it', many: true } },
    input: ({ args }) => ({
      params: { ...readApp(args.app), issue_id: args.issue },
      body: { issue_ids: args.others },
    }),
    columns: issueColumns,
  }),
  operation({
    name: 'crashes failed',
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
    endpoint: crashOverview_listVersions,
    arguments: { app },
    options: { days: rangeOptions.days },
    input: ({ args, options: { days } }) => ({ params: readApp(args.app), query: lastDays(days) }),
    columns: [
      { header: 'VERSION', value: ({ version, app_build }) => `${version} (${app_build})` },
      { header: 'DEVICES', value: ({ devices }) => devices },
      { header: 'CRASHED', value: ({ crashed_devices }) => crashed_devices },
      { header: 'WITHOUT A CRASH', value: ({ crash_free_devices }) => `${rounded(crash_free_devices)} %` },
    ],
  }),
  operation({
    name: 'crashes reprocessing',
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
    endpoint: crashReports_reprocess,
    arguments: { app, issue: { ...issue, optional: true } },
    options: { failed: { summary: 'Only those that could not be processed' } },
    input: ({ args, options: { failed } }) => ({
      params: readApp(args.app),
      body: { ...(args.issue ? { issue_id: args.issue } : {}), ...(failed ? { failed } : {}) },
    }),
    line: ({ message }) => message,
  }),
];
