import { setTimeout as sleep } from 'node:timers/promises';
import {
  dataRequests_list,
  dataSubjectRight_cancelDeleteRequest,
  dataSubjectRight_cancelExportRequest,
  dataSubjectRight_deleteRequest,
  dataSubjectRight_exportRequest,
  dataSubjectRight_exportStatusRequest,
  type EndpointOutput,
  senderRequests_create,
  senderRequests_get,
  senderRequests_list,
} from '@mooring/contract';
import { downloadTo } from '../../arguments/files.ts';
import { app, readApp } from '../../arguments/targets.ts';
import { command } from '../../framework/command.ts';
import { Failure } from '../../framework/errors.ts';
import { operation } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';

const request = { summary: 'Token of the request, as in "mooring requests list"' };

const subjectColumns: Column<EndpointOutput<typeof senderRequests_get>>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'KIND', value: ({ kind }) => kind },
  { header: 'ABOUT', value: ({ user_id, install_id }) => user_id ?? install_id },
  { header: 'STATUS', value: ({ status }) => status },
  { header: 'REMAINING', value: ({ left }) => left },
  { header: 'RECORDS', value: ({ records }) => records },
  { header: 'REQUESTED', value: ({ created_at }) => created_at, isTime: true },
  { header: 'MESSAGE', value: ({ message }) => message },
  { header: 'URL', value: ({ url }) => url },
];

const subjectOptions = {
  user: { value: 'ID', summary: 'ID that the app assigned to the user' },
  install: { value: 'ID', summary: 'Install ID of the device' },
} as const;

/** Archives are small; one that takes longer can be downloaded later. */
const MAX_WAIT_SECONDS = 120;

export const requestCommands = [
  operation({
    name: 'requests list',
    summary: 'List your requests to export your data or delete your account',
    endpoint: dataRequests_list,
    columns: [
      { header: 'TOKEN', value: ({ token }) => token },
      { header: 'KIND', value: ({ kind }) => kind },
      { header: 'STATUS', value: ({ status }) => status },
      { header: 'REQUESTED', value: ({ created_at }) => created_at, isTime: true },
      { header: 'MESSAGE', value: ({ message }) => message },
    ],
  }),
  command({
    name: 'requests export',
    summary: 'Download all data about your account as an archive',
    options: { to: { value: 'FILE', summary: 'Path of the archive (default mooring-data.zip)' } },
    async run({ options, out, connect }) {
      const { call } = connect();
      const { token } = await call(dataSubjectRight_exportRequest, { body: {} });
      for (let second = 0; second < MAX_WAIT_SECONDS; second += 1) {
        const { status, message, sasUrl } = await call(dataSubjectRight_exportStatusRequest, { params: { token } });
        if (status === 'Failed') throw new Failure(message);
        if (sasUrl !== undefined) {
          const target = options.to ?? 'mooring-data.zip';
          await downloadTo(sasUrl, target, 0o600);
          out.value({ file: target }, target);
          return;
        }
        await sleep(1000);
      }
      throw new Failure("The archive isn't ready yet.", {
        advice: `Check "mooring requests list" later. The token of the request is ${token}.`,
      });
    },
  }),
  operation({
    name: 'requests delete-account',
    summary: 'Request the deletion of your account and all data about you',
    endpoint: dataSubjectRight_deleteRequest,
    input: () => ({ body: {} }),
    confirm: () => 'Request the deletion of your account and all data about you?',
    done: (_values, { token }) =>
      `Scheduled the deletion of your account; "mooring requests list" shows the time. To keep the account: mooring requests keep-account ${token}`,
  }),
  operation({
    name: 'requests keep-account',
    summary: 'Cancel the deletion of your account',
    endpoint: dataSubjectRight_cancelDeleteRequest,
    arguments: { request },
    input: ({ args }) => ({ params: { token: args.request }, body: {} }),
    done: () => 'Canceled the deletion of your account.',
  }),
  operation({
    name: 'requests cancel-export',
    summary: 'Cancel an export of your data and delete its archive',
    endpoint: dataSubjectRight_cancelExportRequest,
    arguments: { request },
    input: ({ args }) => ({ params: { token: args.request }, body: {} }),
    done: () => 'Canceled the export and deleted its archive.',
  }),
  operation({
    name: 'requests app list',
    summary: 'List the data requests for users and devices of an app',
    endpoint: senderRequests_list,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns: subjectColumns,
  }),
  operation({
    name: 'requests app show',
    summary: 'Show the status of a data request',
    endpoint: senderRequests_get,
    arguments: { app, request: { summary: 'ID of the request' } },
    input: ({ args }) => ({ params: { ...readApp(args.app), request_id: args.request } }),
    columns: subjectColumns,
  }),
  operation({
    name: 'requests app export',
    endpoint: senderRequests_create,
    summary: 'Export all data of a user or a device of an app, as JSON Lines',
    arguments: { app },
    options: subjectOptions,
    input: ({ args, options }) => ({
      params: readApp(args.app),
      body: { kind: 'export' as const, user_id: options.user, install_id: options.install },
    }),
    columns: subjectColumns,
  }),
  operation({
    name: 'requests app delete',
    endpoint: senderRequests_create,
    summary: 'Delete all data of a user or a device of an app',
    arguments: { app },
    options: subjectOptions,
    input: ({ args, options }) => ({
      params: readApp(args.app),
      body: { kind: 'delete' as const, user_id: options.user, install_id: options.install },
    }),
    confirm: ({ args, options }) =>
      `Delete all data of ${options.user ?? options.install ?? '(no user or device)'} in ${args.app}? This can't be undone.`,
    columns: subjectColumns,
  }),
];
