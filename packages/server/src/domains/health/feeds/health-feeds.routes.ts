import { Feeds_Create, Feeds_Delete, Feeds_List } from '@mooring/contract';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../context.ts';
import { route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';
import { notFound } from '../../../kernel/errors.ts';
import { createFeedReader, feedForms, type ReadFeed } from './health-feed-reading.ts';
import { createFeed, deleteFeed, type Feed, listFeeds } from './health-feeds.ts';

const toWire = ({ id, filter, createdBy, createdAt }: Feed) => ({
  id,
  filter: filter || undefined,
  createdBy,
  createdAt: toIso(createdAt),
});

export const feedRoutes = [
  route(Feeds_List, async (ctx) => ({ value: (await listFeeds(ctx)).map(toWire) })),
  route(Feeds_Create, async (ctx, { body }) => {
    const { secret, ...feed } = await createFeed(ctx, body.filter);
    const address = `${ctx.publicUrl()}/feeds/${secret}`;
    return { ...toWire(feed), atomUrl: `${address}/events.atom`, calendarUrl: `${address}/maintenance.ics` };
  }),
  route(Feeds_Delete, (ctx, { params }) => deleteFeed(ctx, params.feedId)),
];

/** Whether the reader has it already; what it says about ETags comes before what it says about times. */
function isKnown(headers: Record<string, unknown>, { etag, lastModified }: ReadFeed): boolean {
  const { 'if-none-match': etags, 'if-modified-since': since } = headers;
  if (etags !== undefined) {
    const named = String(etags).split(',');
    return named.some((one) => ['*', etag].includes(one.trim().replace(/^W\//, '')));
  }
  return lastModified !== undefined && Math.floor(lastModified / 1000) <= Math.floor(Date.parse(String(since)) / 1000);
}

/** Serves feeds to whoever knows their address: feed readers and calendars have no token. */
export function addFeeds(app: FastifyInstance, deps: Deps): void {
  const read = createFeedReader(deps);
  for (const form of feedForms) {
    app.get<{ Params: { secret: string } }>(`/feeds/:secret/${form}`, async ({ params, headers }, reply) => {
      const feed = await read(params.secret, form);
      if (!feed) throw notFound('feed');
      reply.header('cache-control', 'private, max-age=60').header('etag', feed.etag);
      // An article is HTML of others; nothing of it may run where the address is opened in a browser.
      reply.header('content-security-policy', "default-src 'none'; sandbox").header('referrer-policy', 'no-referrer');
      if (feed.lastModified !== undefined) reply.header('last-modified', new Date(feed.lastModified).toUTCString());
      if (isKnown(headers, feed)) return reply.code(304).send();
      return reply.type(feed.type).send(feed.body);
    });
  }
}
