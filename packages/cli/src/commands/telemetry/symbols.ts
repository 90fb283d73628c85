import {
  type EndpointOutput,
  missingSymbolGroups_list,
  symbols_ignore,
  symbols_list,
  symbols_unignore,
} from '@mooring/contract';
import { app, readApp } from '../../arguments/targets.ts';
import { command } from '../../framework/command.ts';
import { exitCodes, wrongUsage } from '../../framework/errors.ts';
import { operation } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';
import { findSymbolFiles } from '../../uploads/symbol-files.ts';
import { type Outcome, uploadSymbols } from '../../uploads/symbol-upload.ts';

type Symbols = EndpointOutput<typeof symbols_list>[number];

const id = { summary: 'Symbol ID, as in "mooring symbols missing"' } as const;

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
    summary: 'Find dSYMs, mappings, .so and .sym files and source maps, and upload those that are not on the server',
    arguments: { app, path: { summary: 'Files, or folders to search', many: true } },
    options: {
      version: { value: 'VERSION', summary: 'App version, as in crash reports; required for mappings and source maps' },
      build: { value: 'BUILD', summary: 'App build; required for mappings and source maps' },
      force: { summary: 'Also upload files that are on the server' },
    },
    async run({ args, options, connect, out }) {
      const params = readApp(args.app);
      const { symbolFiles, skipped } = findSymbolFiles(args.path);
      const needsVersion = symbolFiles.find(({ type }) => type === 'AndroidProguard' || type === 'JavaScript');
      if (needsVersion && (options.version === undefined || options.build === undefined)) {
        throw wrongUsage(`${needsVersion.file} requires --version and --build.`);
      }
      if (symbolFiles.length === 0 && skipped.length === 0) {
        throw wrongUsage('No symbols found: no dSYMs, mapping.txt, .so, .sym or .appxsym files, and no source maps.');
      }
      const { call } = connect();
      const uploadedIds = new Set(
        (await call(symbols_list, { params })).flatMap(({ symbol_id, alternate_symbol_ids, version, build }) =>
          // A mapping must be uploaded for each version, even with the same content.
          version === undefined || (version === options.version && build === options.build)
            ? [symbol_id, ...alternate_symbol_ids]
            : [],
        ),
      );
      const outcomes: Outcome[] = skipped.map(({ file, reason }) => ({
        file,
        ids: [],
        result: 'skipped',
        reason,
      }));
      for (const one of symbolFiles) {
        const isUploaded = one.ids.length > 0 && one.ids.every((id) => uploadedIds.has(id));
        if (isUploaded && !options.force) {
          outcomes.push({ ...one, result: 'already uploaded' });
          continue;
        }
        const isVersioned = one.type === 'AndroidProguard' || one.type === 'JavaScript';
        const { version, build } = options;
        const versionFields = isVersioned && version !== undefined && build !== undefined ? { version, build } : {};
        const outcome = await uploadSymbols(call, params, one, versionFields);
        for (const id of outcome.ids) uploadedIds.add(id);
        outcomes.push(outcome);
      }
      out.table(outcomes, outcomes, outcomeColumns);
      return outcomes.some(({ result }) => result === 'failed') ? exitCodes.failed : exitCodes.ok;
    },
  }),
  operation({
    name: 'symbols list',
    summary: 'List the symbols of an app, newest first',
    endpoint: symbols_list,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns,
  }),
  command({
    name: 'symbols missing',
    summary: 'List the symbols that reports need, by version and build',
    arguments: { app },
    async run({ args, connect, out }) {
      const params = readApp(args.app);
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
    summary: 'Ignore missing symbols',
    endpoint: symbols_ignore,
    arguments: { app, id },
    input: ({ args }) => ({ params: { ...readApp(args.app), symbol_id: args.id } }),
    columns,
  }),
  operation({
    name: 'symbols unignore',
    summary: 'Stop ignoring missing symbols',
    endpoint: symbols_unignore,
    arguments: { app, id },
    input: ({ args }) => ({ params: { ...readApp(args.app), symbol_id: args.id } }),
    columns,
  }),
];
