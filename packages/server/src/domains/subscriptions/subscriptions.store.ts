import { type Kysely, sql } from 'kysely';
import { personColumns } from '../../db/columns.ts';
import { folded, inOrder, mentionsWords } from '../../db/listing.ts';
import type { Db } from '../../db/open.ts';
import type { Arrangement } from '../../kernel/paging.ts';
import { insertInto, query, statement, type Tables } from './subscriptions.tables.ts';

const selectSubscriptions = (q: Kysely<Tables>) =>
  q
    .selectFrom('subscriptions')
    .innerJoin('owners', 'owners.id', 'subscriptions.owner_id')
    .select([
      'subscriptions.id',
      'subscriptions.tenant_id',
      'subscriptions.display_name',
      'subscriptions.owner_id',
      'owners.name as owner_name',
    ]);

export const findSubscription = statement((q, p: { id: string }) =>
  selectSubscriptions(q).where('subscriptions.id', '=', p.id),
);

/** Those that belong to the user or one of their organizations, and those that they were given. */
const readableBy = (q: Kysely<Tables>, p: { userId: string }) =>
  q
    .selectFrom('subscriptions')
    .select('subscriptions.id')
    .where('subscriptions.owner_id', '=', p.userId)
    .union(
      q
        .selectFrom('org_members')
        .innerJoin('subscriptions', 'subscriptions.owner_id', 'org_members.org_id')
        .select('subscriptions.id')
        .where('org_members.user_id', '=', p.userId),
    )
    .union(
      q
        .selectFrom('subscription_readers')
        .select('subscription_readers.subscription_id as id')
        .where('subscription_readers.user_id', '=', p.userId),
    );

const byName = <T extends { orderBy(column: 'subscriptions.display_name' | 'subscriptions.id'): T }>(query: T): T =>
  query.orderBy('subscriptions.display_name').orderBy('subscriptions.id');

export const findReadableSubscription = statement((q, p: { id: string; userId: string }) =>
  selectSubscriptions(q).where('subscriptions.id', '=', p.id).where('subscriptions.id', 'in', readableBy(q, p)),
);

export const listReadableSubscriptions = statement((q, p: { userId: string }) =>
  byName(selectSubscriptions(q).where('subscriptions.id', 'in', readableBy(q, p))),
);

const subscriptionKeys = {
  displayName: folded('subscriptions.display_name'),
  owner: sql.ref<string>('owners.name_key'),
  subscriptionId: sql.ref<string>('subscriptions.id'),
};
const searched = ['subscriptions.display_name', 'subscriptions.id', 'subscriptions.tenant_id', 'owners.name'];

/** Those that a user may read; without one, all. */
export const arrangeSubscriptions = (
  db: Db,
  { userId }: { userId?: string },
  { words, sort, order }: Arrangement<keyof typeof subscriptionKeys>,
) =>
  query(db, (q) => {
    const matching = selectSubscriptions(q).where(mentionsWords(words, searched));
    const readable =
      userId === undefined ? matching : matching.where('subscriptions.id', 'in', readableBy(q, { userId }));
    return inOrder(readable, { key: subscriptionKeys[sort], id: sql.ref('subscriptions.id') }, { order });
  });

export const listSubscriptionsOfOwner = statement((q, p: { ownerId: string }) =>
  byName(selectSubscriptions(q).where('subscriptions.owner_id', '=', p.ownerId)),
);

export const listSubscriptionNamesOfOwner = statement((q, p: { ownerId: string; limit: number }) =>
  q
    .selectFrom('subscriptions')
    .select('display_name as name')
    .where('owner_id', '=', p.ownerId)
    .orderBy('display_name')
    .limit(p.limit),
);

export const listSubscriptionsOfApp = statement((q, p: { appId: string }) =>
  byName(
    selectSubscriptions(q).where(
      'subscriptions.id',
      'in',
      q.selectFrom('app_subscriptions').select('subscription_id').where('app_id', '=', p.appId),
    ),
  ),
);

export const saveSubscription = insertInto('subscriptions', (insert, p) =>
  insert.onConflict((c) =>
    c.column('id').doUpdateSet({
      tenant_id: p.tenant_id,
      display_name: p.display_name,
      owner_id: p.owner_id,
      updated_at: p.updated_at,
    }),
  ),
);

export const deleteSubscriptionRow = statement((q, p: { id: string }) =>
  q.deleteFrom('subscriptions').where('id', '=', p.id),
);

export const listReaders = statement((q, p: { id: string }) =>
  q
    .selectFrom('subscription_readers')
    .innerJoin('users', 'users.id', 'subscription_readers.user_id')
    .innerJoin('owners', 'owners.id', 'users.id')
    .select([...personColumns, 'subscription_readers.created_at'])
    .where('subscription_readers.subscription_id', '=', p.id)
    .orderBy('owners.name_key'),
);

export const insertReader = statement((q, p: { subscriptionId: string; userId: string; at: number }) =>
  q
    .insertInto('subscription_readers')
    .values({ subscription_id: p.subscriptionId, user_id: p.userId, created_at: p.at })
    .onConflict((c) => c.columns(['subscription_id', 'user_id']).doNothing()),
);

export const deleteReader = statement((q, p: { subscriptionId: string; userId: string }) =>
  q.deleteFrom('subscription_readers').where('subscription_id', '=', p.subscriptionId).where('user_id', '=', p.userId),
);

export const linkApp = insertInto('app_subscriptions', (insert) =>
  insert.onConflict((c) => c.columns(['app_id', 'subscription_id']).doNothing()),
);

export const unlinkApp = statement((q, p: { appId: string; subscriptionId: string }) =>
  q.deleteFrom('app_subscriptions').where('app_id', '=', p.appId).where('subscription_id', '=', p.subscriptionId),
);

export const findOperator = statement((q, p: { userId: string }) =>
  q.selectFrom('health_operators').select('user_id').where('user_id', '=', p.userId),
);

export const listOperatorRows = statement((q) =>
  q
    .selectFrom('health_operators')
    .innerJoin('users', 'users.id', 'health_operators.user_id')
    .innerJoin('owners', 'owners.id', 'users.id')
    .select([...personColumns, 'health_operators.created_at'])
    .orderBy('owners.name_key'),
);

export const insertOperator = insertInto('health_operators', (insert) =>
  insert.onConflict((c) => c.column('user_id').doNothing()),
);

export const deleteOperator = statement((q, p: { userId: string }) =>
  q.deleteFrom('health_operators').where('user_id', '=', p.userId),
);
