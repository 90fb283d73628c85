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
  description: 'The https URL that receives messages by POST. Callers with read access see only its host.',
});
const EventType = Type.Enum([...announcementTypes]);
const EventTypes = Type.Array(EventType, {
  minItems: 1,
  maxItems: announcementTypes.length,
  uniqueItems: true,
  description: 'The event types to send; docs/webhooks.md describes them.',
});
const Format = Type.Enum([...webhookFormats], {
  description:
    '`cloudevents`: a CloudEvent 1.0. `plain`: its data alone, as App Center sent it. `slack` and `teams`: a chat message. The default depends on the host of the URL, otherwise `cloudevents`. All are signed by Standard Webhooks.',
});

const Filter = Type.String({
  maxLength: 4096,
  description:
    "Only events that match this filter, such as app_name eq 'compass' and kind eq 'crash'; docs/webhooks.md lists the fields. Empty: all events of the types.",
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
        'Why the server disabled the webhook: only failures for 5 days, a response with 410, or a transfer of the app.',
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
    secret: Type.String({ description: 'Signs the messages, by Standard Webhooks. Shown only once.' }),
  },
  { $id: 'WebhookWithSecret' },
);

export const WebhookAttempt = Type.Object(
  {
    at: Time,
    milliseconds: Type.Integer(),
    status: Type.Optional(Type.Integer({ description: 'The status of the response. 2xx is a success.' })),
    error: Type.Optional(Type.String({ description: 'Why there was no response.' })),
    answer: Type.Optional(
      Type.String({
        description: 'The first 500 characters of an error response. Not shown to callers with read access.',
      }),
    ),
  },
  { $id: 'WebhookAttempt' },
);

export const WebhookDelivery = Type.Object(
  {
    id: Uuid,
    message_id: Type.String({ description: 'The header webhook-id, the same for all attempts and replays.' }),
    event_type: EventType,
    subject: Type.String({ description: 'A short description of the event.' }),
    state: Type.Enum(['Waiting', 'Delivered', 'Failed', 'Cancelled']),
    is_replay: Type.Boolean(),
    created_at: Time,
    settled_at: Type.Optional(Time),
    attempts: Type.Array(WebhookAttempt, { description: 'The attempts, oldest first.' }),
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
      Type.Enum([...announcementTypes], {
        description: 'The event type of the example (default: the first type of the webhook).',
      }),
    ),
  }),
);

const Id = Type.String({ minLength: 1, maxLength: 100 });
const common = { tag: 'webhooks', errorShape: 'traced' } as const;

const list = {
  ...common,
  method: 'GET',
  effect: 'read',
  response: json(Type.Object({ values: Type.Array(Webhook) }), { description: 'The webhooks, oldest first.' }),
  errors: [404],
} as const;
const create = {
  ...common,
  method: 'POST',
  effect: 'change',
  description:
    'Messages may arrive twice, with the same webhook-id, and out of order. Failed messages are retried for about seven hours.',
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
  description: 'Enabling a webhook resets its failures. Messages that were pending while it was disabled are not sent.',
  request: WebhookChange,
  response: json(Webhook, { description: 'The updated webhook.' }),
  errors: [404],
} as const;
const remove = {
  ...common,
  method: 'DELETE',
  effect: 'change',
  response: empty({ description: 'Deleted.' }),
  errors: [404],
} as const;
const rotate = {
  ...common,
  method: 'POST',
  effect: 'change',
  description: 'For 24 hours, messages have two signatures, one with each secret.',
  request: json(Type.Object({})),
  response: json(WebhookWithSecret, { description: 'The webhook and its new secret.' }),
  errors: [404],
} as const;
const test = {
  ...common,
  method: 'POST',
  effect: 'change',
  request: Test,
  response: json(WebhookDelivery, { status: 201, description: 'The delivery. The message is sent immediately.' }),
  errors: [404, 409],
} as const;
const deliveries = {
  ...common,
  method: 'GET',
  effect: 'read',
  description: 'Deliveries are deleted after 30 days.',
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
  summary: 'List the webhooks of an app',
  params: AppParams,
});

export const webhooks_create = endpoint({
  ...create,
  id: 'webhooks_create',
  path: ofApp,
  access: 'app:developer',
  summary: 'Create a webhook for an app',
  params: AppParams,
});

export const webhooks_get = endpoint({
  ...get,
  id: 'webhooks_get',
  path: `${ofApp}/{webhook_id}`,
  access: 'app:viewer',
  summary: 'Get a webhook of an app',
  params: AppWebhook,
});

export const webhooks_update = endpoint({
  ...update,
  id: 'webhooks_update',
  path: `${ofApp}/{webhook_id}`,
  access: 'app:developer',
  summary: 'Update a webhook of an app',
  params: AppWebhook,
});

export const webhooks_delete = endpoint({
  ...remove,
  id: 'webhooks_delete',
  path: `${ofApp}/{webhook_id}`,
  access: 'app:developer',
  summary: 'Delete a webhook of an app and its deliveries',
  params: AppWebhook,
});

export const webhooks_rotateSecret = endpoint({
  ...rotate,
  id: 'webhooks_rotateSecret',
  path: `${ofApp}/{webhook_id}/rotate`,
  access: 'app:developer',
  summary: 'Rotate the secret of a webhook of an app',
  params: AppWebhook,
});

export const webhooks_test = endpoint({
  ...test,
  id: 'webhooks_test',
  path: `${ofApp}/{webhook_id}/test`,
  access: 'app:developer',
  summary: 'Send a test message to a webhook of an app',
  params: AppWebhook,
});

export const webhookDeliveries_list = endpoint({
  ...deliveries,
  id: 'webhookDeliveries_list',
  path: `${ofApp}/{webhook_id}/deliveries`,
  access: 'app:viewer',
  summary: 'List the deliveries of a webhook of an app, newest first',
  params: AppWebhook,
});

export const webhookDeliveries_watch = endpoint({
  ...watch,
  id: 'webhookDeliveries_watch',
  path: `${ofApp}/{webhook_id}/live`,
  access: 'app:viewer',
  summary: 'Watch the deliveries of a webhook of an app for changes, as server-sent events',
  params: AppWebhook,
});

export const webhookDeliveries_replay = endpoint({
  ...replay,
  id: 'webhookDeliveries_replay',
  path: `${ofApp}/{webhook_id}/deliveries/{delivery_id}/replay`,
  access: 'app:developer',
  summary: 'Replay a delivery of a webhook of an app',
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
  summary: 'List the webhooks of an organization',
  params: OrgParams,
});

export const orgWebhooks_create = endpoint({
  ...create,
  id: 'orgWebhooks_create',
  path: ofOrg,
  access: 'org:admin',
  summary: 'Create a webhook for an organization and its apps',
  params: OrgParams,
});

export const orgWebhooks_get = endpoint({
  ...get,
  id: 'orgWebhooks_get',
  path: `${ofOrg}/{webhook_id}`,
  access: 'org:admin',
  summary: 'Get a webhook of an organization',
  params: OrgWebhook,
});

export const orgWebhooks_update = endpoint({
  ...update,
  id: 'orgWebhooks_update',
  path: `${ofOrg}/{webhook_id}`,
  access: 'org:admin',
  summary: 'Update a webhook of an organization',
  params: OrgWebhook,
});

export const orgWebhooks_delete = endpoint({
  ...remove,
  id: 'orgWebhooks_delete',
  path: `${ofOrg}/{webhook_id}`,
  access: 'org:admin',
  summary: 'Delete a webhook of an organization and its deliveries',
  params: OrgWebhook,
});

export const orgWebhooks_rotateSecret = endpoint({
  ...rotate,
  id: 'orgWebhooks_rotateSecret',
  path: `${ofOrg}/{webhook_id}/rotate`,
  access: 'org:admin',
  summary: 'Rotate the secret of a webhook of an organization',
  params: OrgWebhook,
});

export const orgWebhooks_test = endpoint({
  ...test,
  id: 'orgWebhooks_test',
  path: `${ofOrg}/{webhook_id}/test`,
  access: 'org:admin',
  summary: 'Send a test message to a webhook of an organization',
  params: OrgWebhook,
});

export const orgWebhookDeliveries_list = endpoint({
  ...deliveries,
  id: 'orgWebhookDeliveries_list',
  path: `${ofOrg}/{webhook_id}/deliveries`,
  access: 'org:admin',
  summary: 'List the deliveries of a webhook of an organization, newest first',
  params: OrgWebhook,
});

export const orgWebhookDeliveries_watch = endpoint({
  ...watch,
  id: 'orgWebhookDeliveries_watch',
  path: `${ofOrg}/{webhook_id}/live`,
  access: 'org:admin',
  summary: 'Watch the deliveries of a webhook of an organization for changes, as server-sent events',
  params: OrgWebhook,
});

export const orgWebhookDeliveries_replay = endpoint({
  ...replay,
  id: 'orgWebhookDeliveries_replay',
  path: `${ofOrg}/{webhook_id}/deliveries/{delivery_id}/replay`,
  access: 'org:admin',
  summary: 'Replay a delivery of a webhook of an organization',
  params: OrgDelivery,
});
