import { empty, endpoint, form, json } from '../endpoint/index.ts';
import { AppPath } from '../fields.ts';
import { Type } from '../type.ts';
import type { AppAnnouncementType } from '../webhooks/announcements.ts';

/** What is told by mail, in the words of the wire, and the announcement that it is. */
export const emailEvents = {
  crash_newCrashGroupCreated: 'newCrashGroupCreated',
  crash_crashGroupRegressed: 'crashGroupRegressed',
  distribute_newAppReleased: 'newAppReleased',
  codepush_codePushReleased: 'codePushReleased',
  codepush_codePushHalted: 'codePushHalted',
  export_exportFailed: 'exportFailed',
  build_buildFinished: 'buildFinished',
  test_testRunFinished: 'testRunFinished',
  token_appTokenExpiring: 'appTokenExpiring',
  alert_alertStarted: 'alertStarted',
  alert_alertEnded: 'alertEnded',
} as const satisfies Record<string, AppAnnouncementType>;
export type EmailEvent = keyof typeof emailEvents;
export const emailEventNames = Object.keys(emailEvents) as EmailEvent[];

export const emailValues = ['Disabled', 'Individual', 'Daily', 'DailyAndIndividual', 'Default'] as const;
export type EmailValue = (typeof emailValues)[number];

const EventType = Type.Enum([...emailEventNames]);
const Value = Type.Enum([...emailValues], {
  description:
    '`Individual`: a mail at once. `Daily`: one for all of a day, after midnight UTC. `Default`: as the account says for all apps, and there as `default_value` says.',
});

const Settings = Type.Array(
  Type.Object({
    event_type: EventType,
    value: Value,
    default_value: Type.Optional(
      Type.Enum(['Disabled', 'Individual', 'Daily', 'DailyAndIndividual'], { description: 'What `Default` comes to.' }),
    ),
  }),
);

const settingsFields = {
  request_id: Type.String(),
  eTag: Type.Optional(Type.String()),
  enabled: Type.Boolean({ description: 'Whether there are mails at all.' }),
  userId: Type.Optional(Type.String()),
  settings: Settings,
};

export const EmailSettings = Type.Object(settingsFields, { $id: 'EmailSettings' });
export const AppEmailSettings = Type.Object(
  {
    ...settingsFields,
    appId: Type.Optional(Type.String()),
    user_enabled: Type.Boolean({ description: 'Whether the account gets mails at all; if not, apps send none.' }),
  },
  { $id: 'AppEmailSettings' },
);

const change = json(
  Type.Object({
    enabled: Type.Optional(Type.Boolean()),
    settings: Type.Optional(
      Type.Array(Type.Object({ event_type: EventType, value: Value }), { maxItems: emailEventNames.length }),
    ),
  }),
);

const common = { tag: 'notifications', errorShape: 'traced' } as const;
const description = 'What is absent stays as it is.';

export const notifications_getUserEmailSettings = endpoint({
  ...common,
  id: 'notifications_getUserEmailSettings',
  method: 'GET',
  path: '/v0.1/user/notifications/emailSettings',
  summary: 'Tells of what you get mails, for all apps',
  access: 'user',
  effect: 'read',
  response: json(EmailSettings, { description: 'The settings of the account.' }),
});

export const notifications_updateUserEmailSettings = endpoint({
  ...common,
  id: 'notifications_updateUserEmailSettings',
  method: 'PATCH',
  path: '/v0.1/user/notifications/emailSettings',
  summary: 'Changes of what you get mails, for all apps',
  description,
  access: 'user',
  effect: 'change',
  request: change,
  response: json(
    Type.Object({
      ...settingsFields,
      unsubscribe_url: Type.String({ description: 'What the mails name for mail programs.' }),
    }),
    { description: 'The settings after the change.' },
  ),
});

export const notifications_testUserEmail = endpoint({
  ...common,
  id: 'notifications_testUserEmail',
  method: 'POST',
  path: '/v0.1/user/notifications/emailSettings/test',
  summary: 'Sends you a mail, so that you see whether mails reach you',
  description: 'Not once ten mails went to you within the hour: there is room left for those that matter.',
  access: 'user',
  effect: 'change',
  request: json(Type.Object({})),
  response: json(
    Type.Object({
      email: Type.String({ description: 'Where it goes to.' }),
      is_sent: Type.Boolean({ description: 'Without a mail server it stays in the outbox.' }),
    }),
    { status: 202, description: 'It goes out soon.' },
  ),
  errors: [409, 429],
});

export const notifications_getAppEmailSettings = endpoint({
  ...common,
  id: 'notifications_getAppEmailSettings',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/notifications/emailSettings',
  summary: 'Tells of what you get mails about an app',
  access: 'app:viewer',
  only: 'person',
  effect: 'read',
  params: Type.Object(AppPath),
  response: json(AppEmailSettings, { description: 'Your settings for the app.' }),
  errors: [404],
});

export const notifications_updateAppEmailSettings = endpoint({
  ...common,
  id: 'notifications_updateAppEmailSettings',
  method: 'PATCH',
  path: '/v0.1/apps/{owner_name}/{app_name}/notifications/emailSettings',
  summary: 'Changes of what you get mails about an app',
  description,
  access: 'app:viewer',
  only: 'person',
  effect: 'change',
  params: Type.Object(AppPath),
  request: change,
  response: json(AppEmailSettings, { description: 'Your settings for the app after the change.' }),
  errors: [404],
});

export const notifications_unsubscribe = endpoint({
  ...common,
  id: 'notifications_unsubscribe',
  method: 'POST',
  path: '/v0.1/public/notifications/unsubscribe',
  summary: 'Ends the mails about apps, for mail programs (RFC 8058)',
  description: 'The address is in the header List-Unsubscribe of such a mail.',
  access: 'public',
  alsoNeeds: 'the token in the mail',
  effect: 'change',
  query: Type.Object({ token: Type.String({ maxLength: 200 }) }),
  request: form(Type.Object({ 'List-Unsubscribe': Type.Optional(Type.String({ maxLength: 100 })) }), {
    maxBytes: 1000,
    maxFields: 5,
  }),
  response: empty({ status: 204, description: 'There are no more of them.' }),
  errors: [403],
});
