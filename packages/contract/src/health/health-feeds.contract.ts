import Type from 'typebox';
import { endpoint } from '../endpoint/endpoint.ts';
import { Time, Uuid } from '../fields.ts';
import { ApiVersion, healthVersion, SubscriptionPath } from '../subscriptions/subscriptions.contract.ts';
import { EventFilter } from './health-webhooks.contract.ts';

const feedFields = {
  id: Uuid,
  filter: Type.Optional(EventFilter),
  createdBy: Type.String({ description: 'Name of the user whose access it has.' }),
  createdAt: Time,
};

export const Feed = Type.Object(feedFields, { $id: 'Feed' });

export const FeedWithAddresses = Type.Object(
  {
    ...feedFields,
    atomUrl: Type.String({ description: 'The newest 100 events, as Atom. It is shown only here.' }),
    calendarUrl: Type.String({ description: 'Planned maintenance, as iCalendar. It is shown only here.' }),
  },
  { $id: 'FeedWithAddresses' },
);

const params = { subscriptionId: '5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b11' };
const feed = {
  id: '0198c7a4-0a80-7d10-8d7e-0c1b7a6f5e77',
  filter: "service eq 'Mail'",
  createdBy: 'ada',
  createdAt: '2026-11-01T09:00:00.000Z',
} as const;
const address = 'https://mooring.example.com/feeds/7Qx2LrTn0cVbYkE5uZs8HfWj1aMdPo3G';

const home = '/subscriptions/{subscriptionId}/providers/Vendor.ResourceHealth/feeds';
const common = { family: 'health', tag: 'feeds', access: 'subscription:reader' } as const;

export const Feeds_List = endpoint({
  ...common,
  id: 'Feeds_List',
  method: 'GET',
  path: home,
  summary: 'Lists your feeds of a subscription',
  description: 'Administrators see those of everybody.',
  params: Type.Object(SubscriptionPath),
  query: Type.Object(ApiVersion),
  success: { status: 200, description: 'Oldest first.', body: Type.Object({ value: Type.Array(Feed) }) },
  errors: [404],
  example: { params, query: healthVersion, response: { value: [feed] } },
});

export const Feeds_Create = endpoint({
  ...common,
  id: 'Feeds_Create',
  method: 'POST',
  path: home,
  summary: 'Makes addresses at which the events of a subscription are read without signing in',
  description:
    'Whoever knows them reads what you may read, for feed readers and calendars; they work as long as you may read it and the feed is not removed.',
  params: Type.Object(SubscriptionPath),
  query: Type.Object(ApiVersion),
  body: Type.Object({ filter: Type.Optional(EventFilter) }),
  success: { status: 201, description: 'The feed and its addresses.', body: FeedWithAddresses },
  errors: [404, 409],
  example: {
    params,
    query: healthVersion,
    body: { filter: feed.filter },
    response: { ...feed, atomUrl: `${address}/events.atom`, calendarUrl: `${address}/maintenance.ics` },
  },
});

export const Feeds_Delete = endpoint({
  ...common,
  id: 'Feeds_Delete',
  method: 'DELETE',
  path: `${home}/{feedId}`,
  summary: 'Removes a feed; its addresses no longer work',
  params: Type.Object({ ...SubscriptionPath, feedId: Type.String({ minLength: 1, maxLength: 100 }) }),
  query: Type.Object(ApiVersion),
  success: { status: 204, description: 'It is gone.' },
  errors: [404],
  example: { params: { ...params, feedId: feed.id }, query: healthVersion },
});
