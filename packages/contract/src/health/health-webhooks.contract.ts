import { empty, endpoint, json } from '../endpoint/index.ts';
import { Time, Uuid } from '../fields.ts';
import { LiveQuery, liveEvents } from '../live.ts';
import { unpagedListQuery } from '../paging.ts';
import { healthSurface } from '../subscriptions/health.surface.ts';
import { ApiVersion, SubscriptionPath } from '../subscriptions/subscriptions.contract.ts';
import { Type } from '../type.ts';

export const EventFilter = Type.String({
  maxLength: 4000,
  description:
    "Only events that match this filter, in the syntax of $filter, such as service eq 'Mail'. Empty: all events.",
});

const Url = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'The https URL that receives messages by POST. Read-Only tokens see only its host.',
});

const webhookFields = {
  id: Uuid,
  url: Url,
  filter: Type.Optional(EventFilter),
  isEnabled: Type.Boolean(),
  disabledReason: Type.Optional(
    Type.Enum(['Failing', 'Gone', 'AccessLost'], {
      description:
        'Why the server disabled the webhook: only failures for 5 days, a response with 410, or its creator may no longer read the subscription.',
    }),
  ),
  failingSince: Type.Optional(Time),
  createdBy: Type.String({ description: 'The user whose access the webhook has.' }),
  createdAt: Time,
  updatedAt: Time,
};

export const HealthWebhook = Type.Object(webhookFields, { $id: 'HealthWebhook' });

export const HealthWebhookWithSecret = Type.Object(
  {
    ...webhookFields,
    secret: Type.String({ description: 'Signs the messages, by Standard Webhooks. Shown only once.' }),
  },
  { $id: 'HealthWebhookWithSecret' },
);

export const HealthWebhookAttempt = Type.Object(
  {
    at: Time,
    milliseconds: Type.Integer(),
    status: Type.Optional(Type.Integer({ description: 'The status of the response. 2xx is a success.' })),
    error: Type.Optional(Type.String({ description: 'Why there was no response.' })),
    answer: Type.Optional(
      Type.String({
        description: 'The first 500 characters of an error response. Not shown for Read-Only tokens.',
      }),
    ),
  },
  { $id: 'HealthWebhookAttempt' },
);

export const HealthWebhookDelivery = Type.Object(
  {
    id: Uuid,
    messageId: Type.String({ description: 'The header webhook-id, the same for all attempts and replays.' }),
    change: Type.Enum(['published', 'updated', 'resolved', 'withdrawn', 'test']),
    trackingId: Type.String(),
    state: Type.Enum(['Waiting', 'Delivered', 'Failed', 'Cancelled']),
    isReplay: Type.Boolean(),
    createdAt: Time,
    settledAt: Type.Optional(Time),
    attempts: Type.Array(HealthWebhookAttempt, { description: 'The attempts, oldest first.' }),
  },
  { $id: 'HealthWebhookDelivery' },
);

const home = '/subscriptions/{subscriptionId}/providers/Vendor.ResourceHealth/webhooks';
const WebhookPath = Type.Object({ ...SubscriptionPath, webhookId: Type.String({ minLength: 1, maxLength: 100 }) });
const DeliveryPath = Type.Object({
  ...WebhookPath.properties,
  deliveryId: Type.String({ minLength: 1, maxLength: 100 }),
});
const common = { surface: healthSurface, tag: 'webhooks', access: 'subscription:reader' } as const;

export const HealthWebhooks_List = endpoint({
  ...common,
  id: 'HealthWebhooks_List',
  method: 'GET',
  path: home,
  effect: 'read',
  summary: 'List your webhooks of a subscription',
  description: 'Administrators see the webhooks of all users.',
  params: Type.Object(SubscriptionPath),
  query: Type.Object(ApiVersion),
  response: json(Type.Object({ value: Type.Array(HealthWebhook) }), { description: 'The webhooks, oldest first.' }),
  errors: [404],
});

export const HealthWebhooks_Create = endpoint({
  ...common,
  id: 'HealthWebhooks_Create',
  method: 'POST',
  path: home,
  effect: 'change',
  summary: 'Create a webhook for the events of a subscription',
  description:
    'Each change is sent as a CloudEvent 1.0 (mooring.health.event.published, updated, resolved or withdrawn) with the event as your account sees it, signed by Standard Webhooks. The filter applies to the event after the change. Messages may arrive twice, with the same webhook-id, and out of order; `sequence` has the order. The webhook works while you may read the subscription.',
  params: Type.Object(SubscriptionPath),
  query: Type.Object(ApiVersion),
  request: json(
    Type.Object({ url: Url, filter: Type.Optional(EventFilter), isEnabled: Type.Optional(Type.Boolean()) }),
  ),
  response: json(HealthWebhookWithSecret, { status: 201, description: 'The webhook and its secret.' }),
  errors: [404, 409],
});

export const HealthWebhooks_Get = endpoint({
  ...common,
  id: 'HealthWebhooks_Get',
  method: 'GET',
  path: `${home}/{webhookId}`,
  effect: 'read',
  summary: 'Get a webhook',
  params: WebhookPath,
  query: Type.Object(ApiVersion),
  response: json(HealthWebhook, { description: 'The webhook.' }),
  errors: [404],
});

export const HealthWebhooks_Update = endpoint({
  ...common,
  id: 'HealthWebhooks_Update',
  method: 'PATCH',
  path: `${home}/{webhookId}`,
  effect: 'change',
  summary: 'Update a webhook',
  description: 'Enabling a webhook resets its failures. Messages that were pending while it was disabled are not sent.',
  params: WebhookPath,
  query: Type.Object(ApiVersion),
  request: json(
    Type.Object({
      url: Type.Optional(Url),
      filter: Type.Optional(EventFilter),
      isEnabled: Type.Optional(Type.Boolean()),
    }),
  ),
  response: json(HealthWebhook, { description: 'The updated webhook.' }),
  errors: [404],
});

export const HealthWebhooks_Delete = endpoint({
  ...common,
  id: 'HealthWebhooks_Delete',
  method: 'DELETE',
  path: `${home}/{webhookId}`,
  effect: 'change',
  summary: 'Delete a webhook and its deliveries',
  params: WebhookPath,
  query: Type.Object(ApiVersion),
  response: empty({ description: 'Deleted.' }),
  errors: [404],
});

export const HealthWebhooks_RotateSecret = endpoint({
  ...common,
  id: 'HealthWebhooks_RotateSecret',
  method: 'POST',
  path: `${home}/{webhookId}/rotate`,
  effect: 'change',
  summary: 'Rotate the secret of a webhook',
  description: 'For 24 hours, messages have two signatures, one with each secret.',
  params: WebhookPath,
  query: Type.Object(ApiVersion),
  request: json(Type.Object({})),
  response: json(HealthWebhookWithSecret, { description: 'The webhook and its new secret.' }),
  errors: [404],
});

export const HealthWebhooks_Test = endpoint({
  ...common,
  id: 'HealthWebhooks_Test',
  method: 'POST',
  path: `${home}/{webhookId}/test`,
  effect: 'change',
  summary: 'Send a message of the type mooring.health.event.test',
  params: WebhookPath,
  query: Type.Object(ApiVersion),
  request: json(Type.Object({})),
  response: json(HealthWebhookDelivery, { status: 201, description: 'The delivery. The message is sent immediately.' }),
  errors: [404, 409],
});

export const deliverySorts = ['createdAt', 'state', 'trackingId', 'attempts'] as const;

export const HealthWebhookDeliveries_List = endpoint({
  ...common,
  id: 'HealthWebhookDeliveries_List',
  method: 'GET',
  path: `${home}/{webhookId}/deliveries`,
  effect: 'read',
  summary: 'List the deliveries of a webhook',
  description: 'Newest first by default. Deliveries are deleted after 30 days.',
  params: WebhookPath,
  query: Type.Object({
    ...ApiVersion,
    ...unpagedListQuery(deliverySorts, 'the tracking ID, the type of the change, the state or the ID of the message'),
    $top: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'The maximum number of deliveries.' }),
    ),
    $skipToken: Type.Optional(Type.String({ maxLength: 512, description: 'From the nextLink of the previous page.' })),
  }),
  response: json(
    Type.Object({
      value: Type.Array(HealthWebhookDelivery),
      nextLink: Type.Optional(Type.String()),
      total: Type.Optional(Type.Integer({ description: 'Only on the first page, and only if counting is fast.' })),
    }),
    { description: 'A page of deliveries.' },
  ),
  errors: [404],
});

export const HealthWebhookDeliveries_Watch = endpoint({
  ...common,
  id: 'HealthWebhookDeliveries_Watch',
  method: 'GET',
  path: `${home}/{webhookId}/live`,
  effect: 'read',
  summary: 'Watch the deliveries of a webhook for changes, as server-sent events',
  params: WebhookPath,
  query: Type.Object({ ...ApiVersion, ...LiveQuery }),
  response: liveEvents(['deliveries']),
  errors: [404],
});

export const HealthWebhookDeliveries_Replay = endpoint({
  ...common,
  id: 'HealthWebhookDeliveries_Replay',
  method: 'POST',
  path: `${home}/{webhookId}/deliveries/{deliveryId}/replay`,
  effect: 'change',
  summary: 'Replay a delivery: send its message again',
  params: DeliveryPath,
  query: Type.Object(ApiVersion),
  request: json(Type.Object({})),
  response: json(HealthWebhookDelivery, { status: 201, description: 'The new delivery.' }),
  errors: [404, 409],
});
