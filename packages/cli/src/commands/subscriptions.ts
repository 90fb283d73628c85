import { randomUUID } from 'node:crypto';
import {
  healthVersion,
  type OutputOf,
  SubscriptionReaders_Add,
  SubscriptionReaders_List,
  SubscriptionReaders_Remove,
  Subscriptions_Delete,
  Subscriptions_Get,
  Subscriptions_List,
  Subscriptions_Save,
} from '@mooring/contract';
import { command } from '../framework/command.ts';
import { operation } from '../framework/operation.ts';
import type { Column } from '../output.ts';

const subscription = { summary: 'Id, as in "mooring subscriptions list"' } as const;
const user = { summary: 'Name of the user' } as const;
const of = (args: { subscription: string }) => ({
  params: { subscriptionId: args.subscription },
  query: healthVersion,
});

const columns: Column<OutputOf<typeof Subscriptions_Get>>[] = [
  { header: 'ID', value: (one) => one.subscriptionId },
  { header: 'NAME', value: (one) => one.displayName },
  { header: 'OWNER', value: (one) => one.owner },
  { header: 'TENANT', value: (one) => one.tenantId },
];

export const subscriptionCommands = [
  operation({
    name: 'subscriptions list',
    endpoint: Subscriptions_List,
    input: () => ({ query: healthVersion }),
    columns,
  }),
  operation({
    name: 'subscriptions show',
    endpoint: Subscriptions_Get,
    arguments: { subscription },
    input: ({ args }) => of(args),
    columns,
  }),
  operation({
    name: 'subscriptions create',
    endpoint: Subscriptions_Save,
    summary: 'Creates a subscription, and prints its id',
    arguments: { name: { summary: 'The name to show' } },
    options: {
      owner: { value: 'NAME', summary: 'User or organization whose members read it', required: true },
      tenant: { value: 'ID', summary: 'The tenant that it belongs to (default: one of its own)' },
      id: { value: 'ID', summary: 'Its id, if it exists elsewhere already (default: a new one)' },
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
    summary: 'Changes a subscription',
    arguments: { subscription },
    options: {
      name: { value: 'NAME', summary: 'New name to show' },
      owner: { value: 'NAME', summary: 'New owner, a user or an organization' },
      tenant: { value: 'ID', summary: 'New tenant' },
    },
    async run({ args, options, out, connect }) {
      const { call } = connect();
      const before = await call(Subscriptions_Get, of(args));
      const saved = await call(Subscriptions_Save, {
        ...of(args),
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
    endpoint: Subscriptions_Delete,
    arguments: { subscription },
    input: ({ args }) => of(args),
    confirm: ({ args }) => `Remove the subscription ${args.subscription}? Nobody reads events by it any more.`,
    done: ({ args }) => `Removed ${args.subscription}.`,
  }),
  operation({
    name: 'subscriptions readers list',
    endpoint: SubscriptionReaders_List,
    arguments: { subscription },
    input: ({ args }) => of(args),
    columns: [
      { header: 'NAME', value: (reader) => reader.name },
      { header: 'E-MAIL', value: (reader) => reader.email },
      { header: 'DISPLAY NAME', value: (reader) => reader.displayName },
      { header: 'SINCE', value: (reader) => reader.since, isTime: true },
    ],
  }),
  operation({
    name: 'subscriptions readers add',
    endpoint: SubscriptionReaders_Add,
    arguments: { subscription, user },
    input: ({ args }) => ({ params: { ...of(args).params, userName: args.user }, query: healthVersion }),
    done: ({ args }) => `${args.user} may read ${args.subscription}.`,
  }),
  operation({
    name: 'subscriptions readers remove',
    endpoint: SubscriptionReaders_Remove,
    arguments: { subscription, user },
    input: ({ args }) => ({ params: { ...of(args).params, userName: args.user }, query: healthVersion }),
    done: ({ args }) => `${args.user} may no longer read ${args.subscription}.`,
  }),
];
