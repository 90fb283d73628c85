import {
  type Client,
  type EndpointInput,
  type EndpointOutput,
  emailEventNames,
  emailValues,
  notifications_getAppEmailSettings,
  notifications_getUserEmailSettings,
  notifications_testUserEmail,
  notifications_updateAppEmailSettings,
  notifications_updateUserEmailSettings,
} from '@mooring/contract';
import { readApp } from '../../arguments/targets.ts';
import { command } from '../../framework/command.ts';
import { operation } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';

const app = { value: 'OWNER/APP', summary: 'App to configure (default: all apps)' } as const;

type Settings = Pick<EndpointOutput<typeof notifications_getUserEmailSettings>, 'enabled' | 'settings'>;
type Change = EndpointInput<typeof notifications_updateUserEmailSettings>['body'];

const columns: Column<Settings['settings'][number]>[] = [
  { header: 'EVENT', value: ({ event_type }) => event_type },
  { header: 'EMAILS', value: ({ value }) => value },
  { header: 'DEFAULT', value: ({ default_value }) => default_value },
];

const save = (call: Client, app: string | undefined, body: Change): Promise<Settings> =>
  app === undefined
    ? call(notifications_updateUserEmailSettings, { body })
    : call(notifications_updateAppEmailSettings, { params: readApp(app, '--app'), body });

const switching = (name: 'on' | 'off') =>
  command({
    name: `notifications ${name}`,
    summary:
      name === 'on' ? 'Turn emails on again, with your previous choices' : 'Turn all emails off, for one app or all',
    options: { app },
    async run({ options, out, connect }) {
      const saved = await save(connect().call, options.app, { enabled: name === 'on' });
      out.value(saved, name === 'on' ? 'Turned emails on.' : 'Turned emails off.');
    },
  });

export const notificationCommands = [
  command({
    name: 'notifications list',
    summary: 'List the events that you can get emails about, with your choices',
    options: { app },
    async run({ options, out, connect }) {
      const { call } = connect();
      const settings: Settings =
        options.app === undefined
          ? await call(notifications_getUserEmailSettings)
          : await call(notifications_getAppEmailSettings, { params: readApp(options.app, '--app') });
      out.table(settings, settings.settings, columns);
      if (!settings.enabled) out.note('Emails are turned off.');
    },
  }),
  command({
    name: 'notifications set',
    summary: 'Set the emails for an event: immediately, daily, both, or none',
    arguments: {
      event: { summary: 'Event', choices: emailEventNames },
      value: { summary: 'Frequency', choices: emailValues },
    },
    options: { app },
    async run({ args, options, out, connect }) {
      const settings = [{ event_type: args.event, value: args.value }];
      const saved = await save(connect().call, options.app, { settings });
      out.table(saved, saved.settings, columns);
    },
  }),
  operation({
    name: 'notifications test',
    summary: 'Send yourself a test email',
    endpoint: notifications_testUserEmail,
    input: () => ({ body: {} }),
    columns: [
      { header: 'TO', value: ({ email }) => email },
      { header: 'SENT', value: ({ is_sent }) => is_sent },
    ],
    done: (_, { is_sent }) =>
      is_sent ? 'Sent a test email.' : 'No mail server is configured, so the email stays in the outbox of the server.',
  }),
  switching('on'),
  switching('off'),
];
