import { randomUUID } from 'node:crypto';
import {
  type EndpointOutput,
  healthVersion,
  SubscriptionReaders_Add,
  SubscriptionReaders_List,
  SubscriptionReaders_Remove,
  Subscriptions_Delete,
  Subscriptions_Get,
  Subscriptions_List,
  Subscriptions_Save,
} from '@mooring/contract';
import { subscription } from '../../arguments/targets.ts';
import { command } from '../../framework/command.ts';
import { operation } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';

const user = { summary: 'Name of the user' } as const;
const toParams = (args: { subscription: string }) => ({
  params: { subscriptionId: args.subscription },
  query: healthVersion,
});

const columns: Column<EndpointOutput<typeof Subscriptions_Get>>[] = [
  { header: 'ID', value: (one) => one.subscriptionId },
  { header: 'NAME', value: (one) => one.displayName },
  { header: 'OWNER', value: (one) => one.owner },
  { header: 'TENANT', value: (one) => one.tenantId },
];

export const subscriptionCommands = [
  operation({
    name: 'subscriptions list',
    summary: 'List the subscriptions that you can read',
    endpoint: Subscriptions_List,
    input: () => ({ query: healthVersion }),
    columns,
  }),
  operation({
    name: 'subscriptions show',
    summary: 'Show a subscription',
    endpoint: Subscriptions_Get,
    arguments: { subscription },
    input: ({ args }) => toParams(args),
    columns,
  }),
  operation({
    name: 'subscriptions create',
    endpoint: Subscriptions_Save,
    summary: 'Create a subscription and print its ID',
    arguments: { name: { summary: 'Display name' } },
    options: {
      owner: {
        value: 'NAME',
        summary: 'User or organization that owns the subscription; members of the organization can read it',
        required: true,
      },
      tenant: { value: 'ID', summary: 'Tenant ID (default: a new tenant)' },
      id: { value: 'ID', summary: 'Subscription ID, if it exists on another server (default: a new ID)' },
    },
    input: ({ args, options }) => ({
      params: { subscriptionId: options.id ?? randomUUID() },
      query: healthVersion,
      body: { displayName: args.name, owner: options.owner, tenantId: options.tenant ?? randomUUID() },
    }),
    line: (made) => made.subscriptionId,
  }),
  command({
    name: 'subscriptions update',
    summary: 'Change a subscription',
    arguments: { subscription },
    options: {
      name: { value: 'NAME', summary: 'New display name' },
      owner: { value: 'NAME', summary: 'New owner: a user or an organization' },
      tenant: { value: 'ID', summary: 'New tenant ID' },
    },
    async run({ args, options, out, connect }) {
      const { call } = connect();
      const before = await call(Subscriptions_Get, toParams(args));
      const saved = await call(Subscriptions_Save, {
        ...toParams(args),
        body: {
          displayName: options.name ?? before.displayName,
          owner: options.owner ?? before.owner,
          tenantId: options.tenant ?? before.tenantId,
        },
      });
      out.record(saved, saved, columns);
    },
  }),
  operation({
    name: 'subscriptions delete',
    summary: 'Delete a subscription',
    endpoint: Subscriptions_Delete,
    arguments: { subscription },
    input: ({ args }) => toParams(args),
    confirm: ({ args }) =>
      `Delete the subscription ${args.subscription}? Its readers can no longer read events through it.`,
    done: ({ args }) => `Deleted subscription ${args.subscription}.`,
  }),
  operation({
    name: 'subscriptions readers list',
    summary: 'List the users who were granted read access to a subscription',
    endpoint: SubscriptionReaders_List,
    arguments: { subscription },
    input: ({ args }) => toParams(args),
    columns: [
      { header: 'NAME', value: (reader) => reader.name },
      { header: 'EMAIL', value: (reader) => reader.email },
      { header: 'DISPLAY NAME', value: (reader) => reader.displayName },
      { header: 'SINCE', value: (reader) => reader.since, isTime: true },
    ],
  }),
  operation({
    name: 'subscriptions readers add',
    summary: 'Grant a user read access to a subscription',
    endpoint: SubscriptionReaders_Add,
    arguments: { subscription, user },
    input: ({ args }) => ({ params: { ...toParams(args).params, userName: args.user }, query: healthVersion }),
    done: ({ args }) => `${args.user} can read ${args.subscription} now.`,
  }),
  operation({
    name: 'subscriptions readers remove',
    summary: 'Revoke the read access of a user to a subscription',
    endpoint: SubscriptionReaders_Remove,
    arguments: { subscription, user },
    input: ({ args }) => ({ params: { ...toParams(args).params, userName: args.user }, query: healthVersion }),
    done: ({ args }) => `${args.user} can no longer read ${args.subscription}.`,
  }),
];
