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
  type OutputOf,
  RETENTION_DAYS,
} from '@mooring/contract';
import { command } from '../framework/command.ts';
import { wrongUsage } from '../framework/errors.ts';
import { operation } from '../framework/operation.ts';
import type { Column } from '../output.ts';
import { readApp } from '../targets.ts';
import { event, rangeOf, rangeOptions } from './analytics.ts';
import { app } from './apps.ts';

const percent = (share: number): string => `${Math.round(share * 1000) / 10}%`;
const HOUR = 3600;
const MOST_HOURS = 90 * 24;

/** Hours, as seconds. */
export function readHours(text: string | undefined): { within_seconds?: number } {
  if (text === undefined) return {};
  const hours = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (hours < 1 || hours > MOST_HOURS) throw wrongUsage(`--within must be 1 to ${MOST_HOURS} hours, not "${text}".`);
  return { within_seconds: hours * HOUR };
}

type Step = OutputOf<typeof analytics_funnel>['steps'][number];
const stepColumns: Column<Step>[] = [
  { header: 'STEP', value: ({ event }) => event },
  { header: 'DEVICES', value: ({ device_count }) => device_count },
  { header: 'OF FIRST', value: ({ of_first }) => percent(of_first) },
  { header: 'OF BEFORE', value: ({ of_previous }) => percent(of_previous) },
];

type Cohort = OutputOf<typeof analytics_retention>['cohorts'][number];
const cohortColumns: Column<Cohort>[] = [
  { header: 'FIRST SEEN', value: ({ datetime }) => datetime.slice(0, 10) },
  { header: 'DEVICES', value: ({ device_count }) => device_count },
  { header: 'CAME BACK', value: ({ active_counts }) => active_counts.slice(1).join(' ') },
];

type Group = OutputOf<typeof analytics_breakdown>['groups'][number];
type Path = OutputOf<typeof analytics_sessionPaths>['paths'][number];
type Found = OutputOf<typeof analytics_searchLogs>['logs'][number];
type Limit = OutputOf<typeof analytics_limits>['limits'][number];

const logColumns: Column<Found>[] = [
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

type Storage = OutputOf<typeof analytics_getStorage>;
const storageColumns: Column<Storage>[] = [
  { header: 'DAYS', value: ({ retention_days }) => retention_days },
  { header: 'SAID BY', value: ({ is_own }) => (is_own ? 'app' : 'server') },
  { header: 'LOGS', value: ({ log_count }) => log_count },
  { header: 'BYTES', value: ({ bytes }) => bytes },
  { header: 'OLDEST', value: ({ oldest_day }) => oldest_day },
  { header: 'NEWEST', value: ({ newest_day }) => newest_day },
];

/** Days, or what takes back that the app says something of its own. */
export function readRetention(text: string): number | null {
  if (text === 'default') return null;
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  const { minimum, maximum } = RETENTION_DAYS;
  if (days < minimum || days > maximum)
    throw wrongUsage(`Days must be a number from ${minimum} to ${maximum}, or "default", not "${text}".`);
  return days;
}

const install = { summary: 'Id of the installation, as logs show it' } as const;

export const exploreCommands = [
  command({
    name: 'analytics breakdown',
    summary: 'Counts devices, sessions, events or crashes by up to two things, most first',
    arguments: { app, measure: { summary: 'What to count', choices: chartMeasures } },
    options: {
      ...rangeOptions,
      by: { value: 'LIST', summary: `One or two of ${chartDimensions.join(', ')}, event, property:NAME, with a comma` },
      event: { value: 'NAME', summary: 'Only this event' },
      interval: { value: 'TIME', summary: 'With --json: counts for each', choices: chartIntervals },
    },
    async run({ args, options, out, connect }) {
      const { versions, ...range } = rangeOf(options);
      const by = options.by?.split(',') ?? [];
      const answer = await connect().call(analytics_breakdown, {
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
      const all: Group = { values: ['all'], total: answer.total, counts: answer.counts };
      const columns: Column<Group>[] = [
        ...(by.length > 0 ? by : ['']).map((name, at) => ({
          header: name.toUpperCase() || 'WHAT',
          value: ({ values }: Group) => values[at],
        })),
        { header: args.measure.toUpperCase(), value: ({ total }) => total },
      ];
      out.table(answer, by.length > 0 ? answer.groups : [all], columns);
    },
  }),
  command({
    name: 'analytics funnel',
    summary: 'Counts the devices that did one thing after the other',
    arguments: { app, event: { ...event, summary: 'Names of events, in order', many: true } },
    options: {
      ...rangeOptions,
      within: { value: 'HOURS', summary: 'From the first to the last at most (default 168)' },
    },
    async run({ args, options, out, connect }) {
      const answer = await connect().call(analytics_funnel, {
        params: readApp(args.app),
        body: {
          ...rangeOf(options),
          ...readHours(options.within),
          steps: args.event.map((name) => ({ event: name })),
        },
      });
      out.table(answer, answer.steps, stepColumns);
    },
  }),
  command({
    name: 'analytics retention',
    summary: 'Shows how many devices come back, by when they were first seen',
    arguments: { app },
    options: {
      ...rangeOptions,
      interval: { value: 'TIME', summary: 'How long a bucket is (default P1W)', choices: ['P1D', 'P1W', 'P30D'] },
    },
    async run({ args, options, out, connect }) {
      const query = { ...rangeOf(options), interval: options.interval ?? ('P1W' as const) };
      const answer = await connect().call(analytics_retention, { params: readApp(args.app), query });
      out.table(answer, answer.cohorts, cohortColumns);
    },
  }),
  command({
    name: 'analytics paths',
    summary: 'Lists what happens in sessions, one event or page after the other',
    arguments: { app },
    options: { ...rangeOptions, from: { value: 'NAME', summary: 'Begin with the first of this name' } },
    async run({ args, options, out, connect }) {
      const query = { ...rangeOf(options), ...(options.from === undefined ? {} : { from: options.from }) };
      const answer = await connect().call(analytics_sessionPaths, { params: readApp(args.app), query });
      const columns: Column<Path>[] = [
        { header: 'SESSIONS', value: ({ session_count }) => session_count },
        { header: 'PATH', value: ({ names }) => names.join(' → ') },
      ];
      out.table(answer, answer.paths, columns);
    },
  }),
  command({
    name: 'analytics search',
    summary: 'Finds single events and pages, newest first',
    arguments: { app },
    options: {
      ...rangeOptions,
      event: { value: 'NAME', summary: 'Only this event' },
      install: { value: 'ID', summary: 'Only of this installation' },
      user: { value: 'ID', summary: 'Only of this user of the app' },
      session: { value: 'ID', summary: 'Only of this session, by the id that the SDK gave it or that logs show' },
      property: { value: 'NAME=VALUE', summary: 'Only with this property, or with this value of it' },
    },
    async run({ args, options, out, connect }) {
      const { versions, start, end } = rangeOf(options);
      const [property, ...value] = options.property?.split('=') ?? [];
      const answer = await connect().call(analytics_searchLogs, {
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
      out.table(answer, answer.logs, logColumns);
      if (answer.has_more) out.note('There are more; ask for fewer days, or for less.');
    },
  }),
  command({
    name: 'analytics limits',
    summary: 'Shows the limits of analytics, and how often something was cut in 28 days',
    arguments: { app },
    async run({ args, out, connect }) {
      const answer = await connect().call(analytics_limits, { params: readApp(args.app) });
      const columns: Column<Limit>[] = [
        { header: 'LIMIT', value: ({ name }) => name },
        { header: 'VALUE', value: ({ value }) => (value === 0 ? 'none' : value) },
        { header: 'CUT', value: ({ exceeded_count }) => exceeded_count },
        { header: 'SETTING', value: ({ setting }) => setting },
      ];
      out.table(answer, answer.limits, columns);
    },
  }),
  operation({
    name: 'analytics storage',
    endpoint: analytics_getStorage,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns: storageColumns,
  }),
  operation({
    name: 'analytics keep',
    endpoint: analytics_updateStorage,
    summary: 'Sets for how many days telemetry of an app is kept; what is older is deleted',
    arguments: { app, days: { summary: 'A number, or "default" for as long as the server says' } },
    input: ({ args }) => ({ params: readApp(args.app), body: { retention_days: readRetention(args.days) } }),
    columns: storageColumns,
    confirm: ({ args }) => `Delete telemetry of ${args.app} that is older than that?`,
  }),
  operation({
    name: 'analytics deletions',
    endpoint: analytics_listDeletions,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns: [
      { header: 'WHAT', value: ({ kind }) => kind },
      { header: 'DELETED', value: ({ value }) => value },
      { header: 'ASKED FOR', value: ({ requested_at }) => requested_at },
      { header: 'FILES', value: ({ file_count }) => file_count },
      { header: 'LEFT', value: ({ files_left }) => files_left },
      { header: 'FORMER', value: ({ former_files }) => former_files },
    ],
  }),
  operation({
    name: 'analytics delete-install',
    endpoint: analytics_deleteInstall,
    summary: 'Deletes all that an installation sent until now; what comes later counts',
    arguments: { app, install },
    input: ({ args }) => ({ params: { ...readApp(args.app), install_id: args.install } }),
    confirm: ({ args }) => `Delete all that the installation ${args.install} of ${args.app} sent?`,
    done: ({ args }) => `Deleted what ${args.install} sent.`,
  }),
  operation({
    name: 'analytics delete-user',
    endpoint: analytics_deleteUser,
    summary: 'Deletes all that was sent with the id of a user of the app until now',
    arguments: { app, user: { summary: 'The id that the app gave the user' } },
    input: ({ args }) => ({ params: { ...readApp(args.app), user_id: args.user } }),
    confirm: ({ args }) => `Delete all that was sent for the user ${args.user} of ${args.app}?`,
    done: ({ args }) => `Deleted what was sent for ${args.user}.`,
  }),
];
