import { randomUUID } from 'node:crypto';
import {
  App_BlockLogs,
  App_UnblockLogs,
  apps_get,
  Devices_BlockLogs,
  Devices_UnblockLogs,
  type EndpointOutput,
  ingestion_get,
  logs_send,
} from '@mooring/contract';
import { readJson, readText } from '../../arguments/files.ts';
import { app, readApp } from '../../arguments/targets.ts';
import { command } from '../../framework/command.ts';
import { wrongUsage } from '../../framework/errors.ts';
import { operation } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';

type Ingestion = EndpointOutput<typeof ingestion_get>;
type Sent = EndpointOutput<typeof logs_send>;

/** SDKs send as many logs per request. */
const BATCH_SIZE = 50;

/** Logs like those of an SDK when an app starts and tracks an event. */
export function createTestLogs(now: Date): object[] {
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

/** Reads logs from an object in the format of SDKs, an array of logs, or lines with one log each. */
export function readLogs(text: string): unknown[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const isLines = lines.length > 1 && lines.every((line) => line.trimStart().startsWith('{') && isJson(line));
  const value = isLines ? lines.map((line) => JSON.parse(line)) : readJson(text, 'file');
  const logs: unknown = Array.isArray(value) ? value : (value as { logs?: unknown } | null)?.logs;
  if (Array.isArray(logs) && logs.length > 0) return logs;
  throw wrongUsage(
    'The file contains no logs. Use an object with the array "logs", an array of logs, or one log per line.',
  );
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

const formatCounts = ({ logs, batches, invalid, dropped, blocked, refused, limited }: Ingestion['hour']): string =>
  `${logs} logs in ${batches} requests; ${invalid} invalid, ${dropped} dropped, ${blocked} blocked, ${refused} refused, ${limited} over the hourly limit`;

const columns: Column<Ingestion>[] = [
  { header: 'ADDRESS', value: ({ address }) => address },
  { header: 'LAST LOG', value: ({ last_received_at }) => last_received_at, isTime: true },
  { header: 'BLOCKED', value: ({ is_blocked }) => is_blocked },
  { header: 'LAST HOUR', value: ({ hour }) => formatCounts(hour) },
  { header: 'LAST DAY', value: ({ day }) => formatCounts(day) },
  {
    header: 'SOURCES',
    value: ({ senders: sources }) =>
      sources
        .slice(0, 5)
        .map(({ sdk, sdk_version, app_version }) => `${sdk} ${sdk_version} in ${app_version}`)
        .join(', '),
  },
  {
    header: 'WAITING',
    value: ({ consumers }) =>
      consumers.flatMap(({ name, waiting }) => (waiting > 0 ? `${name}: ${waiting} requests` : [])).join(', '),
  },
  {
    header: 'LAST INVALID LOG',
    value: ({ invalid_logs: [invalid] }) => invalid && `${invalid.reason}: ${invalid.log}`,
  },
];

const install = { value: 'ID', summary: 'Install ID of a device (default: all devices of the app)' } as const;

export const ingestCommands = [
  operation({
    name: 'ingest show',
    summary: 'Show the ingestion status of an app: received, invalid and dropped logs',
    endpoint: ingestion_get,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns,
  }),
  command({
    name: 'ingest send',
    summary: 'Send logs like an SDK: a test event, or the logs in a file',
    arguments: {
      app,
      file: {
        summary: 'JSON file in the format of SDKs, an array of logs, or one log per line, or - for stdin',
        optional: true,
      },
    },
    options: { install: { value: 'ID', summary: 'Install ID of the logs (default: a new ID)' } },
    async run({ args, options, out, connect }) {
      const { call } = connect();
      const logs = args.file === undefined ? createTestLogs(new Date()) : readLogs(await readText(args.file, 'file'));
      const { app_secret } = await call(apps_get, { params: readApp(args.app) });
      const headers = { 'app-secret': app_secret, 'install-id': options.install ?? randomUUID() };
      const sum: Sent = { accepted: 0, invalid: 0, dropped: 0 };
      for (let at = 0; at < logs.length; at += BATCH_SIZE) {
        const body = new TextEncoder().encode(JSON.stringify({ logs: logs.slice(at, at + BATCH_SIZE) }));
        const { accepted, invalid, dropped } = await call(logs_send, { query: {}, headers, body });
        sum.accepted += accepted;
        sum.invalid += invalid;
        sum.dropped += dropped;
      }
      out.record(sum, sum, sentColumns);
      if (sum.invalid > 0) out.note(`See the reasons for invalid logs with "mooring ingest show ${args.app}".`);
    },
  }),
  command({
    name: 'ingest block',
    summary: 'Drop all new logs of an app or of one device',
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
    summary: 'Accept logs of an app or of one device again',
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
