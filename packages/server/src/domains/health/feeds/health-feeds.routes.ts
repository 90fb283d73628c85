import { Feeds_Create, Feeds_Delete, Feeds_List, Feeds_ReadAtom, Feeds_ReadCalendar } from '@mooring/contract';
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
    route(Feeds_List, async (ctx) => ({ value: (await listFeeds(ctx)).map(toWire) })),
    route(Feeds_Create, async (ctx, { body }) => {
      const { secret, ...feed } = await createFeed(ctx, body.filter);
      const address = `${ctx.publicUrl()}/feeds/${secret}`;
      return { ...toWire(feed), atomUrl: `${address}/events.atom`, calendarUrl: `${address}/maintenance.ics` };
    }),
    route(Feeds_Delete, (ctx, { params }) => deleteFeed(ctx, params.feedId)),
    route(Feeds_ReadAtom, (_ctx, { params }) => read(params.feed_secret, 'events.atom')),
    route(Feeds_ReadCalendar, (_ctx, { params }) => read(params.feed_secret, 'maintenance.ics')),
  ];
};
