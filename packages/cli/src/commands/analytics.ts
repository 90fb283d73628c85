import {
  Analytics_DeviceCounts,
  Analytics_EventProperties,
  Analytics_EventPropertyCounts,
  Analytics_Events,
  Analytics_EventsDelete,
  Analytics_GenericLogFlow,
  Analytics_SessionCounts,
  Analytics_SessionDurationsDistribution,
  analytics_watchLogs,
  type OutputOf,
} from '@mooring/contract';
import { explainUnreachable } from '../connection.ts';
import { command } from '../framework/command.ts';
import { wrongUsage } from '../framework/errors.ts';
import { operation } from '../framework/operation.ts';
import { keepLooking, untilStopped } from '../keep-looking.ts';
import type { Column } from '../output.ts';
import { readApp } from '../targets.ts';
import { app } from './apps.ts';

const DAY = 86_400_000;
const USUAL_DAYS = 28;
const MOST_DAYS = 3650;
/** How long a server that is away is left alone. */
const AGAIN = 1000;

/** So many days that end with today, in UTC. */
export function lastDays(text = String(USUAL_DAYS), now = Date.now()): { start: string; end: string } {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > MOST_DAYS) throw wrongUsage(`--days must be a number from 1 to ${MOST_DAYS}, not "${text}".`);
  return { start: new Date(now - (days - 1) * DAY).toISOString(), end: new Date(now).toISOString() };
}

export interface RangeOptions {
  days?: string | undefined;
  versions?: string | undefined;
}

export const rangeOptions = {
  days: { value: 'N', summary: `How many days, with today (default ${USUAL_DAYS})` },
  versions: { value: 'LIST', summary: 'Only these versions of the app, with commas' },
} as const;

export const rangeOf = ({ days, versions }: RangeOptions) => ({
  ...lastDays(days),
  ...(versions === undefined ? {} : { versions: versions.split(',').join('|') }),
});

export const event = { summary: 'Name of the event' } as const;

type Event = OutputOf<typeof Analytics_Events>['events'][number];
export const rounded = (number: number): string => String(Math.round(number * 100) / 100);
const eventColumns: Column<Event>[] = [
  { header: 'EVENT', value: ({ name }) => name },
  { header: 'COUNT', value: ({ count }) => count },
  { header: 'BEFORE', value: ({ previous_count }) => previous_count },
  { header: 'DEVICES', value: ({ device_count }) => device_count },
  { header: 'PER DEVICE', value: ({ count_per_device }) => rounded(count_per_device) },
  { header: 'PER SESSION', value: ({ count_per_session }) => rounded(count_per_session) },
];

type Value = OutputOf<typeof Analytics_EventPropertyCounts>['values'][number];
const valueColumns: Column<Value>[] = [
  { header: 'VALUE', value: ({ name }) => name },
  { header: 'COUNT', value: ({ count }) => count },
  { header: 'BEFORE', value: ({ previous_count }) => previous_count },
];

type FlowLog = OutputOf<typeof Analytics_GenericLogFlow>['logs'][number];
const inOneLine = (properties: Readonly<Record<string, string>> = {}): string =>
  Object.entries(properties)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
const logColumns: Column<FlowLog>[] = [
  { header: 'TIME', value: ({ timestamp }) => timestamp },
  { header: 'TYPE', value: ({ type }) => type },
  { header: 'NAME', value: ({ event_name }) => event_name },
  { header: 'VERSION', value: ({ device }) => device.app_version },
  { header: 'INSTALL', value: ({ install_id }) => install_id },
  { header: 'PROPERTIES', value: ({ properties }) => inOneLine(properties) },
];

interface Overview {
  today: number;
  week: number;
  month: number;
  sessions: number;
  length: string;
}
const overviewColumns: Column<Overview>[] = [
  { header: 'DEVICES TODAY', value: ({ today }) => today },
  { header: 'IN 7 DAYS', value: ({ week }) => week },
  { header: 'IN 28 DAYS', value: ({ month }) => month },
  { header: 'SESSIONS', value: ({ sessions }) => sessions },
  { header: 'LENGTH OF A SESSION', value: ({ length }) => length },
];

export const analyticsCommands = [
  command({
    name: 'analytics overview',
    summary: 'Shows how many devices use an app, and how often',
    arguments: { app },
    options: rangeOptions,
    async run({ args, options, out, connect }) {
      const { call } = connect();
      const params = readApp(args.app);
      const query = rangeOf(options);
      const [devices, sessions, durations] = await Promise.all([
        call(Analytics_DeviceCounts, { params, query }),
        call(Analytics_SessionCounts, { params, query: { ...query, interval: 'P1D' } }),
        call(Analytics_SessionDurationsDistribution, { params, query }),
      ]);
      const last = (series: readonly { count: number }[]): number => series.at(-1)?.count ?? 0;
      const overview = {
        today: last(devices.daily),
        week: last(devices.weekly),
        month: last(devices.monthly),
        sessions: sessions.reduce((sum, { count }) => sum + count, 0),
        length: durations.average_duration,
      };
      out.record({ ...devices, sessions, ...durations }, overview, overviewColumns);
    },
  }),
  command({
    name: 'analytics events',
    summary: 'Lists the events of an app, most first',
    arguments: { app },
    options: rangeOptions,
    async run({ args, options, out, connect }) {
      const query = { ...rangeOf(options), $top: 0 };
      const answer = await connect().call(Analytics_Events, { params: readApp(args.app), query });
      out.table(answer, answer.events, eventColumns);
    },
  }),
  command({
    name: 'analytics properties',
    summary: 'Lists the properties of an event, or the values of one of them, most first',
    arguments: { app, event, property: { summary: 'Whose values to list', optional: true } },
    options: rangeOptions,
    async run({ args, options, out, connect }) {
      const { call } = connect();
      const params = { ...readApp(args.app), event_name: args.event };
      if (args.property === undefined) {
        const answer = await call(Analytics_EventProperties, { params });
        out.table(answer, answer.event_properties, [{ header: 'PROPERTY', value: (name) => name }]);
        return;
      }
      const query = { ...rangeOf(options), $top: 0 };
      const answer = await call(Analytics_EventPropertyCounts, {
        params: { ...params, event_property_name: args.property },
        query,
      });
      out.table(answer, answer.values, valueColumns);
    },
  }),
  operation({
    name: 'analytics delete-event',
    endpoint: Analytics_EventsDelete,
    summary: 'Deletes what came of an event until now; what comes later counts',
    arguments: { app, event },
    input: ({ args }) => ({ params: { ...readApp(args.app), event_name: args.event } }),
    confirm: ({ args }) => `Delete all that is known of the event ${args.event} of ${args.app}?`,
    done: ({ args }) => `Deleted ${args.event}.`,
  }),
  command({
    name: 'analytics flow',
    summary: 'Prints the logs that came today, and with --follow those that come, until Ctrl-C',
    arguments: { app },
    options: { follow: { summary: 'Go on with what comes' } },
    run({ args, options, out, connect }) {
      const { call, server } = connect();
      const params = readApp(args.app);
      return untilStopped(async (signal) => {
        let start: string | undefined;
        const look = async () => {
          for (let isMore = true; isMore; ) {
            const query = start === undefined ? {} : { start };
            const answer = await call(Analytics_GenericLogFlow, { params, query, signal });
            for (const log of answer.logs) out.line(log, log, logColumns);
            start = answer.last_received_log_timestamp;
            isMore = answer.exceeded_max_limit;
          }
        };
        await look();
        if (!options.follow) return;
        out.note(`Following ${args.app} on ${server}; Ctrl-C ends it.`);
        // The stream ends every minute; the next goes on where it was, also after the server was away.
        const follow = async () => {
          const headers = start === undefined ? {} : { 'last-event-id': start };
          try {
            for await (const heard of await call(analytics_watchLogs, { params, headers, signal })) {
              start = heard.id ?? start;
              if (heard.event === 'logs') for (const log of heard.data.logs) out.line(log, log, logColumns);
            }
          } catch (error) {
            throw explainUnreachable(error, server);
          }
        };
        await keepLooking({ look: follow, interval: AGAIN, signal, server, out });
      });
    },
  }),
];
