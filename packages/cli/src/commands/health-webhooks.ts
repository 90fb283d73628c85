import {
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
  type OutputOf,
} from '@mooring/contract';
import { operation } from '../framework/operation.ts';
import type { Column } from '../output.ts';

const subscription = { value: 'ID', summary: 'The subscription whose events are meant', required: true } as const;
const where = { subscription } as const;
const filter = { value: 'FILTER', summary: 'Only events that match, such as "service eq \'Mail\'"' } as const;
const webhook = { summary: 'Id, as in "mooring webhooks list"' } as const;
const feed = { summary: 'Id, as in "mooring feeds list"' } as const;

const of = (options: { subscription: string }) => ({
  params: { subscriptionId: options.subscription },
  query: healthVersion,
});
const one = (args: { webhook: string }, options: { subscription: string }) => ({
  params: { subscriptionId: options.subscription, webhookId: args.webhook },
  query: healthVersion,
});

type Webhook = OutputOf<typeof HealthWebhooks_Get>;
type Delivery = OutputOf<typeof HealthWebhooks_Test>;

const columns: Column<Webhook>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'URL', value: ({ url }) => url },
  { header: 'ENABLED', value: ({ isEnabled }) => isEnabled },
  { header: 'FILTER', value: (row) => row.filter },
  { header: 'BY', value: ({ createdBy }) => createdBy },
  { header: 'CREATED', value: ({ createdAt }) => createdAt, isTime: true },
  { header: 'FAILING SINCE', value: ({ failingSince }) => failingSince, isTime: true },
  { header: 'DISABLED BECAUSE', value: ({ disabledReason }) => disabledReason },
];
const secretColumns: Column<OutputOf<typeof HealthWebhooks_Create>>[] = [
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
  { header: 'LAST ANSWER', value: ({ attempts }) => attempts.at(-1)?.status ?? attempts.at(-1)?.error },
];

const keep = 'Keep the secret: it is shown only now.';

/** Of subscriptions; `webhooks.ts` has them beside those of apps and organizations. */
export const healthWebhookCommands = [
  operation({
    name: 'webhooks list',
    endpoint: HealthWebhooks_List,
    options: where,
    input: ({ options }) => of(options),
    columns,
  }),
  operation({
    name: 'webhooks show',
    endpoint: HealthWebhooks_Get,
    arguments: { webhook },
    options: where,
    input: ({ args, options }) => one(args, options),
    columns,
  }),
  operation({
    name: 'webhooks create',
    endpoint: HealthWebhooks_Create,
    arguments: { url: { summary: 'Where messages are sent by POST: an https address' } },
    options: { ...where, filter },
    input: ({ args, options }) => ({ ...of(options), body: { url: args.url, filter: options.filter } }),
    columns: secretColumns,
    done: () => keep,
  }),
  operation({
    name: 'webhooks update',
    endpoint: HealthWebhooks_Update,
    arguments: { webhook },
    options: {
      ...where,
      url: { value: 'URL', summary: 'New address' },
      filter: { ...filter, summary: `${filter.summary}; an empty one means every event` },
      enabled: { value: 'yes|no', summary: 'Whether messages are sent', choices: ['yes', 'no'] },
    },
    input: ({ args, options: { url, filter, enabled, ...options } }) => ({
      ...one(args, options),
      body: { url, filter, isEnabled: enabled === undefined ? undefined : enabled === 'yes' },
    }),
    columns,
  }),
  operation({
    name: 'webhooks delete',
    endpoint: HealthWebhooks_Delete,
    arguments: { webhook },
    options: where,
    input: ({ args, options }) => one(args, options),
    confirm: ({ args }) => `Remove the webhook ${args.webhook} and its log?`,
    done: ({ args }) => `Removed ${args.webhook}.`,
  }),
  operation({
    name: 'webhooks rotate',
    endpoint: HealthWebhooks_RotateSecret,
    arguments: { webhook },
    options: where,
    input: ({ args, options }) => one(args, options),
    columns: secretColumns,
    done: () => `${keep} For 24 hours messages are signed with the old one too.`,
  }),
  operation({
    name: 'webhooks test',
    endpoint: HealthWebhooks_Test,
    summary: 'Sends a message to try a webhook',
    arguments: { webhook },
    options: where,
    input: ({ args, options }) => one(args, options),
    columns: deliveryColumns,
  }),
  operation({
    name: 'webhooks deliveries',
    endpoint: HealthWebhookDeliveries_List,
    follow: HealthWebhookDeliveries_Watch,
    arguments: { webhook },
    options: where,
    input: ({ args, options }) => one(args, options),
    columns: deliveryColumns,
  }),
  operation({
    name: 'webhooks replay',
    endpoint: HealthWebhookDeliveries_Replay,
    arguments: { webhook, delivery: { summary: 'Id, as in "mooring webhooks deliveries"' } },
    options: where,
    input: ({ args, options }) => ({
      params: { ...one(args, options).params, deliveryId: args.delivery },
      query: healthVersion,
    }),
    columns: deliveryColumns,
  }),
];

export const feedCommands = [
  operation({
    name: 'feeds list',
    endpoint: HealthFeeds_List,
    options: where,
    input: ({ options }) => of(options),
    columns: [
      { header: 'ID', value: ({ id }) => id },
      { header: 'FILTER', value: (row) => row.filter },
      { header: 'BY', value: ({ createdBy }) => createdBy },
      { header: 'CREATED', value: ({ createdAt }) => createdAt, isTime: true },
    ],
  }),
  operation({
    name: 'feeds create',
    endpoint: HealthFeeds_Create,
    summary: 'Makes addresses of a feed and a calendar that are read without signing in',
    options: { ...where, filter },
    input: ({ options }) => ({ ...of(options), body: { filter: options.filter } }),
    columns: [
      { header: 'ID', value: ({ id }) => id },
      { header: 'ATOM', value: ({ atomUrl }) => atomUrl },
      { header: 'CALENDAR', value: ({ calendarUrl }) => calendarUrl },
    ],
    done: () => 'Keep the addresses: they are shown only now, and whoever knows them reads what you may read.',
  }),
  operation({
    name: 'feeds delete',
    endpoint: HealthFeeds_Delete,
    arguments: { feed },
    options: where,
    input: ({ args, options }) => ({ params: { ...of(options).params, feedId: args.feed }, query: healthVersion }),
    confirm: ({ args }) => `Remove the feed ${args.feed}? Its addresses stop working.`,
    done: ({ args }) => `Removed ${args.feed}.`,
  }),
];
