import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, Time, Uuid } from '../fields.ts';
import { Page, PageQuery } from '../paging.ts';
import { Type } from '../type.ts';

/** What a rule looks at, and on which side of its threshold it alerts. */
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
    '`crash_free_percent`: the share of devices that were active today and did not crash, below. `group_crashes_per_hour`: crashes of one group within an hour, above. `minutes_without_data`: since a device sent something, above. `export_lag_minutes`: how long the oldest waits for an export, above.',
});
const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });
const Threshold = Type.Number({ minimum: 0, maximum: 1_000_000_000 });
const Subscription = Type.String({
  format: 'uuid',
  description:
    'A subscription of the owner of the app: for as long as it alerts there is a health event for its readers. To set it needs Manager.',
});

const ruleFields = {
  id: Uuid,
  name: Name,
  kind: Kind,
  threshold: Threshold,
  enabled: Type.Boolean(),
  health_subscription_id: Type.Optional(Subscription),
  state: Type.Enum(['ok', 'alerting', 'unknown'], { description: 'Unknown until there is something to look at.' }),
  state_reason: Type.Optional(Type.String({ description: 'Why the state is unknown, in words; absent otherwise.' })),
  since: Type.Optional(Type.String({ format: 'date-time', description: 'Since when it alerts.' })),
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
    value: Type.Number({ description: 'When it began.' }),
    subject: Type.Optional(Type.String({ description: 'What it is about, such as a group of crashes.' })),
    started_at: Time,
    ended_at: Type.Optional(Type.String({ format: 'date-time', description: 'Absent as long as it lasts.' })),
    tracking_id: Type.Optional(Type.String({ description: 'Of the health event that it opened.' })),
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
  summary: 'Lists the alert rules of an app, and which alert',
  params,
  response: json(Type.Object({ values: Type.Array(AlertRule) }), { description: 'Oldest first.' }),
});

export const alertRules_create = endpoint({
  ...changing,
  id: 'alertRules_create',
  method: 'POST',
  path: at,
  summary: 'Makes an alert rule',
  description: 'It is looked at every few minutes: one message when it begins to alert, and one when that ends.',
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
  summary: 'Changes an alert rule',
  description: 'What is absent stays. One that is disabled ends its alert.',
  alsoNeeds: 'manager, for health_subscription_id',
  request: json(
    Type.Object({
      name: Type.Optional(Name),
      threshold: Type.Optional(Threshold),
      enabled: Type.Optional(Type.Boolean()),
      health_subscription_id: Type.Optional(Type.Union([Subscription, Type.Null()])),
    }),
  ),
  response: json(AlertRule, { description: 'The rule after the change.' }),
});

export const alertRules_delete = endpoint({
  ...changing,
  ...one,
  id: 'alertRules_delete',
  method: 'DELETE',
  summary: 'Deletes an alert rule and its history; an alert of it ends',
  response: empty({ description: 'It is gone.' }),
});

export const alertRules_test = endpoint({
  ...changing,
  id: 'alertRules_test',
  method: 'POST',
  path: `${at}/{rule_id}/test`,
  params: one.params,
  summary: 'Sends a message of an alert rule, marked as a test, to everybody whom an alert of it would be told',
  description:
    'To the webhooks of the app and of its organization that are told of alertStarted, and by mail to whoever asked for mails of alerts. Nothing is kept in the history of alerts, and no health event is opened.',
  request: json(Type.Object({})),
  response: json(
    Type.Object({
      webhooks: Type.Integer({ description: 'How many it is sent to; their logs tell what came of it.' }),
      mails: Type.Integer({ description: 'How many people are told by mail, at once or with the mail of the day.' }),
    }),
    { status: 202, description: 'Whom it is sent to; nobody, if both are 0.' },
  ),
  errors: [400, 404],
});

export const alerts_list = endpoint({
  ...reading,
  id: 'alerts_list',
  path: '/v0.1/apps/{owner_name}/{app_name}/alerts',
  summary: 'Lists the alerts of an app, newest first',
  description: 'Kept for 90 days after their end.',
  params,
  query: Type.Object(PageQuery),
  response: json(Page(Alert), { description: 'A page of alerts.' }),
});
