import { randomUUID } from 'node:crypto';
import path from 'node:path';
import {
  type Client,
  distributionGroups_get,
  type EndpointOutput,
  releases_addDistributionGroup,
  releases_addTesters,
  releases_delete,
  releases_getLatestByUser,
  releases_list,
  releases_updateDetails,
} from '@mooring/contract';
import { downloadTo, openFile, readText } from '../../arguments/files.ts';
import { app, readApp } from '../../arguments/targets.ts';
import { command } from '../../framework/command.ts';
import { exitCodes, wrongUsage } from '../../framework/errors.ts';
import { operation } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';
import { formatSize, uploadRelease } from '../../uploads/release-upload.ts';
import { publish } from './stores.ts';

type Listed = EndpointOutput<typeof releases_list>[number];
type Details = EndpointOutput<typeof releases_getLatestByUser>;
type App = ReturnType<typeof readApp>;

const columns: Column<Listed>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'VERSION', value: ({ short_version, version }) => `${short_version} (${version})` },
  { header: 'ENABLED', value: ({ enabled }) => enabled },
  { header: 'SIZE', value: ({ size }) => formatSize(size) },
  { header: 'DOWNLOADS', value: ({ download_count }) => download_count },
  { header: 'DESTINATIONS', value: ({ destinations = [] }) => destinations.map(({ name }) => name).join(', ') },
  { header: 'UPLOADED', value: ({ uploaded_at }) => uploaded_at, isTime: true },
];

const detailColumns: Column<Details>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'VERSION', value: ({ short_version, version }) => `${short_version} (${version})` },
  { header: 'IDENTIFIER', value: ({ bundle_identifier }) => bundle_identifier },
  { header: 'ENABLED', value: ({ enabled }) => enabled },
  { header: 'MINIMUM OS', value: ({ min_os }) => min_os },
  { header: 'SIZE', value: ({ size }) => formatSize(size) },
  { header: 'SHA-256', value: ({ fingerprint }) => fingerprint },
  { header: 'DESTINATIONS', value: ({ destinations = [] }) => destinations.map(({ name }) => name).join(', ') },
  { header: 'NOTES', value: ({ release_notes }) => release_notes },
  { header: 'UPLOADED', value: ({ uploaded_at }) => uploaded_at, isTime: true },
];

const distributeOptions = {
  group: { value: 'NAME', summary: 'Distribution group to distribute to' },
  tester: { value: 'EMAIL', summary: 'Tester to distribute to' },
  mandatory: { value: 'yes|no', summary: 'Whether in-app updates are mandatory', choices: ['yes', 'no'] },
  silent: { summary: 'Send no emails' },
} as const;

interface DistributeOptions {
  group?: string | undefined;
  tester?: string | undefined;
  mandatory?: string | undefined;
  silent: boolean;
}

async function distribute(
  call: Client,
  params: App & { release_id: string },
  { group, tester, mandatory, silent }: DistributeOptions,
) {
  const settings = { mandatory_update: mandatory === 'yes', notify_testers: !silent };
  if (group !== undefined) {
    const groupParams = { owner_name: params.owner_name, app_name: params.app_name, distribution_group_name: group };
    const { id } = await call(distributionGroups_get, { params: groupParams });
    await call(releases_addDistributionGroup, { params, body: { id, ...settings } });
  }
  if (tester !== undefined) await call(releases_addTesters, { params, body: { email: tester, ...settings } });
}

const release = { summary: 'Release number, or "latest"' } as const;

export const releaseCommands = [
  command({
    name: 'releases upload',
    summary: 'Upload a package as a new release; resume after connection failures',
    arguments: { app, file: { summary: 'Path of the package: .apk, .ipa, .msix, .dmg, .zip, …' } },
    options: {
      ...distributeOptions,
      notes: { value: 'TEXT', summary: 'Release notes, in Markdown' },
      'notes-from': { value: 'FILE', summary: 'File with release notes, or - for stdin' },
      'build-version': { value: 'VERSION', summary: 'Version, required for .zip, .msi, .dmg and .pkg' },
      'build-number': { value: 'NUMBER', summary: 'Build number, required for .dmg and .pkg' },
    },
    async run({ args, options, out, connect }) {
      const params = readApp(args.app);
      const { call } = connect();
      const file = await openFile(args.file, 'application/octet-stream');
      if (file.size === 0) throw wrongUsage(`${args.file} is empty.`);
      const notesFile = options['notes-from'];
      const notes = options.notes ?? (notesFile === undefined ? undefined : await readText(notesFile, 'notes'));
      const query = {
        file_name: path.basename(args.file),
        upload_id: randomUUID(),
        ...(options['build-version'] === undefined ? {} : { build_version: options['build-version'] }),
        ...(options['build-number'] === undefined ? {} : { build_number: options['build-number'] }),
      };
      const id = await uploadRelease({ call, params, file, query, out });
      const releaseParams = { ...params, release_id: String(id) };
      if (notes !== undefined)
        await call(releases_updateDetails, { params: releaseParams, body: { release_notes: notes } });
      await distribute(call, releaseParams, options);
      const details = await call(releases_getLatestByUser, { params: releaseParams, query: {} });
      out.record(details, details, detailColumns);
      return exitCodes.ok;
    },
  }),
  operation({
    name: 'releases list',
    summary: 'List the releases of an app',
    endpoint: releases_list,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app), query: {} }),
    columns,
  }),
  operation({
    name: 'releases show',
    summary: 'Show a release, or the latest one that you can install',
    endpoint: releases_getLatestByUser,
    arguments: { app, release },
    input: ({ args }) => ({ params: { ...readApp(args.app), release_id: args.release }, query: {} }),
    columns: detailColumns,
  }),
  command({
    name: 'releases distribute',
    summary: 'Distribute a release to a group, a tester or a store',
    arguments: { app, release: { summary: 'Release number' } },
    options: { ...distributeOptions, store: { value: 'NAME', summary: 'Store to publish to' } },
    async run({ args, options, out, connect }) {
      const { group, tester, store } = options;
      if (group === undefined && tester === undefined && store === undefined) {
        throw wrongUsage('Missing destination. Use --group NAME, --tester EMAIL or --store NAME.');
      }
      const params = { ...readApp(args.app), release_id: args.release };
      const { call } = connect();
      await distribute(call, params, options);
      if (store !== undefined) await publish(call, params, store);
      out.note(`Distributed release ${args.release} to ${[group, tester, store].filter(Boolean).join(', ')}.`);
    },
  }),
  command({
    name: 'releases edit',
    summary: 'Change the notes of a release, or enable or disable it',
    arguments: { app, release: { summary: 'Release number' } },
    options: {
      notes: { value: 'TEXT', summary: 'Release notes, in Markdown' },
      state: { value: 'STATE', summary: 'Whether the release can be installed', choices: ['enabled', 'disabled'] },
    },
    async run({ args, options, out, connect }) {
      const params = { ...readApp(args.app), release_id: args.release };
      const body = {
        ...(options.notes === undefined ? {} : { release_notes: options.notes }),
        ...(options.state === undefined ? {} : { enabled: options.state === 'enabled' }),
      };
      if (Object.keys(body).length === 0) throw wrongUsage('Nothing to change. Use --notes TEXT or --state STATE.');
      const result = await connect().call(releases_updateDetails, { params, body });
      out.value(result, `Updated release ${args.release}.`);
    },
  }),
  operation({
    name: 'releases delete',
    summary: 'Delete a release and its file',
    endpoint: releases_delete,
    arguments: { app, release: { summary: 'Release number' } },
    input: ({ args }) => ({ params: { ...readApp(args.app), release_id: args.release } }),
    confirm: ({ args }) => `Delete release ${args.release} of ${args.app} and its file?`,
    done: ({ args }) => `Deleted release ${args.release}.`,
  }),
  command({
    name: 'releases download',
    summary: 'Download the package of a release',
    arguments: { app, release },
    options: {
      to: { value: 'FILE', summary: 'Path to save to (default: the name on the server, in the current folder)' },
    },
    async run({ args, options, out, connect }) {
      const params = { ...readApp(args.app), release_id: args.release };
      const { download_url = '' } = await connect().call(releases_getLatestByUser, { params, query: {} });
      const target = options.to ?? path.basename(decodeURIComponent(new URL(download_url).pathname));
      await downloadTo(download_url, target);
      out.value({ file: target }, target);
    },
  }),
];
