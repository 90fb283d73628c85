import type { Ctx, SubscriptionCtx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { randomBase62, sha256 } from '../../../kernel/crypto/crypto.ts';
import { conflict, notFound } from '../../../kernel/errors.ts';
import { record } from '../../audit/index.ts';
import { lockSubscription } from '../../subscriptions/index.ts';
import { checkFilter, getClientId, MAX_PER_SUBSCRIPTION } from '../webhooks/stored-filter.ts';
import {
  countFeeds,
  deleteAnyFeedRow,
  deleteClientFeeds,
  deleteFeedRow,
  insertFeed,
  listFeedRows,
} from './health-feeds.store.ts';

export interface Feed {
  id: string;
  filter: string;
  createdBy: string;
  createdAt: number;
}

/** 190 bits, and long enough for the request log to redact it. */
const SECRET_LENGTH = 32;

const feedSubject = (id: string) => ({ kind: 'feed', id }) as const;

/** Users see their own feeds; administrators see all. */
export async function listFeeds(ctx: SubscriptionCtx): Promise<Feed[]> {
  const { user } = ctx.actor;
  const rows = await listFeedRows.all(ctx.db, { subscriptionId: ctx.subscription.id });
  return rows
    .filter(({ created_by }) => user.isAdmin || created_by === user.id)
    .map(({ id, filter, maker_name, created_at }) => ({ id, filter, createdBy: maker_name, createdAt: created_at }));
}

/** Returns the secret in its URLs, which cannot be read again. */
export const createFeed = (ctx: SubscriptionCtx, filter?: string): Promise<Feed & { secret: string }> =>
  tx(ctx, async (ctx) => {
    const checkedFilter = checkFilter(filter);
    const subscriptionId = ctx.subscription.id;
    await lockSubscription(ctx, subscriptionId);
    const count = Number((await countFeeds.first(ctx.db, { subscriptionId }))?.count ?? 0);
    if (count >= MAX_PER_SUBSCRIPTION) {
      throw conflict(`The readers of this subscription already have ${count} feeds, the maximum. Delete a feed first.`);
    }
    const { user } = ctx.actor;
    const secret = randomBase62(SECRET_LENGTH);
    const [id, createdAt] = [ctx.newId(), ctx.clock.now()];
    await insertFeed.run(ctx.db, {
      id,
      secret_hash: sha256(secret),
      subscription_id: subscriptionId,
      created_by: user.id,
      oauth_client_id: getClientId(ctx),
      filter: checkedFilter,
      created_at: createdAt,
    });
    await record(ctx, 'feed.create', feedSubject(id), {
      after: { subscription: subscriptionId, filter: checkedFilter },
    });
    return { id, filter: checkedFilter, createdBy: user.name, createdAt, secret };
  });

export const deleteFeed = (ctx: SubscriptionCtx, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const { user } = ctx.actor;
    const which = { subscriptionId: ctx.subscription.id, id };
    const deleted = user.isAdmin
      ? await deleteAnyFeedRow.run(ctx.db, which)
      : await deleteFeedRow.run(ctx.db, { ...which, userId: user.id });
    if (deleted === 0) throw notFound('feed', id);
    await record(ctx, 'feed.delete', feedSubject(id), { before: { subscription: ctx.subscription.id } });
  });

/** Deletes the feeds that an OAuth client created for a user, or for all users, who revoked its consent. */
export async function endClientFeeds(ctx: Ctx, grant: { clientId: string; userId?: string }): Promise<void> {
  for (const { id, subscription_id } of await deleteClientFeeds(ctx.db, grant)) {
    await record(ctx, 'feed.delete', feedSubject(id), { before: { subscription: subscription_id } });
  }
}
