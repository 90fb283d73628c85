import { empty, endpoint, json } from '../endpoint/index.ts';
import { Time, Uuid } from '../fields.ts';
import { LiveQuery, liveEvents } from '../live.ts';
import { unpagedListQuery } from '../paging.ts';
import { healthFamily } from '../subscriptions/health.family.ts';
import { ApiVersion, SubscriptionPath } from '../subscriptions/subscriptions.contract.ts';
import { Type } from '../type.ts';

export const EventFilter = Type.String({
  maxLength: 4000,
  description: "Only events that match, in the words of $filter, such as service eq 'Mail'. Empty: every event.",
});

const Url = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'Where messages are sent by POST: an https address. A Read-Only token sees only its host.',
});

const webhookFields = {
  id: Uuid,
  url: Url,
  filter: Type.Optional(EventFilter),
  isEnabled: Type.Boolean(),
  disabledReason: Type.Optional(
    Type.Enum(['Failing', 'Gone', 'AccessLost'], {
      description:
        'Why the server disabled it: nothing but failures for 5 days, an answer 410, or its maker may no longer read the subscription.',
    }),
  ),
  failingSince: Type.Optional(Time),
  createdBy: Type.String({ description: 'Name of the user whose access it has.' }),
  createdAt: Time,
  updatedAt: Time,
};

export const HealthWebhook = Type.Object(webhookFields, { $id: 'HealthWebhook' });

export const HealthWebhookWithSecret = Type.Object(
  {
    ...webhookFields,
    secret: Type.String({ description: 'Signs the messages, after Standard Webhooks. It is shown only here.' }),
  },
  { $id: 'HealthWebhookWithSecret' },
);

export const HealthWebhookAttempt = Type.Object(
  {
    at: Time,
    milliseconds: Type.Integer(),
    status: Type.Optional(Type.Integer({ description: 'Of the answer; 2xx is a success.' })),
    error: Type.Optional(Type.String({ description: 'Why there was no answer.' })),
    answer: Type.Optional(
      Type.String({
        description: 'The first 500 characters of an answer that was no success; not for a Read-Only token.',
      }),
    ),
  },
  { $id: 'HealthWebhookAttempt' },
);

export const HealthWebhookDelivery = Type.Object(
  {
    id: Uuid,
    messageId: Type.String({ description: 'The header webhook-id: the same through every attempt and replay.' }),
    change: Type.Enum(['published', 'updated', 'resolved', 'withdrawn', 'test']),
    trackingId: Type.String(),
    state: Type.Enum(['Waiting', 'Delivered', 'Failed', 'Cancelled']),
    isReplay: Type.Boolean(),
    createdAt: Time,
    settledAt: Type.Optional(Time),
    attempts: Type.Array(HealthWebhookAttempt, { description: 'Oldest first.' }),
  },
  { $id: 'HealthWebhookDelivery' },
);

const home = '/subscriptions/{subscriptionId}/providers/Vendor.ResourceHealth/webhooks';
const WebhookPath = Type.Object({ ...SubscriptionPath, webhookId: Type.String({ minLength: 1, maxLength: 100 }) });
const DeliveryPath = Type.Object({
  ...WebhookPath.properties,
  deliveryId: Type.String({ minLength: 1, maxLength: 100 }),
});
const common = { family: healthFamily, tag: 'webhooks', access: 'subscription:reader' } as const;

export const HealthWebhooks_List = endpoint({
  ...common,
  id: 'HealthWebhooks_List',
  method: 'GET',
  path: home,
  effect: 'read',
  summary: 'Lists your webhooks of a subscription',
  description: 'Administrators see those of everybody.',
  params: Type.Object(SubscriptionPath),
  query: Type.Object(ApiVersion),
  response: json(Type.Object({ value: Type.Array(HealthWebhook) }), { description: 'Oldest first.' }),
  errors: [404],
});

export const HealthWebhooks_Create = endpoint({
  ...common,
  id: 'HealthWebhooks_Create',
  method: 'POST',
  path: home,
  effect: 'change',
  summary: 'Sends changes of the events of a subscription to an address',
  description:
    'Each change is a CloudEvent 1.0 (mooring.health.event.published, updated, resolved or withdrawn) with the event as you see it, signed after Standard Webhooks. The filter sees the event after the change. Messages may come twice, with the same webhook-id, and in any order: sequence says which. It works as long as you may read the subscription.',
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
  summary: 'Returns a webhook',
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
  summary: 'Changes a webhook',
  description: 'Enabling it begins anew: it counts as not failing. What waits for a disabled one is not sent.',
  params: WebhookPath,
  query: Type.Object(ApiVersion),
  request: json(
    Type.Object({
      url: Type.Optional(Url),
      filter: Type.Optional(EventFilter),
      isEnabled: Type.Optional(Type.Boolean()),
    }),
  ),
  response: json(HealthWebhook, { description: 'The webhook after the change.' }),
  errors: [404],
});

export const HealthWebhooks_Delete = endpoint({
  ...common,
  id: 'HealthWebhooks_Delete',
  method: 'DELETE',
  path: `${home}/{webhookId}`,
  effect: 'change',
  summary: 'Removes a webhook and its log',
  params: WebhookPath,
  query: Type.Object(ApiVersion),
  response: empty({ description: 'It is gone.' }),
  errors: [404],
});

export const HealthWebhooks_RotateSecret = endpoint({
  ...common,
  id: 'HealthWebhooks_RotateSecret',
  method: 'POST',
  path: `${home}/{webhookId}/rotate`,
  effect: 'change',
  summary: 'Gives a webhook a new secret',
  description: 'For 24 hours messages carry two signatures, one with each secret.',
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
  summary: 'Sends a message of the type mooring.health.event.test',
  params: WebhookPath,
  query: Type.Object(ApiVersion),
  request: json(Type.Object({})),
  response: json(HealthWebhookDelivery, { status: 201, description: 'The delivery; it is sent at once.' }),
  errors: [404, 409],
});

export const deliverySorts = ['createdAt', 'state', 'trackingId', 'attempts'] as const;

export const HealthWebhookDeliveries_List = endpoint({
  ...common,
  id: 'HealthWebhookDeliveries_List',
  method: 'GET',
  path: `${home}/{webhookId}/deliveries`,
  effect: 'read',
  summary: 'Lists what was sent to a webhook',
  description: 'Newest first unless another order is asked for; kept for 30 days.',
  params: WebhookPath,
  query: Type.Object({
    ...ApiVersion,
    ...unpagedListQuery(deliverySorts, 'the tracking id, the kind of change, the state or the id of the message'),
    $top: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'How many at most.' })),
    $skipToken: Type.Optional(Type.String({ maxLength: 512, description: 'From the nextLink of the page before.' })),
  }),
  response: json(
    Type.Object({
      value: Type.Array(HealthWebhookDelivery),
      nextLink: Type.Optional(Type.String()),
      total: Type.Optional(
        Type.Integer({ description: 'On the first page, unless there are too many to be counted quickly.' }),
      ),
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
  summary: 'Tells when deliveries of a webhook changed, as server-sent events',
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
  summary: 'Sends the message of a delivery again',
  params: DeliveryPath,
  query: Type.Object(ApiVersion),
  request: json(Type.Object({})),
  response: json(HealthWebhookDelivery, { status: 201, description: 'The new delivery.' }),
  errors: [404, 409],
});
