import {
  type Client,
  emailEventNames,
  emailValues,
  type InputOf,
  notifications_getAppEmailSettings,
  notifications_getUserEmailSettings,
  notifications_testUserEmail,
  notifications_updateAppEmailSettings,
  notifications_updateUserEmailSettings,
  type OutputOf,
} from '@mooring/contract';
import { command } from '../framework/command.ts';
import { operation } from '../framework/operation.ts';
import type { Column } from '../output.ts';
import { readApp } from '../targets.ts';

const app = { value: 'OWNER/APP', summary: 'For one app; for all if absent' } as const;

type Settings = Pick<OutputOf<typeof notifications_getUserEmailSettings>, 'enabled' | 'settings'>;
type Change = InputOf<typeof notifications_updateUserEmailSettings>['body'];

const columns: Column<Settings['settings'][number]>[] = [
  { header: 'EVENT', value: ({ event_type }) => event_type },
  { header: 'MAILS', value: ({ value }) => value },
  { header: 'DEFAULT', value: ({ default_value }) => default_value },
];

const save = (call: Client, of: string | undefined, body: Change): Promise<Settings> =>
  of === undefined
    ? call(notifications_updateUserEmailSettings, { body })
    : call(notifications_updateAppEmailSettings, { params: readApp(of, '--app'), body });

const switching = (name: 'on' | 'off') =>
  command({
    name: `notifications ${name}`,
    summary: name === 'on' ? 'Switches mails on again, as they were chosen' : 'Ends all mails, of one app or of all',
    options: { app },
    async run({ options, out, connect }) {
      const saved = await save(connect().call, options.app, { enabled: name === 'on' });
      out.value(saved, name === 'on' ? 'Mails are on.' : 'There are no more mails.');
    },
  });

export const notificationCommands = [
  command({
    name: 'notifications list',
    summary: 'Lists of what you get mails',
    options: { app },
    async run({ options, out, connect }) {
      const { call } = connect();
      const found: Settings =
        options.app === undefined
          ? await call(notifications_getUserEmailSettings)
          : await call(notifications_getAppEmailSettings, { params: readApp(options.app, '--app') });
      out.table(found, found.settings, columns);
      if (!found.enabled) out.note('Mails are off.');
    },
  }),
  command({
    name: 'notifications set',
    summary: 'Chooses how you are told of an event: at once, once a day, both, or not',
    arguments: {
      event: { summary: 'What happens', choices: emailEventNames },
      value: { summary: 'How you are told', choices: emailValues },
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
    endpoint: notifications_testUserEmail,
    input: () => ({ body: {} }),
    columns: [
      { header: 'TO', value: ({ email }) => email },
      { header: 'SENT', value: ({ is_sent }) => is_sent },
    ],
    done: (_, { is_sent }) =>
      is_sent ? 'A mail goes out.' : 'This server has no mail server, so the mail stays in its outbox.',
  }),
  switching('on'),
  switching('off'),
];
