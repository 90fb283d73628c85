import {
  type AnnouncementType,
  announcementTypes,
  type OutputOf,
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
import type { Command } from '../framework/command.ts';
import { wrongUsage } from '../framework/errors.ts';
import { operation } from '../framework/operation.ts';
import type { Column } from '../output.ts';
import { readApp } from '../targets.ts';
import { healthWebhookCommands } from './health-webhooks.ts';

const ofApp = { app: { value: 'OWNER/APP', summary: 'The app that it tells of', required: true } } as const;
const ofOrg = {
  org: { value: 'NAME', summary: 'The organization that it tells of, with all its apps', required: true },
} as const;
const webhook = { summary: 'Id, as in "mooring webhooks list"' } as const;
const delivery = { summary: 'Id, as in "mooring webhooks deliveries"' } as const;
const url = { summary: 'Where messages are sent by POST: an https address' } as const;
const settings = {
  events: { value: 'EVENTS', summary: `What is told, with commas, of ${announcementTypes.join(', ')}` },
  name: { value: 'NAME', summary: 'What people call it' },
  format: { value: 'FORMAT', summary: 'How it is told', choices: webhookFormats },
  filter: { value: 'FILTER', summary: "Only events that match, such as kind eq 'crash'; empty for all" },
} as const;
const changes = {
  ...settings,
  url: { value: 'URL', summary: 'New address' },
  enabled: { value: 'yes|no', summary: 'Whether messages are sent', choices: ['yes', 'no'] },
} as const;
const event = { event: { value: 'EVENT', summary: 'Whose example is sent', choices: announcementTypes } } as const;

type Webhook = OutputOf<typeof webhooks_get>;
type Delivery = OutputOf<typeof webhooks_test>;

const columns: Column<Webhook>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'NAME', value: ({ name }) => name },
  { header: 'URL', value: (row) => row.url },
  { header: 'ENABLED', value: ({ enabled }) => enabled },
  { header: 'EVENTS', value: ({ event_types }) => event_types.join(',') },
  { header: 'FORMAT', value: ({ format }) => format },
  { header: 'FILTER', value: ({ filter }) => filter },
  { header: 'FAILING SINCE', value: ({ failing_since }) => failing_since, isTime: true },
  { header: 'DISABLED BECAUSE', value: ({ disabled_reason }) => disabled_reason },
];
const secretColumns: Column<OutputOf<typeof webhooks_create>>[] = [
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
  { header: 'LAST ANSWER', value: ({ attempts }) => attempts.at(-1)?.status ?? attempts.at(-1)?.error },
];

const keep = 'Keep the secret: it is shown only now.';

/** As they are written; the server says which it does not know. */
const readEvents = (text: string): AnnouncementType[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean) as AnnouncementType[];

function readNew(options: {
  events?: string | undefined;
  name?: string | undefined;
  format?: Webhook['format'] | undefined;
  filter?: string | undefined;
}) {
  const { events, name, format, filter } = options;
  if (events === undefined) throw wrongUsage('Say what is told: --events newCrashGroupCreated,newAppReleased');
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

const inApp = (options: { app: string }, webhook_id: string) => ({ ...readApp(options.app, '--app'), webhook_id });
const inOrg = (options: { org: string }, webhook_id: string) => ({ org_name: options.org, webhook_id });

const removed = {
  confirm: ({ args }: { args: { webhook: string } }) => `Remove the webhook ${args.webhook} and its log?`,
  done: ({ args }: { args: { webhook: string } }) => `Removed ${args.webhook}.`,
};
const rotated = {
  columns: secretColumns,
  done: () => `${keep} For 24 hours messages are signed with the old one too.`,
};

const appCommands = [
  operation({
    name: 'webhooks list',
    endpoint: webhooks_list,
    options: ofApp,
    input: ({ options }) => ({ params: readApp(options.app, '--app') }),
    columns,
  }),
  operation({
    name: 'webhooks show',
    endpoint: webhooks_get,
    arguments: { webhook },
    options: ofApp,
    input: ({ args, options }) => ({ params: inApp(options, args.webhook) }),
    columns,
  }),
  operation({
    name: 'webhooks create',
    endpoint: webhooks_create,
    arguments: { url },
    options: { ...ofApp, ...settings },
    input: ({ args, options }) => ({
      params: readApp(options.app, '--app'),
      body: { url: args.url, ...readNew(options) },
    }),
    columns: secretColumns,
    done: () => keep,
  }),
  operation({
    name: 'webhooks update',
    endpoint: webhooks_update,
    arguments: { webhook },
    options: { ...ofApp, ...changes },
    input: ({ args, options }) => ({ params: inApp(options, args.webhook), body: readChange(options) }),
    columns,
  }),
  operation({
    name: 'webhooks delete',
    endpoint: webhooks_delete,
    arguments: { webhook },
    options: ofApp,
    input: ({ args, options }) => ({ params: inApp(options, args.webhook) }),
    ...removed,
  }),
  operation({
    name: 'webhooks rotate',
    endpoint: webhooks_rotateSecret,
    arguments: { webhook },
    options: ofApp,
    input: ({ args, options }) => ({ params: inApp(options, args.webhook), body: {} }),
    ...rotated,
  }),
  operation({
    name: 'webhooks test',
    endpoint: webhooks_test,
    arguments: { webhook },
    options: { ...ofApp, ...event },
    input: ({ args, options }) => ({ params: inApp(options, args.webhook), body: { event_type: options.event } }),
    columns: deliveryColumns,
  }),
  operation({
    name: 'webhooks deliveries',
    endpoint: webhookDeliveries_list,
    follow: webhookDeliveries_watch,
    arguments: { webhook },
    options: ofApp,
    input: ({ args, options }) => ({ params: inApp(options, args.webhook) }),
    columns: deliveryColumns,
  }),
  operation({
    name: 'webhooks replay',
    endpoint: webhookDeliveries_replay,
    arguments: { webhook, delivery },
    options: ofApp,
    input: ({ args, options }) => ({
      params: { ...inApp(options, args.webhook), delivery_id: args.delivery },
      body: {},
    }),
    columns: deliveryColumns,
  }),
];

const orgCommands = [
  operation({
    name: 'webhooks list',
    endpoint: orgWebhooks_list,
    options: ofOrg,
    input: ({ options }) => ({ params: { org_name: options.org } }),
    columns,
  }),
  operation({
    name: 'webhooks show',
    endpoint: orgWebhooks_get,
    arguments: { webhook },
    options: ofOrg,
    input: ({ args, options }) => ({ params: inOrg(options, args.webhook) }),
    columns,
  }),
  operation({
    name: 'webhooks create',
    endpoint: orgWebhooks_create,
    arguments: { url },
    options: { ...ofOrg, ...settings },
    input: ({ args, options }) => ({
      params: { org_name: options.org },
      body: { url: args.url, ...readNew(options) },
    }),
    columns: secretColumns,
    done: () => keep,
  }),
  operation({
    name: 'webhooks update',
    endpoint: orgWebhooks_update,
    arguments: { webhook },
    options: { ...ofOrg, ...changes },
    input: ({ args, options }) => ({ params: inOrg(options, args.webhook), body: readChange(options) }),
    columns,
  }),
  operation({
    name: 'webhooks delete',
    endpoint: orgWebhooks_delete,
    arguments: { webhook },
    options: ofOrg,
    input: ({ args, options }) => ({ params: inOrg(options, args.webhook) }),
    ...removed,
  }),
  operation({
    name: 'webhooks rotate',
    endpoint: orgWebhooks_rotateSecret,
    arguments: { webhook },
    options: ofOrg,
    input: ({ args, options }) => ({ params: inOrg(options, args.webhook), body: {} }),
    ...rotated,
  }),
  operation({
    name: 'webhooks test',
    endpoint: orgWebhooks_test,
    arguments: { webhook },
    options: { ...ofOrg, ...event },
    input: ({ args, options }) => ({ params: inOrg(options, args.webhook), body: { event_type: options.event } }),
    columns: deliveryColumns,
  }),
  operation({
    name: 'webhooks deliveries',
    endpoint: orgWebhookDeliveries_list,
    follow: orgWebhookDeliveries_watch,
    arguments: { webhook },
    options: ofOrg,
    input: ({ args, options }) => ({ params: inOrg(options, args.webhook) }),
    columns: deliveryColumns,
  }),
  operation({
    name: 'webhooks replay',
    endpoint: orgWebhookDeliveries_replay,
    arguments: { webhook, delivery },
    options: ofOrg,
    input: ({ args, options }) => ({
      params: { ...inOrg(options, args.webhook), delivery_id: args.delivery },
      body: {},
    }),
    columns: deliveryColumns,
  }),
];

const summaries: Record<string, string> = {
  'webhooks list': 'Lists the webhooks of an app, of an organization, or your own of a subscription',
  'webhooks show': 'Returns a webhook',
  'webhooks create':
    'Sends what happens to an app or an organization, or health events of a subscription, to an address',
  'webhooks update': 'Changes a webhook',
  'webhooks delete': 'Removes a webhook and its log',
  'webhooks rotate': 'Gives a webhook a new secret',
  'webhooks test': 'Sends a message to try a webhook',
  'webhooks deliveries':
    'Lists what was sent to a webhook, newest first; with --follow also what is sent, as it happens',
  'webhooks replay': 'Sends the message of a delivery again',
};

const homes = ['app', 'org', 'subscription'] as const;
type Home = (typeof homes)[number];

const globals = ['json', 'profile', 'help'];
const given = (options: object): string[] =>
  Object.entries(options).flatMap(([name, value]) =>
    value === undefined || value === false || globals.includes(name) ? [] : name,
  );

/** One command for whatever has webhooks: what is said of where decides. */
function byHome(name: string): Command {
  const found = (all: readonly Command[]): Command => {
    const one = all.find((command) => command.name === name);
    if (!one) throw new Error(`There is no ${name}.`);
    return one;
  };
  const of: Record<Home, Command> = {
    app: found(appCommands),
    org: found(orgCommands),
    subscription: found(healthWebhookCommands),
  };
  const options = Object.assign({}, ...homes.map((home) => of[home].options));
  for (const home of homes) {
    const { required: _, ...option } = options[home];
    options[home] = option;
  }
  return {
    name,
    summary: summaries[name] ?? of.app.summary,
    arguments: of.app.arguments,
    options,
    run(input) {
      const [home, other] = homes.filter((one) => input.options[one] !== undefined);
      if (!home || other) throw wrongUsage('Say whose: one of --app OWNER/APP, --org NAME and --subscription ID.');
      const strange = given(input.options).find((option) => !(option in of[home].options));
      if (strange) throw wrongUsage(`--${strange} is not for webhooks of --${home}.`);
      return of[home].run(input);
    },
  };
}

export const webhookCommands: readonly Command[] = Object.keys(summaries).map(byHome);
