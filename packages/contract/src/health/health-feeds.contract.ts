import { empty, endpoint, json, text } from '../endpoint/index.ts';
import { Time, Uuid } from '../fields.ts';
import { healthSurface } from '../subscriptions/health.surface.ts';
import { ApiVersion, SubscriptionPath } from '../subscriptions/subscriptions.contract.ts';
import { Type } from '../type.ts';
import { EventFilter } from './health-webhooks.contract.ts';

const feedFields = {
  id: Uuid,
  filter: Type.Optional(EventFilter),
  createdBy: Type.String({ description: 'The user whose access the feed has.' }),
  createdAt: Time,
};

export const HealthFeed = Type.Object(feedFields, { $id: 'HealthFeed' });

export const HealthFeedWithUrls = Type.Object(
  {
    ...feedFields,
    atomUrl: Type.String({ description: 'The newest 100 events, as Atom. Shown only once.' }),
    calendarUrl: Type.String({ description: 'Planned maintenance, as iCalendar. Shown only once.' }),
  },
  { $id: 'HealthFeedWithUrls' },
);

const home = '/subscriptions/{subscriptionId}/providers/Vendor.ResourceHealth/feeds';
const common = { surface: healthSurface, tag: 'feeds', access: 'subscription:reader' } as const;

export const HealthFeeds_List = endpoint({
  ...common,
  id: 'HealthFeeds_List',
  method: 'GET',
  path: home,
  effect: 'read',
  summary: 'List your feeds of a subscription',
  description: 'Administrators see the feeds of all users.',
  params: Type.Object(SubscriptionPath),
  query: Type.Object(ApiVersion),
  response: json(Type.Object({ value: Type.Array(HealthFeed) }), { description: 'The feeds, oldest first.' }),
  errors: [404],
});

export const HealthFeeds_Create = endpoint({
  ...common,
  id: 'HealthFeeds_Create',
  method: 'POST',
  path: home,
  effect: 'change',
  summary: 'Create a feed of a subscription: URLs that feed readers can open without signing in',
  description:
    'Anyone with the URLs can read the events that you may read. They work until you lose access or delete the feed.',
  params: Type.Object(SubscriptionPath),
  query: Type.Object(ApiVersion),
  request: json(Type.Object({ filter: Type.Optional(EventFilter) })),
  response: json(HealthFeedWithUrls, { status: 201, description: 'The feed and its URLs.' }),
  errors: [404, 409],
});

export const HealthFeeds_Delete = endpoint({
  ...common,
  id: 'HealthFeeds_Delete',
  method: 'DELETE',
  path: `${home}/{feedId}`,
  effect: 'change',
  summary: 'Delete a feed; its URLs stop working',
  params: Type.Object({ ...SubscriptionPath, feedId: Type.String({ minLength: 1, maxLength: 100 }) }),
  query: Type.Object(ApiVersion),
  response: empty({ description: 'Deleted.' }),
  errors: [404],
});

const reading = { tag: 'feeds', access: 'public', effect: 'read', method: 'GET', errors: [404] } as const;
const FeedPath = Type.Object({
  feed_secret: Type.String({ description: 'The secret in the URL of the feed.' }),
});
const forReaders = 'Requires no credential: anyone with the URL, such as a feed reader or calendar, can read it.';

export const HealthFeeds_ReadAtom = endpoint({
  ...reading,
  id: 'HealthFeeds_ReadAtom',
  path: '/feeds/{feed_secret}/events.atom',
  summary: 'Get the newest 100 events of a feed, as Atom',
  description: forReaders,
  params: FeedPath,
  response: text({ type: 'application/atom+xml', description: 'The feed.', cache: 'private, max-age=60' }),
});

export const HealthFeeds_ReadCalendar = endpoint({
  ...reading,
  id: 'HealthFeeds_ReadCalendar',
  path: '/feeds/{feed_secret}/maintenance.ics',
  summary: 'Get the planned maintenance of a feed, as iCalendar',
  description: forReaders,
  params: FeedPath,
  response: text({ type: 'text/calendar', description: 'The calendar.', cache: 'private, max-age=60' }),
});
