import {
  HealthFeeds_Create,
  HealthFeeds_Delete,
  HealthFeeds_List,
  HealthFeeds_ReadAtom,
  HealthFeeds_ReadCalendar,
} from '@mooring/contract';
import type { Deps } from '../../../context.ts';
import { route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';
import { createFeedReader } from './health-feed-reading.ts';
import { createFeed, deleteFeed, type Feed, listFeeds } from './health-feeds.ts';

const toWire = ({ id, filter, createdBy, createdAt }: Feed) => ({
  id,
  filter: filter || undefined,
  createdBy,
  createdAt: toIso(createdAt),
});

export const feedRoutes = (deps: Deps) => {
  const read = createFeedReader(deps);
  return [
    route(HealthFeeds_List, async (ctx) => ({ value: (await listFeeds(ctx)).map(toWire) })),
    route(HealthFeeds_Create, async (ctx, { body }) => {
      const { secret, ...feed } = await createFeed(ctx, body.filter);
      const url = `${ctx.publicUrl()}/feeds/${secret}`;
      return { ...toWire(feed), atomUrl: `${url}/events.atom`, calendarUrl: `${url}/maintenance.ics` };
    }),
    route(HealthFeeds_Delete, (ctx, { params }) => deleteFeed(ctx, params.feedId)),
    route(HealthFeeds_ReadAtom, (_ctx, { params }) => read(params.feed_secret, 'events.atom')),
    route(HealthFeeds_ReadCalendar, (_ctx, { params }) => read(params.feed_secret, 'maintenance.ics')),
  ];
};
