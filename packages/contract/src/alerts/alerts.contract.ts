import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, Time, Uuid } from '../fields.ts';
import { Page, PageQuery } from '../paging.ts';
import { Type } from '../type.ts';

/** The gauge of a rule, and the side of its threshold on which the rule alerts. */
export const alertKinds = {
  crash_free_percent: 'below',
  group_crashes_per_hour: 'above',
  minutes_without_data: 'above',
  export_lag_minutes: 'above',
} as const satisfies Record<string, 'above' | 'below'>;
export type AlertKind = keyof typeof alertKinds;
export const alertKindNames = Object.keys(alertKinds) as AlertKind[];
export const ALERT_RULES_PER_APP = 50;

const Kind = Type.Enum([...alertKindNames], {
  description:
    '`crash_free_percent`: the share of devices active today that did not crash; alerts below the threshold. `group_crashes_per_hour`: crashes of one group within an hour; alerts above. `minutes_without_data`: minutes since a device sent data; alerts above. `export_lag_minutes`: how long the oldest data has waited for an export; alerts above.',
});
const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });
const Threshold = Type.Number({ minimum: 0, maximum: 1_000_000_000 });
const Subscription = Type.String({
  format: 'uuid',
  description:
    "A subscription of the app's owner. While the rule alerts, a health event is published to its readers. Requires Manager.",
});

const ruleFields = {
  id: Uuid,
  name: Name,
  kind: Kind,
  threshold: Threshold,
  enabled: Type.Boolean(),
  health_subscription_id: Type.Optional(Subscription),
  state: Type.Enum(['ok', 'alerting', 'unknown'], { description: '`unknown` until there is data to check.' }),
  state_reason: Type.Optional(Type.String({ description: 'Why the state is unknown. Absent otherwise.' })),
  since: Type.Optional(
    Type.String({ format: 'date-time', description: 'When the alert started. Absent if the rule does not alert.' }),
  ),
  last_value: Type.Optional(Type.Number()),
  checked_at: Type.Optional(Time),
};

export const AlertRule = Type.Object(ruleFields, { $id: 'AlertRule' });

export const Alert = Type.Object(
  {
    id: Uuid,
    rule_id: Uuid,
    rule_name: Type.String(),
    kind: Kind,
    threshold: Threshold,
    value: Type.Number({ description: 'The value when the alert started.' }),
    subject: Type.Optional(Type.String({ description: 'The subject of the alert, such as a crash group.' })),
    started_at: Time,
    ended_at: Type.Optional(Type.String({ format: 'date-time', description: 'Absent while the alert is active.' })),
    tracking_id: Type.Optional(
      Type.String({ description: 'The tracking ID of the health event that the alert published.' }),
    ),
  },
  { $id: 'Alert' },
);

const at = '/v0.1/apps/{owner_name}/{app_name}/alert_rules';
const params = Type.Object(AppPath);
const one = {
  path: `${at}/{rule_id}`,
  params: Type.Object({ ...AppPath, rule_id: Type.String({ minLength: 1, maxLength: 100 }) }),
} as const;
const reading = { method: 'GET', tag: 'alerts', access: 'app:viewer', effect: 'read', errors: [404] } as const;
const changing = { tag: 'alerts', access: 'app:developer', effect: 'change', errors: [400, 404] } as const;

export const alertRules_list = endpoint({
  ...reading,
  id: 'alertRules_list',
  path: at,
  summary: 'List the alert rules of an app, with their state',
  params,
  response: json(Type.Object({ values: Type.Array(AlertRule) }), { description: 'The rules, oldest first.' }),
});

export const alertRules_create = endpoint({
  ...changing,
  id: 'alertRules_create',
  method: 'POST',
  path: at,
  summary: 'Create an alert rule',
  description:
    'The server checks the rule every few minutes. It sends one message when an alert starts and one when it ends.',
  alsoNeeds: 'manager, for health_subscription_id',
  params,
  request: json(
    Type.Object({
      name: Name,
      kind: Kind,
      threshold: Threshold,
      enabled: Type.Optional(Type.Boolean()),
      health_subscription_id: Type.Optional(Subscription),
    }),
  ),
  response: json(AlertRule, { status: 201, description: 'The rule.' }),
  errors: [400, 404, 409],
});

export const alertRules_update = endpoint({
  ...changing,
  ...one,
  id: 'alertRules_update',
  method: 'PATCH',
  summary: 'Update an alert rule',
  description: 'Omitted fields stay unchanged. Disabling a rule ends its alert.',
  alsoNeeds: 'manager, for health_subscription_id',
  request: json(
    Type.Object({
      name: Type.Optional(Name),
      threshold: Type.Optional(Threshold),
      enabled: Type.Optional(Type.Boolean()),
      health_subscription_id: Type.Optional(Type.Union([Subscription, Type.Null()])),
    }),
  ),
  response: json(AlertRule, { description: 'The updated rule.' }),
});

export const alertRules_delete = endpoint({
  ...changing,
  ...one,
  id: 'alertRules_delete',
  method: 'DELETE',
  summary: 'Delete an alert rule and its history; its active alert ends',
  response: empty({ description: 'Deleted.' }),
});

export const alertRules_test = endpoint({
  ...changing,
  id: 'alertRules_test',
  method: 'POST',
  path: `${at}/{rule_id}/test`,
  params: one.params,
  summary: 'Send a test message to the recipients of an alert rule',
  description:
    'The message is marked as a test. It goes to the webhooks of the app and of its organization that subscribe to alertStarted, and by email to users who receive emails about alerts. It does not appear in the alert history and publishes no health event.',
  request: json(Type.Object({})),
  response: json(
    Type.Object({
      webhooks: Type.Integer({
        description: 'The number of webhooks that the message is sent to. Their logs show the results.',
      }),
      mails: Type.Integer({
        description: 'The number of users who receive the message by email, immediately or in their daily email.',
      }),
    }),
    { status: 202, description: 'The number of recipients. Both are 0 if the rule has none.' },
  ),
  errors: [400, 404],
});

export const alerts_list = endpoint({
  ...reading,
  id: 'alerts_list',
  path: '/v0.1/apps/{owner_name}/{app_name}/alerts',
  summary: 'List the alerts of an app, newest first',
  description: 'Alerts are deleted 90 days after their end.',
  params,
  query: Type.Object(PageQuery),
  response: json(Page(Alert), { description: 'A page of alerts.' }),
});
