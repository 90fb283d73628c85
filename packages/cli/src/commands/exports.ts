import {
  type CallInput,
  ExportConfigurations_Create,
  ExportConfigurations_Delete,
  ExportConfigurations_Disable,
  ExportConfigurations_Enable,
  ExportConfigurations_Get,
  ExportConfigurations_List,
  ExportConfigurations_PartialUpdate,
  ExportConfigurations_Test,
  type OutputOf,
} from '@mooring/contract';
import { readJson, readText } from '../files.ts';
import { command } from '../framework/command.ts';
import { exitCodes } from '../framework/errors.ts';
import { operation } from '../framework/operation.ts';
import type { Column } from '../output.ts';
import { readApp } from '../targets.ts';
import { app } from './apps.ts';

type Export = OutputOf<typeof ExportConfigurations_Get>;

const id = { summary: 'Id of the export, as `exports list` prints it' } as const;
const file = { summary: 'JSON with the fields of the API, keys among them; - for standard input' } as const;

const columns: Column<Export>[] = [
  { header: 'TYPE', value: ({ export_configuration }) => export_configuration?.type },
  { header: 'TO', value: ({ export_configuration: to }) => to?.host ?? to?.folder },
  { header: 'STATE', value: ({ state }) => state },
  { header: 'WAITING', value: ({ waiting_batches }) => waiting_batches },
  { header: 'SINCE', value: ({ waiting_since }) => waiting_since, isTime: true },
  { header: 'LAST RUN', value: ({ last_run_time }) => last_run_time, isTime: true },
  {
    header: 'LAST ERROR',
    value: ({ state_info, last_error, failing_since }) => state_info ?? (failing_since ? last_error : undefined),
  },
  { header: 'ID', value: (one) => one.id },
];

const at = (args: { app: string; id: string }) => ({ ...readApp(args.app), export_configuration_id: args.id });

export const exportCommands = [
  operation({
    name: 'exports list',
    endpoint: ExportConfigurations_List,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns,
  }),
  operation({
    name: 'exports show',
    endpoint: ExportConfigurations_Get,
    arguments: { app, id },
    input: ({ args }) => ({ params: at(args) }),
    columns,
  }),
  operation({
    name: 'exports create',
    endpoint: ExportConfigurations_Create,
    arguments: { app, file },
    input: async ({ args }) => ({
      params: readApp(args.app),
      // The server says what is wrong with it.
      body: readJson(await readText(args.file, 'export'), 'export') as CallInput<
        typeof ExportConfigurations_Create
      >['body'],
    }),
    columns,
  }),
  operation({
    name: 'exports update',
    endpoint: ExportConfigurations_PartialUpdate,
    arguments: { app, id, file },
    input: async ({ args }) => ({
      params: at(args),
      body: readJson(await readText(args.file, 'change'), 'change') as CallInput<
        typeof ExportConfigurations_PartialUpdate
      >['body'],
    }),
    columns,
  }),
  operation({
    name: 'exports enable',
    endpoint: ExportConfigurations_Enable,
    arguments: { app, id },
    options: { backfill: { summary: 'Also what came while it was stopped, as far as it is kept' } },
    input: ({ args, options }) => ({ params: at(args), body: options.backfill ? { backfill: true } : {} }),
    done: () => 'It is enabled.',
  }),
  operation({
    name: 'exports disable',
    endpoint: ExportConfigurations_Disable,
    arguments: { app, id },
    input: ({ args }) => ({ params: at(args), body: {} }),
    done: () => 'It is disabled: what comes from now on is not written.',
  }),
  command({
    name: 'exports test',
    summary: ExportConfigurations_Test.summary,
    arguments: { app, id },
    async run({ args, out, connect }) {
      const tested = await connect().call(ExportConfigurations_Test, { params: at(args), body: {} });
      out.record(tested, tested, [
        { header: 'SUCCEEDED', value: ({ succeeded }) => succeeded },
        { header: 'MILLISECONDS', value: ({ milliseconds }) => milliseconds },
        { header: 'REASON', value: ({ reason }) => reason },
      ]);
      return tested.succeeded ? exitCodes.ok : exitCodes.failed;
    },
  }),
  operation({
    name: 'exports delete',
    endpoint: ExportConfigurations_Delete,
    arguments: { app, id },
    input: ({ args }) => ({ params: at(args) }),
    confirm: ({ args }) => `Delete the export ${args.id}? What it has written stays.`,
    done: () => 'It is deleted.',
  }),
];
