import {
  type EndpointOutput,
  HealthFeeds_Create,
  HealthFeeds_Delete,
  HealthFeeds_List,
  HealthWebhookDeliveries_List,
  HealthWebhookDeliveries_Replay,
  HealthWebhookDeliveries_Watch,
  HealthWebhooks_Create,
  HealthWebhooks_Delete,
  HealthWebhooks_Get,
  HealthWebhooks_List,
  HealthWebhooks_RotateSecret,
  HealthWebhooks_Test,
  HealthWebhooks_Update,
  healthVersion,
} from '@mooring/contract';
import { subscription } from '../../arguments/targets.ts';
import { operation } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';

const filter = { value: 'FILTER', summary: 'Filter expression for events, such as "service eq \'Payments\'"' } as const;
const webhook = { summary: 'Webhook ID, as in "mooring webhooks list"' } as const;
const feed = { summary: 'Feed ID, as in "mooring feeds list"' } as const;

const inSubscription = (args: { subscription: string }) => ({
  params: { subscriptionId: args.subscription },
  query: healthVersion,
});
const atWebhook = (args: { subscription: string; webhook: string }) => ({
  params: { subscriptionId: args.subscription, webhookId: args.webhook },
  query: healthVersion,
});

type Webhook = EndpointOutput<typeof HealthWebhooks_Get>;
type Delivery = EndpointOutput<typeof HealthWebhooks_Test>;

const columns: Column<Webhook>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'URL', value: ({ url }) => url },
  { header: 'ENABLED', value: ({ isEnabled }) => isEnabled },
  { header: 'FILTER', value: (row) => row.filter },
  { header: 'CREATED BY', value: ({ createdBy }) => createdBy },
  { header: 'CREATED', value: ({ createdAt }) => createdAt, isTime: true },
  { header: 'FAILING SINCE', value: ({ failingSince }) => failingSince, isTime: true },
  { header: 'DISABLED REASON', value: ({ disabledReason }) => disabledReason },
];
const secretColumns: Column<EndpointOutput<typeof HealthWebhooks_Create>>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'SECRET', value: ({ secret }) => secret },
];
const deliveryColumns: Column<Delivery>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'CREATED', value: ({ createdAt }) => createdAt, isTime: true },
  { header: 'STATE', value: ({ state }) => state },
  { header: 'CHANGE', value: ({ change }) => change },
  { header: 'TRACKING ID', value: ({ trackingId }) => trackingId },
  { header: 'ATTEMPTS', value: ({ attempts }) => attempts.length },
  { header: 'LAST RESPONSE', value: ({ attempts }) => attempts.at(-1)?.status ?? attempts.at(-1)?.error },
];

const secretNote = 'Save the secret: it is shown only once.';

/** Webhooks of subscriptions; `webhooks.ts` merges them with those of apps and organizations. */
export const healthWebhookCommands = [
  operation({
    name: 'webhooks list',
    endpoint: HealthWebhooks_List,
    arguments: { subscription },
    input: ({ args }) => inSubscription(args),
    columns,
  }),
  operation({
    name: 'webhooks show',
    endpoint: HealthWebhooks_Get,
    arguments: { subscription, webhook },
    input: ({ args }) => atWebhook(args),
    columns,
  }),
  operation({
    name: 'webhooks create',
    endpoint: HealthWebhooks_Create,
    arguments: { subscription, url: { summary: 'HTTPS URL that receives messages by POST' } },
    options: { filter },
    input: ({ args, options }) => ({ ...inSubscription(args), body: { url: args.url, filter: options.filter } }),
    columns: secretColumns,
    done: () => secretNote,
  }),
  operation({
    name: 'webhooks update',
    endpoint: HealthWebhooks_Update,
    arguments: { subscription, webhook },
    options: {
      url: { value: 'URL', summary: 'New URL' },
      filter: { ...filter, summary: `${filter.summary}; empty for all events` },
      enabled: { value: 'yes|no', summary: 'Whether the webhook sends messages', choices: ['yes', 'no'] },
    },
    input: ({ args, options: { url, filter, enabled } }) => ({
      ...atWebhook(args),
      body: { url, filter, isEnabled: enabled === undefined ? undefined : enabled === 'yes' },
    }),
    columns,
  }),
  operation({
    name: 'webhooks delete',
    endpoint: HealthWebhooks_Delete,
    arguments: { subscription, webhook },
    input: ({ args }) => atWebhook(args),
    confirm: ({ args }) => `Delete the webhook ${args.webhook} and its deliveries?`,
    done: ({ args }) => `Deleted webhook ${args.webhook}.`,
  }),
  operation({
    name: 'webhooks rotate',
    endpoint: HealthWebhooks_RotateSecret,
    arguments: { subscription, webhook },
    input: ({ args }) => atWebhook(args),
    columns: secretColumns,
    done: () => `${secretNote} For 24 hours, messages are signed with the previous secret, too.`,
  }),
  operation({
    name: 'webhooks test',
    endpoint: HealthWebhooks_Test,
    summary: 'Send a test message to a webhook',
    arguments: { subscription, webhook },
    input: ({ args }) => atWebhook(args),
    columns: deliveryColumns,
  }),
  operation({
    name: 'webhooks deliveries',
    endpoint: HealthWebhookDeliveries_List,
    follow: HealthWebhookDeliveries_Watch,
    arguments: { subscription, webhook },
    input: ({ args }) => atWebhook(args),
    columns: deliveryColumns,
  }),
  operation({
    name: 'webhooks replay',
    endpoint: HealthWebhookDeliveries_Replay,
    arguments: { subscription, webhook, delivery: { summary: 'Delivery ID, as in "mooring webhooks deliveries"' } },
    input: ({ args }) => ({
      params: { ...atWebhook(args).params, deliveryId: args.delivery },
      query: healthVersion,
    }),
    columns: deliveryColumns,
  }),
];

export const feedCommands = [
  operation({
    name: 'feeds list',
    summary: 'List your feeds of a subscription',
    endpoint: HealthFeeds_List,
    arguments: { subscription },
    input: ({ args }) => inSubscription(args),
    columns: [
      { header: 'ID', value: ({ id }) => id },
      { header: 'FILTER', value: (row) => row.filter },
      { header: 'CREATED BY', value: ({ createdBy }) => createdBy },
      { header: 'CREATED', value: ({ createdAt }) => createdAt, isTime: true },
    ],
  }),
  operation({
    name: 'feeds create',
    endpoint: HealthFeeds_Create,
    summary: 'Create an Atom feed and a calendar whose secret URLs work without signing in',
    arguments: { subscription },
    options: { filter },
    input: ({ args, options }) => ({ ...inSubscription(args), body: { filter: options.filter } }),
    columns: [
      { header: 'ID', value: ({ id }) => id },
      { header: 'ATOM', value: ({ atomUrl }) => atomUrl },
      { header: 'CALENDAR', value: ({ calendarUrl }) => calendarUrl },
    ],
    done: () =>
      'Save the URLs: they are shown only once. Keep them secret: anyone with a URL can read all events that you can read.',
  }),
  operation({
    name: 'feeds delete',
    summary: 'Delete a feed, whose URLs stop working',
    endpoint: HealthFeeds_Delete,
    arguments: { subscription, feed },
    input: ({ args }) => ({ params: { ...inSubscription(args).params, feedId: args.feed }, query: healthVersion }),
    confirm: ({ args }) => `Delete the feed ${args.feed}? Its URLs stop working.`,
    done: ({ args }) => `Deleted feed ${args.feed}.`,
  }),
];
