import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, OrgPath, Time, Uuid } from '../fields.ts';
import { LiveQuery, liveEvents } from '../live.ts';
import { listQuery, Page } from '../paging.ts';
import { Type } from '../type.ts';
import { announcementTypes } from './announcements.ts';

export const webhookFormats = ['cloudevents', 'plain', 'slack', 'teams'] as const;
export const WEBHOOKS_PER_OWNER = 20;

const Name = Type.String({ minLength: 1, maxLength: 512, pattern: '\\S' });
const Url = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'Where messages are sent by POST: an https address. Whoever may only read sees only its host.',
});
const EventType = Type.Enum([...announcementTypes]);
const EventTypes = Type.Array(EventType, {
  minItems: 1,
  maxItems: announcementTypes.length,
  uniqueItems: true,
  description: 'What is told; docs/webhooks.md has what each says.',
});
const Format = Type.Enum([...webhookFormats], {
  description:
    '`cloudevents`: a CloudEvent 1.0. `plain`: its data alone, as existing receivers know it. `slack` and `teams`: a message for these. If absent, by the host of the address, and otherwise `cloudevents`. All are signed after Standard Webhooks.',
});

const Filter = Type.String({
  maxLength: 4096,
  description:
    "Only events that match, such as app_name eq 'compass' and kind eq 'crash'; docs/webhooks.md has the fields. Empty: every event of the types.",
});

const webhookFields = {
  id: Uuid,
  name: Name,
  url: Url,
  enabled: Type.Boolean(),
  event_types: EventTypes,
  format: Format,
  filter: Type.Optional(Filter),
  disabled_reason: Type.Optional(
    Type.Enum(['Failing', 'Gone', 'AccessLost'], {
      description:
        'Why the server disabled it: nothing but failures for 5 days, an answer 410, or the app got another owner.',
    }),
  ),
  failing_since: Type.Optional(Time),
  created_at: Time,
  updated_at: Time,
};

export const Webhook = Type.Object(webhookFields, { $id: 'Webhook' });
export const WebhookWithSecret = Type.Object(
  {
    ...webhookFields,
    secret: Type.String({ description: 'Signs the messages, after Standard Webhooks. It is shown only here.' }),
  },
  { $id: 'WebhookWithSecret' },
);

export const WebhookAttempt = Type.Object(
  {
    at: Time,
    milliseconds: Type.Integer(),
    status: Type.Optional(Type.Integer({ description: 'Of the answer; 2xx is a success.' })),
    error: Type.Optional(Type.String({ description: 'Why there was no answer.' })),
    answer: Type.Optional(
      Type.String({
        description: 'The first 500 characters of an answer that was no success; not for whoever may only read.',
      }),
    ),
  },
  { $id: 'WebhookAttempt' },
);

export const WebhookDelivery = Type.Object(
  {
    id: Uuid,
    message_id: Type.String({ description: 'The header webhook-id: the same through every attempt and replay.' }),
    event_type: EventType,
    subject: Type.String({ description: 'What happened, in words.' }),
    state: Type.Enum(['Waiting', 'Delivered', 'Failed', 'Cancelled']),
    is_replay: Type.Boolean(),
    created_at: Time,
    settled_at: Type.Optional(Time),
    attempts: Type.Array(WebhookAttempt, { description: 'Oldest first.' }),
  },
  { $id: 'WebhookDelivery' },
);

const NewWebhook = json(
  Type.Object({
    name: Type.Optional(Name),
    url: Url,
    event_types: EventTypes,
    format: Type.Optional(Format),
    filter: Type.Optional(Filter),
    enabled: Type.Optional(Type.Boolean()),
  }),
);
const WebhookChange = json(
  Type.Object({
    name: Type.Optional(Name),
    url: Type.Optional(Url),
    event_types: Type.Optional(EventTypes),
    format: Type.Optional(Format),
    filter: Type.Optional(Filter),
    enabled: Type.Optional(Type.Boolean()),
  }),
);
const Test = json(
  Type.Object({
    event_type: Type.Optional(
      Type.Enum([...announcementTypes], { description: 'Whose example is sent; the first of the webhook if absent.' }),
    ),
  }),
);

const Id = Type.String({ minLength: 1, maxLength: 100 });
const common = { tag: 'webhooks', errorShape: 'traced' } as const;

const list = {
  ...common,
  method: 'GET',
  effect: 'read',
  response: json(Type.Object({ values: Type.Array(Webhook) }), { description: 'Oldest first.' }),
  errors: [404],
} as const;
const create = {
  ...common,
  method: 'POST',
  effect: 'change',
  description:
    'Messages may come twice, with the same webhook-id, and in any order. What fails is tried again for about seven hours.',
  request: NewWebhook,
  response: json(WebhookWithSecret, { status: 201, description: 'The webhook and its secret.' }),
  errors: [404, 409],
} as const;
const get = {
  ...common,
  method: 'GET',
  effect: 'read',
  response: json(Webhook, { description: 'The webhook.' }),
  errors: [404],
} as const;
const update = {
  ...common,
  method: 'PATCH',
  effect: 'change',
  description: 'Enabling it begins anew: it counts as not failing. What waits for a disabled one is not sent.',
  request: WebhookChange,
  response: json(Webhook, { description: 'The webhook after the change.' }),
  errors: [404],
} as const;
const remove = {
  ...common,
  method: 'DELETE',
  effect: 'change',
  response: empty({ description: 'It is gone.' }),
  errors: [404],
} as const;
const rotate = {
  ...common,
  method: 'POST',
  effect: 'change',
  description: 'For 24 hours messages carry two signatures, one with each secret.',
  request: json(Type.Object({})),
  response: json(WebhookWithSecret, { description: 'The webhook and its new secret.' }),
  errors: [404],
} as const;
const test = {
  ...common,
  method: 'POST',
  effect: 'change',
  request: Test,
  response: json(WebhookDelivery, { status: 201, description: 'The delivery; it is sent at once.' }),
  errors: [404, 409],
} as const;
const deliveries = {
  ...common,
  method: 'GET',
  effect: 'read',
  description: 'Kept for 30 days.',
  query: Type.Object(listQuery(['created_at', 'state', 'subject', 'attempts'], 'subjects')),
  response: json(Page(WebhookDelivery), { description: 'A page of deliveries.' }),
  errors: [404],
} as const;
const watch = {
  ...common,
  method: 'GET',
  effect: 'read',
  query: Type.Object(LiveQuery),
  response: liveEvents(['deliveries']),
  errors: [404],
} as const;
const replay = {
  ...common,
  method: 'POST',
  effect: 'change',
  request: json(Type.Object({})),
  response: json(WebhookDelivery, { status: 201, description: 'The new delivery.' }),
  errors: [404, 409],
} as const;

const ofApp = '/v0.1/apps/{owner_name}/{app_name}/webhooks';
const AppParams = Type.Object(AppPath);
const AppWebhook = Type.Object({ ...AppPath, webhook_id: Id });
const AppDelivery = Type.Object({ ...AppPath, webhook_id: Id, delivery_id: Id });

export const webhooks_list = endpoint({
  ...list,
  id: 'webhooks_list',
  path: ofApp,
  access: 'app:viewer',
  summary: 'Lists the webhooks of an app',
  params: AppParams,
});

export const webhooks_create = endpoint({
  ...create,
  id: 'webhooks_create',
  path: ofApp,
  access: 'app:developer',
  summary: 'Sends what happens to an app to an address',
  params: AppParams,
});

export const webhooks_get = endpoint({
  ...get,
  id: 'webhooks_get',
  path: `${ofApp}/{webhook_id}`,
  access: 'app:viewer',
  summary: 'Returns a webhook of an app',
  params: AppWebhook,
});

export const webhooks_update = endpoint({
  ...update,
  id: 'webhooks_update',
  path: `${ofApp}/{webhook_id}`,
  access: 'app:developer',
  summary: 'Changes a webhook of an app',
  params: AppWebhook,
});

export const webhooks_delete = endpoint({
  ...remove,
  id: 'webhooks_delete',
  path: `${ofApp}/{webhook_id}`,
  access: 'app:developer',
  summary: 'Removes a webhook of an app and its log',
  params: AppWebhook,
});

export const webhooks_rotateSecret = endpoint({
  ...rotate,
  id: 'webhooks_rotateSecret',
  path: `${ofApp}/{webhook_id}/rotate`,
  access: 'app:developer',
  summary: 'Gives a webhook of an app a new secret',
  params: AppWebhook,
});

export const webhooks_test = endpoint({
  ...test,
  id: 'webhooks_test',
  path: `${ofApp}/{webhook_id}/test`,
  access: 'app:developer',
  summary: 'Sends an example to a webhook of an app, marked as a test',
  params: AppWebhook,
});

export const webhookDeliveries_list = endpoint({
  ...deliveries,
  id: 'webhookDeliveries_list',
  path: `${ofApp}/{webhook_id}/deliveries`,
  access: 'app:viewer',
  summary: 'Lists what was sent to a webhook of an app, newest first',
  params: AppWebhook,
});

export const webhookDeliveries_watch = endpoint({
  ...watch,
  id: 'webhookDeliveries_watch',
  path: `${ofApp}/{webhook_id}/live`,
  access: 'app:viewer',
  summary: 'Tells when deliveries of a webhook of an app changed, as server-sent events',
  params: AppWebhook,
});

export const webhookDeliveries_replay = endpoint({
  ...replay,
  id: 'webhookDeliveries_replay',
  path: `${ofApp}/{webhook_id}/deliveries/{delivery_id}/replay`,
  access: 'app:developer',
  summary: 'Sends the message of a delivery of an app again',
  params: AppDelivery,
});

const ofOrg = '/v0.1/orgs/{org_name}/webhooks';
const OrgParams = Type.Object(OrgPath);
const OrgWebhook = Type.Object({ ...OrgPath, webhook_id: Id });
const OrgDelivery = Type.Object({ ...OrgPath, webhook_id: Id, delivery_id: Id });

export const orgWebhooks_list = endpoint({
  ...list,
  id: 'orgWebhooks_list',
  path: ofOrg,
  access: 'org:admin',
  summary: 'Lists the webhooks of an organization',
  params: OrgParams,
});

export const orgWebhooks_create = endpoint({
  ...create,
  id: 'orgWebhooks_create',
  path: ofOrg,
  access: 'org:admin',
  summary: 'Sends what happens to an organization and its apps to an address',
  params: OrgParams,
});

export const orgWebhooks_get = endpoint({
  ...get,
  id: 'orgWebhooks_get',
  path: `${ofOrg}/{webhook_id}`,
  access: 'org:admin',
  summary: 'Returns a webhook of an organization',
  params: OrgWebhook,
});

export const orgWebhooks_update = endpoint({
  ...update,
  id: 'orgWebhooks_update',
  path: `${ofOrg}/{webhook_id}`,
  access: 'org:admin',
  summary: 'Changes a webhook of an organization',
  params: OrgWebhook,
});

export const orgWebhooks_delete = endpoint({
  ...remove,
  id: 'orgWebhooks_delete',
  path: `${ofOrg}/{webhook_id}`,
  access: 'org:admin',
  summary: 'Removes a webhook of an organization and its log',
  params: OrgWebhook,
});

export const orgWebhooks_rotateSecret = endpoint({
  ...rotate,
  id: 'orgWebhooks_rotateSecret',
  path: `${ofOrg}/{webhook_id}/rotate`,
  access: 'org:admin',
  summary: 'Gives a webhook of an organization a new secret',
  params: OrgWebhook,
});

export const orgWebhooks_test = endpoint({
  ...test,
  id: 'orgWebhooks_test',
  path: `${ofOrg}/{webhook_id}/test`,
  access: 'org:admin',
  summary: 'Sends an example to a webhook of an organization, marked as a test',
  params: OrgWebhook,
});

export const orgWebhookDeliveries_list = endpoint({
  ...deliveries,
  id: 'orgWebhookDeliveries_list',
  path: `${ofOrg}/{webhook_id}/deliveries`,
  access: 'org:admin',
  summary: 'Lists what was sent to a webhook of an organization, newest first',
  params: OrgWebhook,
});

export const orgWebhookDeliveries_watch = endpoint({
  ...watch,
  id: 'orgWebhookDeliveries_watch',
  path: `${ofOrg}/{webhook_id}/live`,
  access: 'org:admin',
  summary: 'Tells when deliveries of a webhook of an organization changed, as server-sent events',
  params: OrgWebhook,
});

export const orgWebhookDeliveries_replay = endpoint({
  ...replay,
  id: 'orgWebhookDeliveries_replay',
  path: `${ofOrg}/{webhook_id}/deliveries/{delivery_id}/replay`,
  access: 'org:admin',
  summary: 'Sends the message of a delivery of an organization again',
  params: OrgDelivery,
});
