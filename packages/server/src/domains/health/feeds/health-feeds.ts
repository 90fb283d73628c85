import type { Ctx, SubscriptionCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { randomBase62, sha256 } from '../../../kernel/crypto.ts';
import { conflict, notFound } from '../../../kernel/errors.ts';
import { record } from '../../audit/index.ts';
import { lockSubscription } from '../webhooks/health-webhooks.store.ts';
import { checkFilter, clientOf, MOST_OF_A_SUBSCRIPTION } from '../webhooks/kept-filter.ts';
import {
  countFeeds,
  deleteAnyFeedRow,
  deleteFeedRow,
  deleteFeedsOfClient,
  insertFeed,
  listFeedRows,
} from './health-feeds.store.ts';

export interface Feed {
  id: string;
  filter: string;
  createdBy: string;
  createdAt: number;
}

/** 190 bits; long enough that the log of requests leaves it out. */
const SECRET_LENGTH = 32;

const subjectOf = (id: string) => ({ kind: 'feed', id }) as const;

/** One's own; administrators see those of everybody. */
export async function listFeeds(ctx: SubscriptionCtx): Promise<Feed[]> {
  const { user } = ctx.actor;
  const rows = await listFeedRows.all(ctx.db, { subscriptionId: ctx.subscription.id });
  return rows
    .filter(({ created_by }) => user.isAdmin || created_by === user.id)
    .map(({ id, filter, maker_name, created_at }) => ({ id, filter, createdBy: maker_name, createdAt: created_at }));
}

/** Its secret, which stands in its addresses, is shown now and never again. */
export const createFeed = (ctx: SubscriptionCtx, filter?: string): Promise<Feed & { secret: string }> =>
  tx(ctx, async (ctx) => {
    const kept = checkFilter(filter);
    const subscriptionId = ctx.subscription.id;
    await lockSubscription.first(ctx.db, { id: subscriptionId });
    const count = Number((await countFeeds.first(ctx.db, { subscriptionId }))?.count ?? 0);
    if (count >= MOST_OF_A_SUBSCRIPTION) {
      throw conflict(`The subscription has ${count} feeds, of all its readers together, which is the most.`);
    }
    const { user } = ctx.actor;
    const secret = randomBase62(SECRET_LENGTH);
    const [id, createdAt] = [ctx.newId(), ctx.clock.now()];
    await insertFeed.run(ctx.db, {
      id,
      secret_hash: sha256(secret),
      subscription_id: subscriptionId,
      created_by: user.id,
      oauth_client_id: clientOf(ctx),
      filter: kept,
      created_at: createdAt,
    });
    await record(ctx, 'feed.create', subjectOf(id), { after: { subscription: subscriptionId, filter: kept } });
    return { id, filter: kept, createdBy: user.name, createdAt, secret };
  });

export const deleteFeed = (ctx: SubscriptionCtx, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const { user } = ctx.actor;
    const which = { subscriptionId: ctx.subscription.id, id };
    const deleted = user.isAdmin
      ? await deleteAnyFeedRow.run(ctx.db, which)
      : await deleteFeedRow.run(ctx.db, { ...which, userId: user.id });
    if (deleted === 0) throw notFound('feed', id);
    await record(ctx, 'feed.delete', subjectOf(id), { before: { subscription: ctx.subscription.id } });
  });

/** Those that an OAuth client made for somebody, or for everybody, who no longer lets it. */
export async function endFeedsOf(ctx: Ctx, grant: { clientId: string; userId?: string }): Promise<void> {
  for (const { id, subscription_id } of await deleteFeedsOfClient(ctx.db, grant)) {
    await record(ctx, 'feed.delete', subjectOf(id), { before: { subscription: subscription_id } });
  }
}
