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
  type EndpointOutput,
} from '@mooring/contract';
import { app, readApp } from '../../arguments/targets.ts';
import { explainUnreachable } from '../../connection/connection.ts';
import { command } from '../../framework/command.ts';
import { wrongUsage } from '../../framework/errors.ts';
import { operation } from '../../framework/operation.ts';
import { poll, untilStopped } from '../../lists/poll.ts';
import type { Column } from '../../terminal/output.ts';

const DAY = 86_400_000;
const DEFAULT_DAYS = 28;
const MAX_DAYS = 3650;
/** Pause between attempts while the server is unreachable. */
const RETRY_INTERVAL_MS = 1000;

/** The last days in UTC, including today. */
export function lastDays(text = String(DEFAULT_DAYS), now = Date.now()): { start: string; end: string } {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > MAX_DAYS) throw wrongUsage(`--days must be a number from 1 to ${MAX_DAYS}, not "${text}".`);
  return { start: new Date(now - (days - 1) * DAY).toISOString(), end: new Date(now).toISOString() };
}

export interface RangeOptions {
  days?: string | undefined;
  versions?: string | undefined;
}

export const rangeOptions = {
  days: { value: 'N', summary: `Number of days, including today (default ${DEFAULT_DAYS})` },
  versions: { value: 'LIST', summary: 'Filter by app versions, comma-separated' },
} as const;

export const toRange = ({ days, versions }: RangeOptions) => ({
  ...lastDays(days),
  ...(versions === undefined ? {} : { versions: versions.split(',').join('|') }),
});

export const event = { summary: 'Name of the event' } as const;

type Event = EndpointOutput<typeof Analytics_Events>['events'][number];
export const rounded = (number: number): string => String(Math.round(number * 100) / 100);
const eventColumns: Column<Event>[] = [
  { header: 'EVENT', value: ({ name }) => name },
  { header: 'COUNT', value: ({ count }) => count },
  { header: 'PREVIOUS PERIOD', value: ({ previous_count }) => previous_count },
  { header: 'DEVICES', value: ({ device_count }) => device_count },
  { header: 'PER DEVICE', value: ({ count_per_device }) => rounded(count_per_device) },
  { header: 'PER SESSION', value: ({ count_per_session }) => rounded(count_per_session) },
];

type Value = EndpointOutput<typeof Analytics_EventPropertyCounts>['values'][number];
const valueColumns: Column<Value>[] = [
  { header: 'VALUE', value: ({ name }) => name },
  { header: 'COUNT', value: ({ count }) => count },
  { header: 'PREVIOUS PERIOD', value: ({ previous_count }) => previous_count },
];

type FlowLog = EndpointOutput<typeof Analytics_GenericLogFlow>['logs'][number];
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
  { header: 'LAST 7 DAYS', value: ({ week }) => week },
  { header: 'LAST 28 DAYS', value: ({ month }) => month },
  { header: 'SESSIONS', value: ({ sessions }) => sessions },
  { header: 'AVERAGE SESSION', value: ({ length }) => length },
];

export const analyticsCommands = [
  command({
    name: 'analytics overview',
    summary: 'Show active devices and sessions of an app',
    arguments: { app },
    options: rangeOptions,
    async run({ args, options, out, connect }) {
      const { call } = connect();
      const params = readApp(args.app);
      const query = toRange(options);
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
    summary: 'List the events of an app, most frequent first',
    arguments: { app },
    options: rangeOptions,
    async run({ args, options, out, connect }) {
      const query = { ...toRange(options), $top: 0 };
      const response = await connect().call(Analytics_Events, { params: readApp(args.app), query });
      out.table(response, response.events, eventColumns);
    },
  }),
  command({
    name: 'analytics properties',
    summary: 'List the properties of an event, or the values of one property, most frequent first',
    arguments: { app, event, property: { summary: 'Property whose values to list', optional: true } },
    options: rangeOptions,
    async run({ args, options, out, connect }) {
      const { call } = connect();
      const params = { ...readApp(args.app), event_name: args.event };
      if (args.property === undefined) {
        const response = await call(Analytics_EventProperties, { params });
        out.table(response, response.event_properties, [{ header: 'PROPERTY', value: (name) => name }]);
        return;
      }
      const query = { ...toRange(options), $top: 0 };
      const response = await call(Analytics_EventPropertyCounts, {
        params: { ...params, event_property_name: args.property },
        query,
      });
      out.table(response, response.values, valueColumns);
    },
  }),
  operation({
    name: 'analytics delete-event',
    endpoint: Analytics_EventsDelete,
    summary: 'Delete the data of an event so far; new data is counted again',
    arguments: { app, event },
    input: ({ args }) => ({ params: { ...readApp(args.app), event_name: args.event } }),
    confirm: ({ args }) => `Delete all data of the event ${args.event} of ${args.app}?`,
    done: ({ args }) => `Deleted the data of event ${args.event}.`,
  }),
  command({
    name: 'analytics flow',
    summary: 'Print the logs that arrived today; with --follow also new ones, until Ctrl-C',
    arguments: { app },
    options: { follow: { summary: 'Keep printing new logs until Ctrl-C' } },
    run({ args, options, out, connect }) {
      const { call, server } = connect();
      const params = readApp(args.app);
      return untilStopped(async (signal) => {
        let start: string | undefined;
        const refresh = async () => {
          for (let isMore = true; isMore; ) {
            const query = start === undefined ? {} : { start };
            const response = await call(Analytics_GenericLogFlow, { params, query, signal });
            for (const log of response.logs) out.line(log, log, logColumns);
            start = response.last_received_log_timestamp;
            isMore = response.exceeded_max_limit;
          }
        };
        await refresh();
        if (!options.follow) return;
        out.note(`Following ${args.app} on ${server}. Press Ctrl-C to stop.`);
        // The server ends a stream after a minute. The next stream continues from there, even after an outage.
        const follow = async () => {
          const headers = start === undefined ? {} : { 'last-event-id': start };
          try {
            for await (const message of await call(analytics_watchLogs, { params, headers, signal })) {
              start = message.id ?? start;
              if (message.event === 'logs') for (const log of message.data.logs) out.line(log, log, logColumns);
            }
          } catch (error) {
            throw explainUnreachable(error, server);
          }
        };
        await poll({ refresh: follow, interval: RETRY_INTERVAL_MS, signal, server, out });
      });
    },
  }),
];
