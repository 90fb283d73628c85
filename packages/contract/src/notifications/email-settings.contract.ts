import { empty, endpoint, form, json } from '../endpoint/index.ts';
import { AppPath } from '../fields.ts';
import { Type } from '../type.ts';
import type { AppAnnouncementType } from '../webhooks/announcements.ts';

/** The settings on the wire, with the announcement that each controls. */
export const emailEvents = {
  crash_newCrashGroupCreated: 'newCrashGroupCreated',
  crash_crashGroupRegressed: 'crashGroupRegressed',
  distribute_newAppReleased: 'newAppReleased',
  feedback_feedbackReceived: 'feedbackReceived',
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
    '`Individual`: an immediate email. `Daily`: one email a day, after midnight UTC. `Default`: the setting of the account or, there, `default_value`.',
});

const Settings = Type.Array(
  Type.Object({
    event_type: EventType,
    value: Value,
    default_value: Type.Optional(
      Type.Enum(['Disabled', 'Individual', 'Daily', 'DailyAndIndividual'], {
        description: 'The value that `Default` stands for.',
      }),
    ),
  }),
);

const settingsFields = {
  request_id: Type.String(),
  eTag: Type.Optional(Type.String()),
  enabled: Type.Boolean({ description: 'False turns off all emails.' }),
  userId: Type.Optional(Type.String()),
  settings: Settings,
};

export const EmailSettings = Type.Object(settingsFields, { $id: 'EmailSettings' });
export const AppEmailSettings = Type.Object(
  {
    ...settingsFields,
    appId: Type.Optional(Type.String()),
    user_enabled: Type.Boolean({ description: 'False if the account receives no emails; apps then send none.' }),
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
const description = 'Omitted fields stay unchanged.';

export const notifications_getUserEmailSettings = endpoint({
  ...common,
  id: 'notifications_getUserEmailSettings',
  method: 'GET',
  path: '/v0.1/user/notifications/emailSettings',
  summary: 'Get your email settings for all apps',
  access: 'user',
  effect: 'read',
  response: json(EmailSettings, { description: 'The settings of the account.' }),
});

export const notifications_updateUserEmailSettings = endpoint({
  ...common,
  id: 'notifications_updateUserEmailSettings',
  method: 'PATCH',
  path: '/v0.1/user/notifications/emailSettings',
  summary: 'Update your email settings for all apps',
  description,
  access: 'user',
  effect: 'change',
  request: change,
  response: json(
    Type.Object({
      ...settingsFields,
      unsubscribe_url: Type.String({ description: 'The unsubscribe URL in emails, for email programs.' }),
    }),
    { description: 'The updated settings.' },
  ),
});

export const notifications_testUserEmail = endpoint({
  ...common,
  id: 'notifications_testUserEmail',
  method: 'POST',
  path: '/v0.1/user/notifications/emailSettings/test',
  summary: 'Send yourself a test email',
  description: 'Limited to ten emails within an hour.',
  access: 'user',
  effect: 'change',
  request: json(Type.Object({})),
  response: json(
    Type.Object({
      email: Type.String({ description: 'The recipient.' }),
      is_sent: Type.Boolean({ description: 'False without a mail server; the email then stays in the outbox.' }),
    }),
    { status: 202, description: 'The email is queued.' },
  ),
  errors: [409, 429],
});

export const notifications_getAppEmailSettings = endpoint({
  ...common,
  id: 'notifications_getAppEmailSettings',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/notifications/emailSettings',
  summary: 'Get your email settings for an app',
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
  summary: 'Update your email settings for an app',
  description,
  access: 'app:viewer',
  only: 'person',
  effect: 'change',
  params: Type.Object(AppPath),
  request: change,
  response: json(AppEmailSettings, { description: 'Your updated settings for the app.' }),
  errors: [404],
});

export const notifications_unsubscribe = endpoint({
  ...common,
  id: 'notifications_unsubscribe',
  method: 'POST',
  path: '/v0.1/public/notifications/unsubscribe',
  summary: 'Unsubscribe from emails about apps, for email programs (RFC 8058)',
  description: 'The URL is in the header List-Unsubscribe of these emails.',
  access: 'public',
  alsoNeeds: 'the token in the email',
  effect: 'change',
  query: Type.Object({ token: Type.String({ maxLength: 200 }) }),
  request: form(Type.Object({ 'List-Unsubscribe': Type.Optional(Type.String({ maxLength: 100 })) }), {
    maxBytes: 1000,
    maxFields: 5,
  }),
  response: empty({ status: 204, description: 'The user is unsubscribed.' }),
  errors: [403],
});
