import {
  type CallInput,
  type EndpointOutput,
  ExportConfigurations_Create,
  ExportConfigurations_Delete,
  ExportConfigurations_Disable,
  ExportConfigurations_Enable,
  ExportConfigurations_Get,
  ExportConfigurations_List,
  ExportConfigurations_PartialUpdate,
  ExportConfigurations_Test,
} from '@mooring/contract';
import { readJson, readText } from '../../arguments/files.ts';
import { app, readApp } from '../../arguments/targets.ts';
import { command } from '../../framework/command.ts';
import { exitCodes } from '../../framework/errors.ts';
import { operation } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';

type Export = EndpointOutput<typeof ExportConfigurations_Get>;

const id = { summary: 'Export ID, as in "mooring exports list"' } as const;
const file = {
  summary: 'JSON file with the fields of the API (sample: docs/samples/export-configuration.json), or - for stdin',
} as const;

const columns: Column<Export>[] = [
  { header: 'TYPE', value: ({ export_configuration }) => export_configuration?.type },
  { header: 'DESTINATION', value: ({ export_configuration: to }) => to?.host ?? to?.folder },
  { header: 'STATE', value: ({ state }) => state },
  { header: 'WAITING BATCHES', value: ({ waiting_batches }) => waiting_batches },
  { header: 'WAITING SINCE', value: ({ waiting_since }) => waiting_since, isTime: true },
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
    summary: 'List the data exports of an app with their status',
    endpoint: ExportConfigurations_List,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns,
  }),
  operation({
    name: 'exports show',
    summary: 'Show an export without its secrets',
    endpoint: ExportConfigurations_Get,
    arguments: { app, id },
    input: ({ args }) => ({ params: at(args) }),
    columns,
  }),
  operation({
    name: 'exports create',
    summary: 'Create a continuous export of device data to your storage',
    endpoint: ExportConfigurations_Create,
    arguments: { app, file },
    input: async ({ args }) => ({
      params: readApp(args.app),
      // The server validates it.
      body: readJson(await readText(args.file, 'export'), 'export') as CallInput<
        typeof ExportConfigurations_Create
      >['body'],
    }),
    columns,
  }),
  operation({
    name: 'exports update',
    summary: 'Change an export, such as its entities or keys',
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
    summary: 'Resume a stopped export',
    endpoint: ExportConfigurations_Enable,
    arguments: { app, id },
    options: { backfill: { summary: 'Also export data that arrived while the export was stopped' } },
    input: ({ args, options }) => ({ params: at(args), body: options.backfill ? { backfill: true } : {} }),
    done: ({ args }) => `Enabled export ${args.id}.`,
  }),
  operation({
    name: 'exports disable',
    summary: 'Stop an export; new data is not exported',
    endpoint: ExportConfigurations_Disable,
    arguments: { app, id },
    input: ({ args }) => ({ params: at(args), body: {} }),
    done: ({ args }) => `Disabled export ${args.id}. New data is not exported.`,
  }),
  command({
    name: 'exports test',
    summary: 'Write a small test file to the destination of an export',
    arguments: { app, id },
    async run({ args, out, connect }) {
      const result = await connect().call(ExportConfigurations_Test, { params: at(args), body: {} });
      out.record(result, result, [
        { header: 'SUCCEEDED', value: ({ succeeded }) => succeeded },
        { header: 'MILLISECONDS', value: ({ milliseconds }) => milliseconds },
        { header: 'REASON', value: ({ reason }) => reason },
      ]);
      return result.succeeded ? exitCodes.ok : exitCodes.failed;
    },
  }),
  operation({
    name: 'exports delete',
    summary: 'Delete an export, but not its exported files',
    endpoint: ExportConfigurations_Delete,
    arguments: { app, id },
    input: ({ args }) => ({ params: at(args) }),
    confirm: ({ args }) => `Delete the export ${args.id}? Exported files are kept.`,
    done: ({ args }) => `Deleted export ${args.id}.`,
  }),
];
