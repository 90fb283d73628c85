import { randomUUID } from 'node:crypto';
import path from 'node:path';
import {
  type Client,
  distributionGroups_get,
  type OutputOf,
  releases_addDistributionGroup,
  releases_addTesters,
  releases_delete,
  releases_getLatestByUser,
  releases_list,
  releases_updateDetails,
} from '@mooring/contract';
import { downloadTo, openFile, readText } from '../files.ts';
import { command } from '../framework/command.ts';
import { exitCodes, wrongUsage } from '../framework/errors.ts';
import { operation } from '../framework/operation.ts';
import type { Column } from '../output.ts';
import { sizeOf, uploadRelease } from '../release-upload.ts';
import { readApp } from '../targets.ts';
import { app } from './apps.ts';
import { publish } from './stores.ts';

type Listed = OutputOf<typeof releases_list>[number];
type Details = OutputOf<typeof releases_getLatestByUser>;
type App = ReturnType<typeof readApp>;

const columns: Column<Listed>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'VERSION', value: ({ short_version, version }) => `${short_version} (${version})` },
  { header: 'ENABLED', value: ({ enabled }) => enabled },
  { header: 'SIZE', value: ({ size }) => sizeOf(size) },
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
  { header: 'SIZE', value: ({ size }) => sizeOf(size) },
  { header: 'SHA-256', value: ({ fingerprint }) => fingerprint },
  { header: 'DESTINATIONS', value: ({ destinations = [] }) => destinations.map(({ name }) => name).join(', ') },
  { header: 'NOTES', value: ({ release_notes }) => release_notes },
  { header: 'UPLOADED', value: ({ uploaded_at }) => uploaded_at, isTime: true },
];

const giving = {
  group: { value: 'NAME', summary: 'Give it to this distribution group' },
  tester: { value: 'E-MAIL', summary: 'Give it to this tester' },
  mandatory: { value: 'yes|no', summary: 'Apps with the SDK must update', choices: ['yes', 'no'] },
  silent: { summary: 'Send no mail' },
} as const;

interface Giving {
  group?: string | undefined;
  tester?: string | undefined;
  mandatory?: string | undefined;
  silent: boolean;
}

async function give(call: Client, params: App & { release_id: string }, { group, tester, mandatory, silent }: Giving) {
  const given = { mandatory_update: mandatory === 'yes', notify_testers: !silent };
  if (group !== undefined) {
    const ofGroup = { owner_name: params.owner_name, app_name: params.app_name, distribution_group_name: group };
    const { id } = await call(distributionGroups_get, { params: ofGroup });
    await call(releases_addDistributionGroup, { params, body: { id, ...given } });
  }
  if (tester !== undefined) await call(releases_addTesters, { params, body: { email: tester, ...given } });
}

const release = { summary: 'Number of the release, or latest' } as const;

export const releaseCommands = [
  command({
    name: 'releases upload',
    summary: 'Uploads a package as a new release; goes on where it stopped when the connection breaks',
    arguments: { app, file: { summary: 'The package: .apk, .ipa, .msix, .dmg, .zip, …' } },
    options: {
      ...giving,
      notes: { value: 'TEXT', summary: 'Release notes, in Markdown' },
      'notes-from': { value: 'FILE', summary: 'Read them from a file; - for stdin' },
      'build-version': { value: 'VERSION', summary: 'For packages that do not tell it: .zip, .msi, .dmg, .pkg' },
      'build-number': { value: 'NUMBER', summary: 'For .dmg and .pkg' },
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
      const ofRelease = { ...params, release_id: String(id) };
      if (notes !== undefined)
        await call(releases_updateDetails, { params: ofRelease, body: { release_notes: notes } });
      await give(call, ofRelease, options);
      const details = await call(releases_getLatestByUser, { params: ofRelease, query: {} });
      out.record(details, details, detailColumns);
      return exitCodes.ok;
    },
  }),
  operation({
    name: 'releases list',
    endpoint: releases_list,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app), query: {} }),
    columns,
  }),
  operation({
    name: 'releases show',
    endpoint: releases_getLatestByUser,
    arguments: { app, release },
    input: ({ args }) => ({ params: { ...readApp(args.app), release_id: args.release }, query: {} }),
    columns: detailColumns,
  }),
  command({
    name: 'releases distribute',
    summary: 'Gives a release to a distribution group, to a tester, or to a store',
    arguments: { app, release: { summary: 'Number of the release' } },
    options: { ...giving, store: { value: 'NAME', summary: 'Publish it in this store' } },
    async run({ args, options, out, connect }) {
      const { group, tester, store } = options;
      if (group === undefined && tester === undefined && store === undefined) {
        throw wrongUsage('Say to whom: --group NAME, --tester E-MAIL, or --store NAME.');
      }
      const params = { ...readApp(args.app), release_id: args.release };
      const { call } = connect();
      await give(call, params, options);
      if (store !== undefined) await publish(call, params, store);
      out.note(`Release ${args.release} was given to ${group ?? tester ?? store}.`);
    },
  }),
  command({
    name: 'releases edit',
    summary: 'Changes the notes of a release, enables or disables it',
    arguments: { app, release: { summary: 'Number of the release' } },
    options: {
      notes: { value: 'TEXT', summary: 'Release notes, in Markdown' },
      state: { value: 'STATE', summary: 'Whether it can be installed', choices: ['enabled', 'disabled'] },
    },
    async run({ args, options, out, connect }) {
      const params = { ...readApp(args.app), release_id: args.release };
      const body = {
        ...(options.notes === undefined ? {} : { release_notes: options.notes }),
        ...(options.state === undefined ? {} : { enabled: options.state === 'enabled' }),
      };
      if (Object.keys(body).length === 0) throw wrongUsage('Say what to change: --notes TEXT, or --state STATE.');
      const answer = await connect().call(releases_updateDetails, { params, body });
      out.value(answer, `Release ${args.release} is changed.`);
    },
  }),
  operation({
    name: 'releases delete',
    endpoint: releases_delete,
    arguments: { app, release: { summary: 'Number of the release' } },
    input: ({ args }) => ({ params: { ...readApp(args.app), release_id: args.release } }),
    confirm: ({ args }) => `Delete release ${args.release} of ${args.app}, with its file?`,
    done: ({ args }) => `Release ${args.release} is gone.`,
  }),
  command({
    name: 'releases download',
    summary: 'Downloads the package of a release',
    arguments: { app, release },
    options: { to: { value: 'FILE', summary: 'Where to; its own name in this folder if absent' } },
    async run({ args, options, out, connect }) {
      const params = { ...readApp(args.app), release_id: args.release };
      const { download_url = '' } = await connect().call(releases_getLatestByUser, { params, query: {} });
      const target = options.to ?? path.basename(decodeURIComponent(new URL(download_url).pathname));
      await downloadTo(download_url, target);
      out.value({ file: target }, target);
    },
  }),
];
