import {
  type AnnouncementType,
  announcementTypes,
  type EndpointOutput,
  orgWebhookDeliveries_list,
  orgWebhookDeliveries_replay,
  orgWebhookDeliveries_watch,
  orgWebhooks_create,
  orgWebhooks_delete,
  orgWebhooks_get,
  orgWebhooks_list,
  orgWebhooks_rotateSecret,
  orgWebhooks_test,
  orgWebhooks_update,
  webhookDeliveries_list,
  webhookDeliveries_replay,
  webhookDeliveries_watch,
  webhookFormats,
  webhooks_create,
  webhooks_delete,
  webhooks_get,
  webhooks_list,
  webhooks_rotateSecret,
  webhooks_test,
  webhooks_update,
} from '@mooring/contract';
import { app, appOrgOrSubscription, getTargetKind, org, readApp } from '../arguments/targets.ts';
import type { Command } from '../framework/command.ts';
import { wrongUsage } from '../framework/errors.ts';
import { operation } from '../framework/operation.ts';
import type { Column } from '../terminal/output.ts';
import { healthWebhookCommands } from './health/health-webhooks.ts';

const webhook = { summary: 'Webhook ID, as in "mooring webhooks list"' } as const;
const delivery = { summary: 'Delivery ID, as in "mooring webhooks deliveries"' } as const;
const url = { summary: 'HTTPS URL that receives messages by POST' } as const;
const settings = {
  events: { value: 'EVENTS', summary: `Event types, comma-separated: ${announcementTypes.join(', ')}` },
  name: { value: 'NAME', summary: 'Name of the webhook' },
  format: { value: 'FORMAT', summary: 'Message format', choices: webhookFormats },
  filter: { value: 'FILTER', summary: "Filter expression for events, such as kind eq 'crash'; empty for all events" },
} as const;
const changes = {
  ...settings,
  url: { value: 'URL', summary: 'New URL' },
  enabled: { value: 'yes|no', summary: 'Whether the webhook sends messages', choices: ['yes', 'no'] },
} as const;
const event = {
  event: { value: 'EVENT', summary: 'Event type of the test message', choices: announcementTypes },
} as const;

type Webhook = EndpointOutput<typeof webhooks_get>;
type Delivery = EndpointOutput<typeof webhooks_test>;

const columns: Column<Webhook>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'NAME', value: ({ name }) => name },
  { header: 'URL', value: (row) => row.url },
  { header: 'ENABLED', value: ({ enabled }) => enabled },
  { header: 'EVENTS', value: ({ event_types }) => event_types.join(',') },
  { header: 'FORMAT', value: ({ format }) => format },
  { header: 'FILTER', value: ({ filter }) => filter },
  { header: 'FAILING SINCE', value: ({ failing_since }) => failing_since, isTime: true },
  { header: 'DISABLED REASON', value: ({ disabled_reason }) => disabled_reason },
];
const secretColumns: Column<EndpointOutput<typeof webhooks_create>>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'SECRET', value: ({ secret }) => secret },
];
const deliveryColumns: Column<Delivery>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'CREATED', value: ({ created_at }) => created_at, isTime: true },
  { header: 'STATE', value: ({ state }) => state },
  { header: 'EVENT', value: ({ event_type }) => event_type },
  { header: 'SUBJECT', value: ({ subject }) => subject },
  { header: 'ATTEMPTS', value: ({ attempts }) => attempts.length },
  { header: 'LAST RESPONSE', value: ({ attempts }) => attempts.at(-1)?.status ?? attempts.at(-1)?.error },
];

const secretNote = 'Save the secret: it is shown only once.';

/** The server validates the types. */
const readEvents = (text: string): AnnouncementType[] =>
  text
    .split(',')
    .map((type) => type.trim())
    .filter(Boolean) as AnnouncementType[];

function readNew(options: {
  events?: string | undefined;
  name?: string | undefined;
  format?: Webhook['format'] | undefined;
  filter?: string | undefined;
}) {
  const { events, name, format, filter } = options;
  if (events === undefined)
    throw wrongUsage('Missing event types. Use --events, such as --events newCrashGroupCreated,newAppReleased.');
  return { event_types: readEvents(events), name, format, filter };
}

interface Change {
  events?: string | undefined;
  name?: string | undefined;
  format?: Webhook['format'] | undefined;
  filter?: string | undefined;
  url?: string | undefined;
  enabled?: 'yes' | 'no' | undefined;
}

const readChange = ({ events, name, format, filter, url, enabled }: Change) => ({
  name,
  url,
  format,
  filter,
  event_types: events === undefined ? undefined : readEvents(events),
  enabled: enabled === undefined ? undefined : enabled === 'yes',
});

const inApp = (args: { app: string; webhook: string }) => ({ ...readApp(args.app), webhook_id: args.webhook });
const inOrg = (args: { org: string; webhook: string }) => ({ org_name: args.org, webhook_id: args.webhook });

const deletion = {
  confirm: ({ args }: { args: { webhook: string } }) => `Delete the webhook ${args.webhook} and its deliveries?`,
  done: ({ args }: { args: { webhook: string } }) => `Deleted webhook ${args.webhook}.`,
};
const rotation = {
  columns: secretColumns,
  done: () => `${secretNote} For 24 hours, messages are signed with the previous secret, too.`,
};

const appCommands = [
  operation({
    name: 'webhooks list',
    endpoint: webhooks_list,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns,
  }),
  operation({
    name: 'webhooks show',
    endpoint: webhooks_get,
    arguments: { app, webhook },
    input: ({ args }) => ({ params: inApp(args) }),
    columns,
  }),
  operation({
    name: 'webhooks create',
    endpoint: webhooks_create,
    arguments: { app, url },
    options: settings,
    input: ({ args, options }) => ({
      params: readApp(args.app),
      body: { url: args.url, ...readNew(options) },
    }),
    columns: secretColumns,
    done: () => secretNote,
  }),
  operation({
    name: 'webhooks update',
    endpoint: webhooks_update,
    arguments: { app, webhook },
    options: changes,
    input: ({ args, options }) => ({ params: inApp(args), body: readChange(options) }),
    columns,
  }),
  operation({
    name: 'webhooks delete',
    endpoint: webhooks_delete,
    arguments: { app, webhook },
    input: ({ args }) => ({ params: inApp(args) }),
    ...deletion,
  }),
  operation({
    name: 'webhooks rotate',
    endpoint: webhooks_rotateSecret,
    arguments: { app, webhook },
    input: ({ args }) => ({ params: inApp(args), body: {} }),
    ...rotation,
  }),
  operation({
    name: 'webhooks test',
    endpoint: webhooks_test,
    arguments: { app, webhook },
    options: event,
    input: ({ args, options }) => ({ params: inApp(args), body: { event_type: options.event } }),
    columns: deliveryColumns,
  }),
  operation({
    name: 'webhooks deliveries',
    endpoint: webhookDeliveries_list,
    follow: webhookDeliveries_watch,
    arguments: { app, webhook },
    input: ({ args }) => ({ params: inApp(args) }),
    columns: deliveryColumns,
  }),
  operation({
    name: 'webhooks replay',
    endpoint: webhookDeliveries_replay,
    arguments: { app, webhook, delivery },
    input: ({ args }) => ({
      params: { ...inApp(args), delivery_id: args.delivery },
      body: {},
    }),
    columns: deliveryColumns,
  }),
];

const orgCommands = [
  operation({
    name: 'webhooks list',
    endpoint: orgWebhooks_list,
    arguments: { org },
    input: ({ args }) => ({ params: { org_name: args.org } }),
    columns,
  }),
  operation({
    name: 'webhooks show',
    endpoint: orgWebhooks_get,
    arguments: { org, webhook },
    input: ({ args }) => ({ params: inOrg(args) }),
    columns,
  }),
  operation({
    name: 'webhooks create',
    endpoint: orgWebhooks_create,
    arguments: { org, url },
    options: settings,
    input: ({ args, options }) => ({
      params: { org_name: args.org },
      body: { url: args.url, ...readNew(options) },
    }),
    columns: secretColumns,
    done: () => secretNote,
  }),
  operation({
    name: 'webhooks update',
    endpoint: orgWebhooks_update,
    arguments: { org, webhook },
    options: changes,
    input: ({ args, options }) => ({ params: inOrg(args), body: readChange(options) }),
    columns,
  }),
  operation({
    name: 'webhooks delete',
    endpoint: orgWebhooks_delete,
    arguments: { org, webhook },
    input: ({ args }) => ({ params: inOrg(args) }),
    ...deletion,
  }),
  operation({
    name: 'webhooks rotate',
    endpoint: orgWebhooks_rotateSecret,
    arguments: { org, webhook },
    input: ({ args }) => ({ params: inOrg(args), body: {} }),
    ...rotation,
  }),
  operation({
    name: 'webhooks test',
    endpoint: orgWebhooks_test,
    arguments: { org, webhook },
    options: event,
    input: ({ args, options }) => ({ params: inOrg(args), body: { event_type: options.event } }),
    columns: deliveryColumns,
  }),
  operation({
    name: 'webhooks deliveries',
    endpoint: orgWebhookDeliveries_list,
    follow: orgWebhookDeliveries_watch,
    arguments: { org, webhook },
    input: ({ args }) => ({ params: inOrg(args) }),
    columns: deliveryColumns,
  }),
  operation({
    name: 'webhooks replay',
    endpoint: orgWebhookDeliveries_replay,
    arguments: { org, webhook, delivery },
    input: ({ args }) => ({
      params: { ...inOrg(args), delivery_id: args.delivery },
      body: {},
    }),
    columns: deliveryColumns,
  }),
];

const summaries: Record<string, string> = {
  'webhooks list': 'List the webhooks of an app or an organization, or your webhooks of a subscription',
  'webhooks show': 'Show a webhook',
  'webhooks create': 'Create a webhook for events of an app or an organization, or for health events of a subscription',
  'webhooks update': 'Change a webhook',
  'webhooks delete': 'Delete a webhook and its deliveries',
  'webhooks rotate': 'Replace the secret of a webhook',
  'webhooks test': 'Send a test message to a webhook',
  'webhooks deliveries': 'List the deliveries of a webhook, newest first; with --follow also new ones as they happen',
  'webhooks replay': 'Send the message of a delivery again',
};

const kinds = ['app', 'org', 'subscription'] as const;
type Kind = (typeof kinds)[number];
const kindLabels: Record<Kind, string> = {
  app: 'an app',
  org: 'an organization',
  subscription: 'a subscription',
};

const globals = ['json', 'profile', 'help'];
const listSetOptions = (options: object): string[] =>
  Object.entries(options).flatMap(([name, value]) =>
    value === undefined || value === false || globals.includes(name) ? [] : name,
  );

/** Merges the commands of one name. The first argument decides which one runs. */
function mergeByTarget(name: string): Command {
  const getByName = (all: readonly Command[]): Command => {
    const command = all.find((one) => one.name === name);
    if (!command) throw new Error(`There is no command ${name}.`);
    return command;
  };
  const byKind: Record<Kind, Command> = {
    app: getByName(appCommands),
    org: getByName(orgCommands),
    subscription: getByName(healthWebhookCommands),
  };
  const { app: _, ...args } = byKind.app.arguments;
  return {
    name,
    aliases: [],
    summary: summaries[name] ?? byKind.app.summary,
    arguments: { ...appOrgOrSubscription, ...args },
    options: Object.assign({}, ...kinds.map((kind) => byKind[kind].options)),
    run(input) {
      const { 'app|org|subscription': target = '', ...rest } = input.args;
      const kind = getTargetKind(String(target));
      const unsupported = listSetOptions(input.options).find((option) => !(option in byKind[kind].options));
      if (unsupported) throw wrongUsage(`--${unsupported} is not supported for webhooks of ${kindLabels[kind]}.`);
      return byKind[kind].run({ ...input, args: { ...rest, [kind]: target } });
    },
  };
}

export const webhookCommands: readonly Command[] = Object.keys(summaries).map(mergeByTarget);
