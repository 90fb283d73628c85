import {
  type EndpointOutput,
  sentry_get,
  sentryKeys_create,
  sentryKeys_delete,
  sentryKeys_list,
  sentryKeys_update,
} from '@mooring/contract';
import { readOverlap } from '../../arguments/overlap-hours.ts';
import { app, readApp } from '../../arguments/targets.ts';
import { operation } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';

type Key = EndpointOutput<typeof sentryKeys_create>;

const keyColumns: Column<Key>[] = [
  { header: 'KEY', value: ({ public_key }) => public_key },
  { header: 'NAME', value: ({ name }) => name },
  { header: 'ENABLED', value: ({ is_enabled }) => is_enabled },
  { header: 'CREATED', value: ({ created_at }) => created_at, isTime: true },
  { header: 'ENDS', value: ({ ends_at }) => ends_at, isTime: true },
  { header: 'DSN', value: ({ dsn }) => dsn },
];

const key = { summary: 'Key: the 32 digits before @ in the DSN' } as const;

const setEnabled = (isEnabled: boolean) =>
  ({
    endpoint: sentryKeys_update,
    arguments: { app, key },
    input: ({ args }: { args: { app: string; key: string } }) => ({
      params: { ...readApp(args.app), public_key: args.key },
      body: { is_enabled: isEnabled },
    }),
    columns: keyColumns,
  }) as const;

export const sentryCommands = [
  operation({
    name: 'sentry dsn',
    summary: 'Show the DSN of an app for Sentry SDKs',
    endpoint: sentry_get,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns: [
      { header: 'DSN', value: ({ dsn }) => dsn },
      { header: 'PROJECT ID', value: ({ project_id }) => project_id },
      { header: 'KEY', value: ({ public_key }) => public_key },
    ],
  }),
  operation({
    name: 'sentry keys list',
    summary: 'List the keys of an app for Sentry SDKs',
    endpoint: sentryKeys_list,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns: keyColumns,
  }),
  operation({
    name: 'sentry keys create',
    summary: 'Create a key for Sentry SDKs; the other keys stay valid',
    endpoint: sentryKeys_create,
    arguments: { app },
    options: { name: { value: 'NAME', summary: 'Name of the key (default: a number)' } },
    input: ({ args, options: { name } }) => ({ params: readApp(args.app), body: name ? { name } : {} }),
    columns: keyColumns,
  }),
  operation({
    ...setEnabled(false),
    name: 'sentry keys disable',
    summary: 'Reject data with a key until it is enabled again',
    confirm: ({ args }) => `Disable the key ${args.key}? Installed apps that use it lose their data.`,
  }),
  operation({ ...setEnabled(true), name: 'sentry keys enable', summary: 'Accept data with a disabled key again' }),
  operation({
    name: 'sentry keys delete',
    summary: 'Revoke a key, immediately or after some hours',
    endpoint: sentryKeys_delete,
    arguments: { app, key },
    options: { hours: { value: 'HOURS', summary: 'Hours for which the key stays valid (default 0)' } },
    input: ({ args, options: { hours } }) => ({
      params: { ...readApp(args.app), public_key: args.key },
      query: hours === undefined ? {} : { overlap_hours: readOverlap(hours) },
    }),
    confirm: ({ args }) => `Revoke the key ${args.key}? Installed apps that use it lose their data once it ends.`,
    done: ({ args }) => `Revoked the key ${args.key}.`,
  }),
];
