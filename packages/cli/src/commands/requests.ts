import { setTimeout as sleep } from 'node:timers/promises';
import {
  dataRequests_list,
  dataSubjectRight_cancelDeleteRequest,
  dataSubjectRight_cancelExportRequest,
  dataSubjectRight_deleteRequest,
  dataSubjectRight_exportRequest,
  dataSubjectRight_exportStatusRequest,
  type OutputOf,
  senderRequests_create,
  senderRequests_get,
  senderRequests_list,
} from '@mooring/contract';
import { downloadTo } from '../files.ts';
import { command } from '../framework/command.ts';
import { Failure } from '../framework/errors.ts';
import { operation } from '../framework/operation.ts';
import type { Column } from '../output.ts';
import { readApp } from '../targets.ts';
import { app } from './apps.ts';

const request = { summary: 'Token of the request' };

const senderColumns: Column<OutputOf<typeof senderRequests_get>>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'KIND', value: ({ kind }) => kind },
  { header: 'ABOUT', value: ({ user_id, install_id }) => user_id ?? install_id },
  { header: 'STATUS', value: ({ status }) => status },
  { header: 'LEFT', value: ({ left }) => left },
  { header: 'RECORDS', value: ({ records }) => records },
  { header: 'ASKED', value: ({ created_at }) => created_at, isTime: true },
  { header: 'MESSAGE', value: ({ message }) => message },
  { header: 'URL', value: ({ url }) => url },
];

const aboutWhom = {
  user: { value: 'ID', summary: 'Id that the app gave the user' },
  install: { value: 'ID', summary: 'Id of the installation' },
} as const;

/** An archive of a person is small; one that takes longer can be downloaded later. */
const PATIENCE = 120;

export const requestCommands = [
  operation({
    name: 'requests list',
    endpoint: dataRequests_list,
    columns: [
      { header: 'TOKEN', value: ({ token }) => token },
      { header: 'KIND', value: ({ kind }) => kind },
      { header: 'STATUS', value: ({ status }) => status },
      { header: 'ASKED', value: ({ created_at }) => created_at, isTime: true },
      { header: 'MESSAGE', value: ({ message }) => message },
    ],
  }),
  command({
    name: 'requests export',
    summary: 'Downloads everything that is kept about your account',
    options: { to: { value: 'FILE', summary: 'Where to (default mooring-data.zip)' } },
    async run({ options, out, connect }) {
      const { call } = connect();
      const { token } = await call(dataSubjectRight_exportRequest, { body: {} });
      for (let second = 0; second < PATIENCE; second += 1) {
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
      throw new Failure('The archive is not ready yet.', {
        advice: `See "mooring requests list" in a while; its token is ${token}.`,
      });
    },
  }),
  operation({
    name: 'requests delete-account',
    endpoint: dataSubjectRight_deleteRequest,
    input: () => ({ body: {} }),
    confirm: () => 'Ask for your account, and everything about you, to be deleted?',
    done: (_values, { token }) =>
      `Your account is going to be deleted; "mooring requests list" says when. To keep it: mooring requests keep-account ${token}`,
  }),
  operation({
    name: 'requests keep-account',
    endpoint: dataSubjectRight_cancelDeleteRequest,
    arguments: { request },
    input: ({ args }) => ({ params: { token: args.request }, body: {} }),
    done: () => 'Your account stays.',
  }),
  operation({
    name: 'requests cancel-export',
    endpoint: dataSubjectRight_cancelExportRequest,
    arguments: { request },
    input: ({ args }) => ({ params: { token: args.request }, body: {} }),
    done: () => 'The archive is gone.',
  }),
  operation({
    name: 'requests app list',
    endpoint: senderRequests_list,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns: senderColumns,
  }),
  operation({
    name: 'requests app show',
    endpoint: senderRequests_get,
    arguments: { app, request: { summary: 'Id of the request' } },
    input: ({ args }) => ({ params: { ...readApp(args.app), request_id: args.request } }),
    columns: senderColumns,
  }),
  operation({
    name: 'requests app export',
    endpoint: senderRequests_create,
    summary: 'Exports all that a user or an installation of an app sent, as JSON Lines',
    arguments: { app },
    options: aboutWhom,
    input: ({ args, options }) => ({
      params: readApp(args.app),
      body: { kind: 'export' as const, user_id: options.user, install_id: options.install },
    }),
    columns: senderColumns,
  }),
  operation({
    name: 'requests app delete',
    endpoint: senderRequests_create,
    summary: 'Deletes all that a user or an installation of an app sent',
    arguments: { app },
    options: aboutWhom,
    input: ({ args, options }) => ({
      params: readApp(args.app),
      body: { kind: 'delete' as const, user_id: options.user, install_id: options.install },
    }),
    confirm: ({ args, options }) =>
      `Delete all that ${options.user ?? options.install ?? 'nobody'} sent to ${args.app}? That cannot be undone.`,
    columns: senderColumns,
  }),
];
