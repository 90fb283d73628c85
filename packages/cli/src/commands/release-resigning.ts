import { setTimeout } from 'node:timers/promises';
import {
  devices_getResigningLog,
  devices_listResignings,
  devices_resignRelease,
  type OutputOf,
} from '@mooring/contract';
import { command } from '../framework/command.ts';
import { exitCodes } from '../framework/errors.ts';
import { operation } from '../framework/operation.ts';
import { type Column, printable } from '../output.ts';
import { readApp } from '../targets.ts';
import { app } from './apps.ts';

type Resigning = OutputOf<typeof devices_resignRelease>;

const columns: Column<Resigning>[] = [
  { header: 'ID', value: ({ resign_id }) => resign_id },
  { header: 'STATUS', value: ({ status }) => status },
  { header: 'DEVICES', value: ({ device_count }) => device_count },
  { header: 'WHY', value: ({ error_message }) => error_message },
  { header: 'BEGUN', value: ({ created_at }) => created_at, isTime: true },
];

const EVERY = 2000;
const release = { summary: 'Number of the release' } as const;
const at = (args: { app: string; release: string }) => ({ ...readApp(args.app), release_id: args.release });

export const resigningCommands = [
  command({
    name: 'releases resign',
    summary: 'Has a release signed anew for all devices of those who have it, by the command of a runner',
    arguments: { app, release },
    options: { wait: { summary: 'Until it has ended; fails if it does' } },
    async run({ args, options, out, connect }) {
      const { call } = connect();
      const params = at(args);
      let now: Resigning | undefined = await call(devices_resignRelease, { params, body: {} });
      const { resign_id } = now;
      if (options.wait && now.error_message !== undefined) out.note(now.error_message);
      while (options.wait && now && ['submitted', 'processing'].includes(now.status)) {
        await setTimeout(EVERY);
        now = (await call(devices_listResignings, { params })).find((one) => one.resign_id === resign_id);
      }
      if (now) out.record(now, now, columns);
      return options.wait && now?.status !== 'completed' ? exitCodes.failed : exitCodes.ok;
    },
  }),
  operation({
    name: 'releases resignings',
    endpoint: devices_listResignings,
    arguments: { app, release },
    input: ({ args }) => ({ params: at(args) }),
    columns,
  }),
  command({
    name: 'releases resign-log',
    summary: 'Prints what the command that signed a release anew has said',
    arguments: { app, release, id: { summary: 'As `releases resignings` prints it' } },
    async run({ args, out, connect }) {
      const log = await connect().call(devices_getResigningLog, { params: { ...at(args), resign_id: args.id } });
      out.value({ log }, log.trimEnd().split('\n').map(printable).join('\n'));
    },
  }),
];
