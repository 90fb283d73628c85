import type { Db } from '../../../db/open.ts';
import { insertInto, query, statement } from '../health.tables.ts';

export const countFeeds = statement((q, p: { subscriptionId: string }) =>
  q
    .selectFrom('health_feeds')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('subscription_id', '=', p.subscriptionId),
);

export const insertFeed = insertInto('health_feeds');

export const listFeedRows = statement((q, p: { subscriptionId: string }) =>
  q
    .selectFrom('health_feeds')
    .innerJoin('owner_names', 'owner_names.id', 'health_feeds.created_by')
    .selectAll('health_feeds')
    .select('owner_names.name as maker_name')
    .where('health_feeds.subscription_id', '=', p.subscriptionId)
    .orderBy('health_feeds.id'),
);

export const findFeedBySecret = statement((q, p: { hash: string }) =>
  q
    .selectFrom('health_feeds')
    .innerJoin('subscription_names', 'subscription_names.id', 'health_feeds.subscription_id')
    .selectAll('health_feeds')
    .select('subscription_names.updated_at as subscription_updated_at')
    .where('health_feeds.secret_hash', '=', p.hash),
);

/** Deletes feeds that were created through an OAuth client, of one user or of all. */
export const deleteClientFeeds = (db: Db, { clientId, userId }: { clientId: string; userId?: string }) =>
  query(db, (q) => {
    const all = q
      .deleteFrom('health_feeds')
      .where('oauth_client_id', '=', clientId)
      .returning(['id', 'subscription_id']);
    return userId === undefined ? all : all.where('created_by', '=', userId);
  });

export const deleteFeedRow = statement((q, p: { subscriptionId: string; id: string; userId: string }) =>
  q
    .deleteFrom('health_feeds')
    .where('subscription_id', '=', p.subscriptionId)
    .where('id', '=', p.id)
    .where('created_by', '=', p.userId),
);

export const deleteAnyFeedRow = statement((q, p: { subscriptionId: string; id: string }) =>
  q.deleteFrom('health_feeds').where('subscription_id', '=', p.subscriptionId).where('id', '=', p.id),
);
