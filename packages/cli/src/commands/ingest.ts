import { randomUUID } from 'node:crypto';
import {
  App_BlockLogs,
  App_UnblockLogs,
  apps_get,
  Devices_BlockLogs,
  Devices_UnblockLogs,
  ingestion_get,
  logs_send,
  type OutputOf,
} from '@mooring/contract';
import { readJson, readText } from '../files.ts';
import { command } from '../framework/command.ts';
import { wrongUsage } from '../framework/errors.ts';
import { operation } from '../framework/operation.ts';
import type { Column } from '../output.ts';
import { readApp } from '../targets.ts';
import { app } from './apps.ts';

type Ingestion = OutputOf<typeof ingestion_get>;
type Sent = OutputOf<typeof logs_send>;

/** As many as an SDK sends at once. */
const AT_ONCE = 50;

/** What an SDK sends when an app is started and something happens in it. */
export function testLogs(now: Date): object[] {
  const sid = randomUUID();
  const timestamp = now.toISOString();
  const device = {
    sdkName: 'mooring.cli',
    sdkVersion: '1.0.0',
    model: 'Test',
    osName: 'Linux',
    osVersion: '1',
    locale: 'en_US',
    timeZoneOffset: 0,
    appVersion: '0.0.1',
    appBuild: '1',
  };
  return [
    { type: 'startSession', timestamp, sid, device },
    {
      type: 'event',
      timestamp,
      sid,
      id: randomUUID(),
      name: 'Test of ingestion',
      properties: { by: 'mooring' },
      device,
    },
  ];
}

/** The logs in a file: an object as SDKs send it, an array of logs, or a log on each line. */
export function readLogs(text: string): unknown[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const isLines = lines.length > 1 && lines.every((line) => line.trimStart().startsWith('{') && isJson(line));
  const value = isLines ? lines.map((line) => JSON.parse(line)) : readJson(text, 'file');
  const logs: unknown = Array.isArray(value) ? value : (value as { logs?: unknown } | null)?.logs;
  if (Array.isArray(logs) && logs.length > 0) return logs;
  throw wrongUsage('The file holds no logs: it is an object with the array "logs", an array, or a log on each line.');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const sentColumns: Column<Sent>[] = [
  { header: 'ACCEPTED', value: ({ accepted }) => accepted },
  { header: 'INVALID', value: ({ invalid }) => invalid },
  { header: 'DROPPED', value: ({ dropped }) => dropped },
];

const inOneLine = ({ logs, batches, invalid, dropped, blocked, refused, limited }: Ingestion['hour']): string =>
  `${logs} logs in ${batches} requests; ${invalid} invalid, ${dropped} dropped, ${blocked} blocked, ${refused} refused, ${limited} over the hourly limit`;

const columns: Column<Ingestion>[] = [
  { header: 'ADDRESS', value: ({ address }) => address },
  { header: 'LAST LOG', value: ({ last_received_at }) => last_received_at, isTime: true },
  { header: 'BLOCKED', value: ({ is_blocked }) => is_blocked },
  { header: 'LAST HOUR', value: ({ hour }) => inOneLine(hour) },
  { header: 'LAST DAY', value: ({ day }) => inOneLine(day) },
  {
    header: 'FROM',
    value: ({ senders }) =>
      senders
        .slice(0, 5)
        .map(({ sdk, sdk_version, app_version }) => `${sdk} ${sdk_version} in ${app_version}`)
        .join(', '),
  },
  {
    header: 'WAITING FOR',
    value: ({ consumers }) =>
      consumers.flatMap(({ name, waiting }) => (waiting > 0 ? `${name}: ${waiting} requests` : [])).join(', '),
  },
  {
    header: 'LAST INVALID LOG',
    value: ({ invalid_logs: [invalid] }) => invalid && `${invalid.reason}: ${invalid.log}`,
  },
];

const install = { value: 'ID', summary: 'Only this install, not the whole app' } as const;

export const ingestCommands = [
  operation({
    name: 'ingest show',
    endpoint: ingestion_get,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns,
  }),
  command({
    name: 'ingest send',
    summary: 'Sends logs as an SDK inside the app would: a test, or those of a file',
    arguments: {
      app,
      file: { summary: 'JSON as SDKs send it, an array of logs, or a log on each line; - for stdin', optional: true },
    },
    options: { install: { value: 'ID', summary: 'The install that they are of; a new one if absent' } },
    async run({ args, options, out, connect }) {
      const { call } = connect();
      const logs = args.file === undefined ? testLogs(new Date()) : readLogs(await readText(args.file, 'file'));
      const { app_secret } = await call(apps_get, { params: readApp(args.app) });
      const headers = { 'app-secret': app_secret, 'install-id': options.install ?? randomUUID() };
      const sum: Sent = { accepted: 0, invalid: 0, dropped: 0 };
      for (let at = 0; at < logs.length; at += AT_ONCE) {
        const body = new TextEncoder().encode(JSON.stringify({ logs: logs.slice(at, at + AT_ONCE) }));
        const { accepted, invalid, dropped } = await call(logs_send, { query: {}, headers, body });
        sum.accepted += accepted;
        sum.invalid += invalid;
        sum.dropped += dropped;
      }
      out.record(sum, sum, sentColumns);
      if (sum.invalid > 0) out.note(`"mooring ingest show ${args.app}" tells what is invalid.`);
    },
  }),
  command({
    name: 'ingest block',
    summary: 'Drops all logs of an app, or of one install, from now on',
    arguments: { app },
    options: { install },
    async run({ args, options, out, connect }) {
      const { call } = connect();
      const params = readApp(args.app);
      const done = options.install
        ? await call(Devices_BlockLogs, { params: { ...params, install_id: options.install }, body: {} })
        : await call(App_BlockLogs, { params, body: {} });
      out.value(done, done);
    },
  }),
  command({
    name: 'ingest unblock',
    summary: 'Takes logs of an app, or of one install, again',
    arguments: { app },
    options: { install },
    async run({ args, options, out, connect }) {
      const { call } = connect();
      const params = readApp(args.app);
      const done = options.install
        ? await call(Devices_UnblockLogs, { params: { ...params, install_id: options.install } })
        : await call(App_UnblockLogs, { params });
      out.value(done, done);
    },
  }),
];
