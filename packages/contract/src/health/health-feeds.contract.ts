import { empty, endpoint, json, text } from '../endpoint/index.ts';
import { Time, Uuid } from '../fields.ts';
import { healthFamily } from '../subscriptions/health.family.ts';
import { ApiVersion, SubscriptionPath } from '../subscriptions/subscriptions.contract.ts';
import { Type } from '../type.ts';
import { EventFilter } from './health-webhooks.contract.ts';

const feedFields = {
  id: Uuid,
  filter: Type.Optional(EventFilter),
  createdBy: Type.String({ description: 'Name of the user whose access it has.' }),
  createdAt: Time,
};

export const HealthFeed = Type.Object(feedFields, { $id: 'HealthFeed' });

export const HealthFeedWithUrls = Type.Object(
  {
    ...feedFields,
    atomUrl: Type.String({ description: 'The newest 100 events, as Atom. It is shown only here.' }),
    calendarUrl: Type.String({ description: 'Planned maintenance, as iCalendar. It is shown only here.' }),
  },
  { $id: 'HealthFeedWithUrls' },
);

const home = '/subscriptions/{subscriptionId}/providers/Vendor.ResourceHealth/feeds';
const common = { family: healthFamily, tag: 'feeds', access: 'subscription:reader' } as const;

export const HealthFeeds_List = endpoint({
  ...common,
  id: 'HealthFeeds_List',
  method: 'GET',
  path: home,
  effect: 'read',
  summary: 'Lists your feeds of a subscription',
  description: 'Administrators see those of everybody.',
  params: Type.Object(SubscriptionPath),
  query: Type.Object(ApiVersion),
  response: json(Type.Object({ value: Type.Array(HealthFeed) }), { description: 'Oldest first.' }),
  errors: [404],
});

export const HealthFeeds_Create = endpoint({
  ...common,
  id: 'HealthFeeds_Create',
  method: 'POST',
  path: home,
  effect: 'change',
  summary: 'Makes addresses at which the events of a subscription are read without signing in',
  description:
    'Whoever knows them reads what you may read, for feed readers and calendars; they work as long as you may read it and the feed is not removed.',
  params: Type.Object(SubscriptionPath),
  query: Type.Object(ApiVersion),
  request: json(Type.Object({ filter: Type.Optional(EventFilter) })),
  response: json(HealthFeedWithUrls, { status: 201, description: 'The feed and its addresses.' }),
  errors: [404, 409],
});

export const HealthFeeds_Delete = endpoint({
  ...common,
  id: 'HealthFeeds_Delete',
  method: 'DELETE',
  path: `${home}/{feedId}`,
  effect: 'change',
  summary: 'Removes a feed; its addresses no longer work',
  params: Type.Object({ ...SubscriptionPath, feedId: Type.String({ minLength: 1, maxLength: 100 }) }),
  query: Type.Object(ApiVersion),
  response: empty({ description: 'It is gone.' }),
  errors: [404],
});

const reading = { tag: 'feeds', access: 'public', effect: 'read', method: 'GET', errors: [404] } as const;
const FeedPath = Type.Object({
  feed_secret: Type.String({ description: 'From the address that the feed was made with.' }),
});
const forReaders = 'Without signing in, for feed readers and calendars: whoever knows the address reads it.';

export const HealthFeeds_ReadAtom = endpoint({
  ...reading,
  id: 'HealthFeeds_ReadAtom',
  path: '/feeds/{feed_secret}/events.atom',
  summary: 'Returns the newest 100 events of a feed, as Atom',
  description: forReaders,
  params: FeedPath,
  response: text({ type: 'application/atom+xml', description: 'The feed.', cache: 'private, max-age=60' }),
});

export const HealthFeeds_ReadCalendar = endpoint({
  ...reading,
  id: 'HealthFeeds_ReadCalendar',
  path: '/feeds/{feed_secret}/maintenance.ics',
  summary: 'Returns the planned maintenance of a feed, as iCalendar',
  description: forReaders,
  params: FeedPath,
  response: text({ type: 'text/calendar', description: 'The calendar.', cache: 'private, max-age=60' }),
});
