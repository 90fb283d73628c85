import type { Deps } from '../../../context.ts';
import { SECOND } from '../../../kernel/clock.ts';
import { sha256 } from '../../../kernel/crypto/crypto.ts';
import { notFound } from '../../../kernel/errors.ts';
import { findSubscriptionFor } from '../../subscriptions/index.ts';
import { versionNow } from '../events/health-events.ts';
import { parseFilter } from '../filter/filter.ts';
import type { FilterNode } from '../filter/filter-ast.ts';
import { createReader, newestEvents } from '../listing/listing.ts';
import { createPageCache } from '../pages/index.ts';
import { type FeedContent, toAtom, toCalendar } from './health-feed-forms.ts';
import { findFeedBySecret } from './health-feeds.store.ts';

const MAX_EVENTS = 100;

const maintenance: FilterNode = { kind: 'compare', property: 'eventType', operator: 'eq', value: 'PlannedMaintenance' };

const both = (filter: FilterNode | undefined): FilterNode =>
  filter ? { kind: 'and', nodes: [maintenance, filter] } : maintenance;

/** The formats of a feed: end of the URL, content and renderer. */
const forms = {
  'events.atom': { narrow: (filter: FilterNode | undefined) => filter, write: toAtom },
  'maintenance.ics': { narrow: both, write: toCalendar },
};

export type FeedForm = keyof typeof forms;

export interface ReadFeed {
  text: Buffer;
  etag: string;
  /** Absent while another change is possible within the same second, which the header could not express. */
  lastModified: number | undefined;
}

/**
 * Reads feeds by their secrets; an unreadable feed is reported as not found. Caches the result until an event changes.
 */
export function createFeedReader(deps: Deps) {
  const pages = createPageCache(async () => (await versionNow(deps)).version);

  return async (secret: string, form: FeedForm): Promise<ReadFeed> => {
    const feed = await findFeedBySecret.first(deps.db, { hash: sha256(secret) });
    const granted = feed && (await findSubscriptionFor(deps, feed.created_by, feed.subscription_id));
    if (!feed || !granted) throw notFound('feed');
    const { subscription } = granted;
    const { narrow, write } = forms[form];
    const publicUrl = deps.publicUrl();
    const { changedAt } = await versionNow(deps);
    const key = [feed.id, form, publicUrl, subscription.tenantId, subscription.name].join('\n');
    const body = await pages(key, feed.created_by, async () => {
      const filter = narrow(feed.filter === '' ? undefined : parseFilter(feed.filter));
      const events = await newestEvents(deps, createReader({ subscription }), filter, MAX_EVENTS);
      const selfUrl = `${publicUrl}/feeds/${secret}/${form}`;
      const content: FeedContent = { publicUrl, selfUrl, subscription, events, createdAt: feed.created_at };
      return write(content);
    });
    const changed = Math.max(changedAt, feed.created_at, feed.subscription_updated_at);
    const isSettled = Math.floor(changed / SECOND) < Math.floor(deps.clock.now() / SECOND);
    return {
      text: body,
      etag: `"${sha256(body.toString())}"`,
      lastModified: isSettled ? changed : undefined,
    };
  };
}
