import {
  missingSymbolGroups_list,
  type OutputOf,
  symbols_ignore,
  symbols_list,
  symbols_unignore,
} from '@mooring/contract';
import { command } from '../framework/command.ts';
import { exitCodes, wrongUsage } from '../framework/errors.ts';
import { operation } from '../framework/operation.ts';
import type { Column } from '../output.ts';
import { findSymbolFiles } from '../symbol-files.ts';
import { type Outcome, uploadSymbols } from '../symbol-upload.ts';
import { readApp } from '../targets.ts';

type Symbols = OutputOf<typeof symbols_list>[number];

const app = { value: 'OWNER/APP', summary: 'The app whose symbols they are', required: true } as const;
const id = { summary: 'Id of the symbols, as `symbols missing` prints it' } as const;

const columns: Column<Symbols>[] = [
  { header: 'NAME', value: ({ name }) => name },
  { header: 'TYPE', value: ({ type }) => type },
  { header: 'PLATFORM', value: ({ platform }) => platform },
  { header: 'VERSION', value: ({ version, build }) => (version ? `${version} (${build})` : '') },
  { header: 'STATUS', value: ({ status }) => status },
  { header: 'UPLOADED', value: ({ timestamp }) => timestamp, isTime: true },
  { header: 'ID', value: ({ symbol_id }) => symbol_id },
];

interface Missing {
  name: string;
  type: string | undefined;
  version: string;
  build: string;
  reports: number;
  status: string;
  id: string;
}

const missingColumns: Column<Missing>[] = [
  { header: 'NAME', value: ({ name }) => name },
  { header: 'TYPE', value: ({ type }) => type },
  { header: 'VERSION', value: ({ version, build }) => `${version} (${build})` },
  { header: 'REPORTS', value: ({ reports }) => reports },
  { header: 'STATUS', value: ({ status }) => status },
  { header: 'ID', value: ({ id }) => id },
];

const outcomeColumns: Column<Outcome>[] = [
  { header: 'FILE', value: ({ file }) => file },
  { header: 'TYPE', value: ({ type }) => type },
  { header: 'RESULT', value: ({ result }) => result },
  { header: 'IDS', value: ({ ids }) => ids.join(' ') },
  { header: 'REASON', value: ({ reason }) => reason },
];

export const symbolCommands = [
  command({
    name: 'symbols upload',
    summary: 'Finds dSYMs, mappings, .so and .sym files and source maps, and uploads those that the server lacks',
    arguments: { path: { summary: 'Files, or folders to look through', many: true } },
    options: {
      app,
      version: { value: 'VERSION', summary: 'Of the app, as its reports say it; mappings and source maps need it' },
      build: { value: 'BUILD', summary: 'Of the app; mappings and source maps need it' },
      force: { summary: 'Upload also what the server has already' },
    },
    async run({ args, options, connect, out }) {
      const params = readApp(options.app);
      const { found, passedOver } = findSymbolFiles(args.path);
      const needsVersion = found.find(({ type }) => type === 'AndroidProguard' || type === 'JavaScript');
      if (needsVersion && (options.version === undefined || options.build === undefined)) {
        throw wrongUsage(`${needsVersion.file} belongs to one version and build: say --version and --build.`);
      }
      if (found.length === 0 && passedOver.length === 0) {
        throw wrongUsage(
          'There are no symbols: neither dSYMs, mapping.txt, .so, .sym or .appxsym files, nor source maps.',
        );
      }
      const { call } = connect();
      const here = new Set(
        (await call(symbols_list, { params })).flatMap(({ symbol_id, alternate_symbol_ids, version, build }) =>
          // A mapping of another version with the same content is still to be sent.
          version === undefined || (version === options.version && build === options.build)
            ? [symbol_id, ...alternate_symbol_ids]
            : [],
        ),
      );
      const outcomes: Outcome[] = passedOver.map(({ file, reason }) => ({
        file,
        ids: [],
        result: 'passed over',
        reason,
      }));
      for (const one of found) {
        const isHere = one.ids.length > 0 && one.ids.every((id) => here.has(id));
        if (isHere && !options.force) {
          outcomes.push({ ...one, result: 'already there' });
          continue;
        }
        const isOfVersion = one.type === 'AndroidProguard' || one.type === 'JavaScript';
        const { version, build } = options;
        const ofVersion = isOfVersion && version !== undefined && build !== undefined ? { version, build } : {};
        const outcome = await uploadSymbols(call, params, one, ofVersion);
        for (const id of outcome.ids) here.add(id);
        outcomes.push(outcome);
      }
      out.table(outcomes, outcomes, outcomeColumns);
      return outcomes.some(({ result }) => result === 'failed') ? exitCodes.failed : exitCodes.ok;
    },
  }),
  operation({
    name: 'symbols list',
    endpoint: symbols_list,
    options: { app },
    input: ({ options }) => ({ params: readApp(options.app) }),
    columns,
  }),
  command({
    name: 'symbols missing',
    summary: 'Lists the symbols that reports wait for, by version and build',
    options: { app },
    async run({ options, connect, out }) {
      const params = readApp(options.app);
      const { groups } = await connect().call(missingSymbolGroups_list, { params, query: { top: 1000 } });
      const missing = groups.flatMap(({ app_ver, app_build, crash_count = 0, error_count = 0, missing_symbols }) =>
        missing_symbols.map(({ symbol_id, name, type, status }) => ({
          name,
          type,
          version: app_ver,
          build: app_build,
          reports: crash_count + error_count,
          status,
          id: symbol_id,
        })),
      );
      out.table(missing, missing, missingColumns);
    },
  }),
  operation({
    name: 'symbols ignore',
    endpoint: symbols_ignore,
    arguments: { id },
    options: { app },
    input: ({ args, options }) => ({ params: { ...readApp(options.app), symbol_id: args.id } }),
    columns,
  }),
  operation({
    name: 'symbols unignore',
    endpoint: symbols_unignore,
    arguments: { id },
    options: { app },
    input: ({ args, options }) => ({ params: { ...readApp(options.app), symbol_id: args.id } }),
    columns,
  }),
];
