import {
  analytics_breakdown,
  analytics_deleteInstall,
  analytics_deleteUser,
  analytics_funnel,
  analytics_getStorage,
  analytics_limits,
  analytics_listDeletions,
  analytics_retention,
  analytics_searchLogs,
  analytics_sessionPaths,
  analytics_updateStorage,
  chartDimensions,
  chartIntervals,
  chartMeasures,
  type EndpointOutput,
  RETENTION_DAYS,
} from '@mooring/contract';
import { app, readApp } from '../../arguments/targets.ts';
import { command } from '../../framework/command.ts';
import { wrongUsage } from '../../framework/errors.ts';
import { operation } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';
import { event, rangeOptions, toRange } from './analytics.ts';

const percent = (share: number): string => `${Math.round(share * 1000) / 10}%`;
const HOUR = 3600;
const MAX_HOURS = 90 * 24;

/** Converts hours to seconds. */
export function readHours(text: string | undefined): { within_seconds?: number } {
  if (text === undefined) return {};
  const hours = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (hours < 1 || hours > MAX_HOURS) throw wrongUsage(`--within must be from 1 to ${MAX_HOURS} hours, not "${text}".`);
  return { within_seconds: hours * HOUR };
}

type Step = EndpointOutput<typeof analytics_funnel>['steps'][number];
const stepColumns: Column<Step>[] = [
  { header: 'STEP', value: ({ event }) => event },
  { header: 'DEVICES', value: ({ device_count }) => device_count },
  { header: '% OF FIRST', value: ({ of_first }) => percent(of_first) },
  { header: '% OF PREVIOUS', value: ({ of_previous }) => percent(of_previous) },
];

type Cohort = EndpointOutput<typeof analytics_retention>['cohorts'][number];
const cohortColumns: Column<Cohort>[] = [
  { header: 'FIRST SEEN', value: ({ datetime }) => datetime.slice(0, 10) },
  { header: 'DEVICES', value: ({ device_count }) => device_count },
  { header: 'RETURNED', value: ({ active_counts }) => active_counts.slice(1).join(' ') },
];

type Group = EndpointOutput<typeof analytics_breakdown>['groups'][number];
type Path = EndpointOutput<typeof analytics_sessionPaths>['paths'][number];
type LogMatch = EndpointOutput<typeof analytics_searchLogs>['logs'][number];
type Limit = EndpointOutput<typeof analytics_limits>['limits'][number];

const logColumns: Column<LogMatch>[] = [
  { header: 'TIME', value: ({ timestamp }) => timestamp },
  { header: 'NAME', value: ({ name }) => name },
  { header: 'VERSION', value: ({ device }) => device.app_version },
  { header: 'INSTALL', value: ({ install_id }) => install_id },
  {
    header: 'PROPERTIES',
    value: ({ properties }) =>
      Object.entries(properties)
        .map(([name, value]) => `${name}=${value}`)
        .join(' '),
  },
];

type Storage = EndpointOutput<typeof analytics_getStorage>;
const storageColumns: Column<Storage>[] = [
  { header: 'DAYS', value: ({ retention_days }) => retention_days },
  { header: 'SET BY', value: ({ is_own }) => (is_own ? 'app' : 'server') },
  { header: 'LOGS', value: ({ log_count }) => log_count },
  { header: 'BYTES', value: ({ bytes }) => bytes },
  { header: 'OLDEST', value: ({ oldest_day }) => oldest_day },
  { header: 'NEWEST', value: ({ newest_day }) => newest_day },
];

/** Reads a number of days; null restores the default of the server. */
export function readRetention(text: string): number | null {
  if (text === 'default') return null;
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  const { minimum, maximum } = RETENTION_DAYS;
  if (days < minimum || days > maximum)
    throw wrongUsage(`<days> must be a number from ${minimum} to ${maximum} or "default", not "${text}".`);
  return days;
}

const install = { summary: 'Install ID of the device, as in logs' } as const;

export const exploreCommands = [
  command({
    name: 'analytics breakdown',
    summary: 'Count devices, sessions, events or crashes by up to two dimensions, highest first',
    arguments: { app, measure: { summary: 'Measure', choices: chartMeasures } },
    options: {
      ...rangeOptions,
      by: {
        value: 'LIST',
        summary: `One or two dimensions, comma-separated: ${chartDimensions.join(', ')}, event, property:NAME`,
      },
      event: { value: 'NAME', summary: 'Filter by event' },
      interval: { value: 'TIME', summary: 'Interval of the counts (with --json)', choices: chartIntervals },
    },
    async run({ args, options, out, connect }) {
      const { versions, ...range } = toRange(options);
      const by = options.by?.split(',') ?? [];
      const response = await connect().call(analytics_breakdown, {
        params: readApp(args.app),
        query: {
          ...range,
          start: `${range.start.slice(0, 10)}T00:00:00Z`,
          measure: args.measure,
          by,
          ...(versions === undefined ? {} : { versions }),
          ...(options.event === undefined ? {} : { event: options.event }),
          ...(options.interval === undefined ? {} : { interval: options.interval }),
          $top: 200,
        },
      });
      const all: Group = { values: ['all'], total: response.total, counts: response.counts };
      const columns: Column<Group>[] = [
        ...(by.length > 0 ? by : ['']).map((name, at) => ({
          header: name.toUpperCase() || 'GROUP',
          value: ({ values }: Group) => values[at],
        })),
        { header: args.measure.toUpperCase(), value: ({ total }) => total },
      ];
      out.table(response, by.length > 0 ? response.groups : [all], columns);
    },
  }),
  command({
    name: 'analytics funnel',
    summary: 'Count the devices that completed a sequence of events',
    arguments: { app, event: { ...event, summary: 'Names of events, in order', many: true } },
    options: {
      ...rangeOptions,
      within: { value: 'HOURS', summary: 'Maximum hours from the first to the last event (default 168)' },
    },
    async run({ args, options, out, connect }) {
      const response = await connect().call(analytics_funnel, {
        params: readApp(args.app),
        body: {
          ...toRange(options),
          ...readHours(options.within),
          steps: args.event.map((name) => ({ event: name })),
        },
      });
      out.table(response, response.steps, stepColumns);
    },
  }),
  command({
    name: 'analytics retention',
    summary: 'Show how many devices return, by the time they were first seen',
    arguments: { app },
    options: {
      ...rangeOptions,
      interval: { value: 'TIME', summary: 'Length of an interval (default P1W)', choices: ['P1D', 'P1W', 'P30D'] },
    },
    async run({ args, options, out, connect }) {
      const query = { ...toRange(options), interval: options.interval ?? ('P1W' as const) };
      const response = await connect().call(analytics_retention, { params: readApp(args.app), query });
      out.table(response, response.cohorts, cohortColumns);
    },
  }),
  command({
    name: 'analytics paths',
    summary: 'List the most common sequences of events and pages in sessions',
    arguments: { app },
    options: { ...rangeOptions, from: { value: 'NAME', summary: 'Start with the first event or page of this name' } },
    async run({ args, options, out, connect }) {
      const query = { ...toRange(options), ...(options.from === undefined ? {} : { from: options.from }) };
      const response = await connect().call(analytics_sessionPaths, { params: readApp(args.app), query });
      const columns: Column<Path>[] = [
        { header: 'SESSIONS', value: ({ session_count }) => session_count },
        { header: 'PATH', value: ({ names }) => names.join(' → ') },
      ];
      out.table(response, response.paths, columns);
    },
  }),
  command({
    name: 'analytics search',
    summary: 'Find events and pages, newest first',
    arguments: { app },
    options: {
      ...rangeOptions,
      event: { value: 'NAME', summary: 'Filter by event' },
      install: { value: 'ID', summary: 'Filter by the install ID of the device' },
      user: { value: 'ID', summary: 'Filter by user ID' },
      session: { value: 'ID', summary: 'Filter by session ID, from the SDK or from logs' },
      property: { value: 'NAME=VALUE', summary: 'Filter by property, or by property and value' },
    },
    async run({ args, options, out, connect }) {
      const { versions, start, end } = toRange(options);
      const [property, ...value] = options.property?.split('=') ?? [];
      const response = await connect().call(analytics_searchLogs, {
        params: readApp(args.app),
        query: {
          start: `${start.slice(0, 10)}T00:00:00Z`,
          end,
          ...(versions === undefined ? {} : { versions }),
          ...(options.event === undefined ? {} : { event: options.event }),
          ...(options.install === undefined ? {} : { install_id: options.install }),
          ...(options.user === undefined ? {} : { user_id: options.user }),
          ...(options.session === undefined ? {} : { session_id: options.session }),
          ...(property === undefined ? {} : { property }),
          ...(value.length === 0 ? {} : { value: value.join('=') }),
          $top: 200,
        },
      });
      out.table(response, response.logs, logColumns);
      if (response.has_more) out.note('More results exist. Reduce --days, or add a filter.');
    },
  }),
  command({
    name: 'analytics limits',
    summary: 'Show the limits of analytics, and how often they were exceeded in 28 days',
    arguments: { app },
    async run({ args, out, connect }) {
      const response = await connect().call(analytics_limits, { params: readApp(args.app) });
      const columns: Column<Limit>[] = [
        { header: 'LIMIT', value: ({ name }) => name },
        { header: 'VALUE', value: ({ value }) => (value === 0 ? 'none' : value) },
        { header: 'EXCEEDED', value: ({ exceeded_count }) => exceeded_count },
        { header: 'SETTING', value: ({ setting }) => setting },
      ];
      out.table(response, response.limits, columns);
    },
  }),
  operation({
    name: 'analytics storage',
    summary: 'Show the amount of stored telemetry of an app and its retention',
    endpoint: analytics_getStorage,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns: storageColumns,
  }),
  operation({
    name: 'analytics data-retention',
    aliases: ['analytics keep'],
    endpoint: analytics_updateStorage,
    summary: 'Set the retention of telemetry of an app in days; older data is deleted',
    arguments: { app, days: { summary: 'Number of days, or "default" for the setting of the server' } },
    input: ({ args }) => ({ params: readApp(args.app), body: { retention_days: readRetention(args.days) } }),
    columns: storageColumns,
    confirm: ({ args }) =>
      `Delete telemetry of ${args.app} that is older than ${args.days === 'default' ? 'the default of the server' : `${args.days} days`}?`,
  }),
  operation({
    name: 'analytics deletions',
    summary: 'Show the progress of telemetry deletions',
    endpoint: analytics_listDeletions,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns: [
      { header: 'KIND', value: ({ kind }) => kind },
      { header: 'ID', value: ({ value }) => value },
      { header: 'REQUESTED', value: ({ requested_at }) => requested_at },
      { header: 'FILES', value: ({ file_count }) => file_count },
      { header: 'REMAINING', value: ({ files_left }) => files_left },
      { header: 'OLD FILES', value: ({ former_files }) => former_files },
    ],
  }),
  operation({
    name: 'analytics delete-install',
    endpoint: analytics_deleteInstall,
    summary: 'Delete all data of a device so far; new data is stored again',
    arguments: { app, install },
    input: ({ args }) => ({ params: { ...readApp(args.app), install_id: args.install } }),
    confirm: ({ args }) => `Delete all data of the device ${args.install} in ${args.app}?`,
    done: ({ args }) => `Deleted the data of device ${args.install}.`,
  }),
  operation({
    name: 'analytics delete-user',
    endpoint: analytics_deleteUser,
    summary: 'Delete all data of a user of the app so far; new data is stored again',
    arguments: { app, user: { summary: 'ID that the app assigned to the user' } },
    input: ({ args }) => ({ params: { ...readApp(args.app), user_id: args.user } }),
    confirm: ({ args }) => `Delete all data of the user ${args.user} in ${args.app}?`,
    done: ({ args }) => `Deleted the data of user ${args.user}.`,
  }),
];
