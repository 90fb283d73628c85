import { setTimeout } from 'node:timers/promises';
import {
  devices_getResigningLog,
  devices_listResignings,
  devices_resignRelease,
  type EndpointOutput,
} from '@mooring/contract';
import { app, readApp } from '../../arguments/targets.ts';
import { command } from '../../framework/command.ts';
import { exitCodes } from '../../framework/errors.ts';
import { operation } from '../../framework/operation.ts';
import { type Column, printable } from '../../terminal/output.ts';

type Resigning = EndpointOutput<typeof devices_resignRelease>;

const columns: Column<Resigning>[] = [
  { header: 'ID', value: ({ resign_id }) => resign_id },
  { header: 'STATUS', value: ({ status }) => status },
  { header: 'DEVICES', value: ({ device_count }) => device_count },
  { header: 'REASON', value: ({ error_message }) => error_message },
  { header: 'STARTED', value: ({ created_at }) => created_at, isTime: true },
];

const POLL_INTERVAL_MS = 2000;
const release = { summary: 'Number of the release' } as const;
const at = (args: { app: string; release: string }) => ({ ...readApp(args.app), release_id: args.release });

export const resigningCommands = [
  command({
    name: 'releases resign',
    summary: 'Sign a release again for all registered devices of its testers, with the signing command of a runner',
    arguments: { app, release },
    options: { wait: { summary: 'Wait for the result; exits with 1 if signing fails' } },
    async run({ args, options, out, connect }) {
      const { call } = connect();
      const params = at(args);
      let resigning: Resigning | undefined = await call(devices_resignRelease, { params, body: {} });
      const { resign_id } = resigning;
      if (options.wait && resigning.error_message !== undefined) out.note(resigning.error_message);
      while (options.wait && resigning && ['submitted', 'processing'].includes(resigning.status)) {
        await setTimeout(POLL_INTERVAL_MS);
        resigning = (await call(devices_listResignings, { params })).find((one) => one.resign_id === resign_id);
      }
      if (resigning) out.record(resigning, resigning, columns);
      return options.wait && resigning?.status !== 'completed' ? exitCodes.failed : exitCodes.ok;
    },
  }),
  operation({
    name: 'releases resignings',
    summary: 'List the signing attempts of a release with their results',
    endpoint: devices_listResignings,
    arguments: { app, release },
    input: ({ args }) => ({ params: at(args) }),
    columns,
  }),
  command({
    name: 'releases resign-log',
    summary: 'Print the log of a signing attempt',
    arguments: { app, release, id: { summary: 'ID of the attempt, as in "mooring releases resignings"' } },
    async run({ args, out, connect }) {
      const log = await connect().call(devices_getResigningLog, { params: { ...at(args), resign_id: args.id } });
      out.value({ log }, log.trimEnd().split('\n').map(printable).join('\n'));
    },
  }),
];
