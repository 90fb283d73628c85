import { azureSubscription_listForApp } from '@mooring/contract';
import { type AppOverviewPart, summarize } from '../../../extensions/app-overviews.ts';
import { listLinkedSubscriptions, listReadable } from '../../subscriptions/index.ts';
import { parseFilter } from '../filter/filter.ts';
import { createReader, newestEvents } from './listing.ts';

/** More are counted as this many. */
const LISTED = 100;
const activeOnly = parseFilter("status eq 'Active'");

/** Active health events of the linked subscriptions that the caller may read. */
export const eventOverview: AppOverviewPart = {
  needs: azureSubscription_listForApp,
  async read(ctx) {
    const { actor } = ctx;
    if (actor.kind !== 'user') return {};
    const linked = await listLinkedSubscriptions(ctx);
    if (linked.length === 0) return {};
    const readable = new Set((await listReadable({ ...ctx, actor })).map(({ id }) => id));
    const events = await Promise.all(
      linked
        .filter(({ id }) => readable.has(id))
        .map((subscription) => newestEvents(ctx, createReader({ subscription }), activeOnly, LISTED)),
    );
    const byName = new Map(events.flat().map((event) => [event.name, event]));
    return {
      attention: summarize(
        'health_event',
        'info',
        [...byName.values()].map(({ name, properties }) => ({ name: properties.title, path: { tracking_id: name } })),
      ),
    };
  },
};
