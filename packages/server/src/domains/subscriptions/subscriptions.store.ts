import { type Kysely, sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import { lockRowsForNoKeyUpdate } from '../../db/portable.ts';
import { personColumns } from '../../db/rows/columns.ts';
import { folded, inOrder, mentionsTerms } from '../../db/rows/listing.ts';
import type { Arrangement } from '../../kernel/paging.ts';
import { insertInto, query, statement, type Tables } from './subscriptions.tables.ts';

const selectSubscriptions = (q: Kysely<Tables>) =>
  q
    .selectFrom('subscriptions')
    .innerJoin('owner_names', 'owner_names.id', 'subscriptions.owner_id')
    .select([
      'subscriptions.id',
      'subscriptions.tenant_id',
      'subscriptions.display_name',
      'subscriptions.owner_id',
      'owner_names.name as owner_name',
    ]);

export const findSubscription = statement((q, p: { id: string }) =>
  selectSubscriptions(q).where('subscriptions.id', '=', p.id),
);

export const lockSubscriptionRow = statement((q, p: { id: string }, dialect) =>
  lockRowsForNoKeyUpdate(dialect, q.selectFrom('subscriptions').select('id').where('id', '=', p.id)),
);

/** Subscriptions of the user or of their organizations, and those shared with the user. */
const readableBy = (q: Kysely<Tables>, p: { userId: string }) =>
  q
    .selectFrom('subscriptions')
    .select('subscriptions.id')
    .where('subscriptions.owner_id', '=', p.userId)
    .union(
      q
        .selectFrom('organization_members')
        .innerJoin('subscriptions', 'subscriptions.owner_id', 'organization_members.org_id')
        .select('subscriptions.id')
        .where('organization_members.user_id', '=', p.userId),
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
  owner: sql.ref<string>('owner_names.name_key'),
  subscriptionId: sql.ref<string>('subscriptions.id'),
};
const searched = ['subscriptions.display_name', 'subscriptions.id', 'subscriptions.tenant_id', 'owner_names.name'];

/** Subscriptions that a user may read; all without a user. */
export const arrangeSubscriptions = (
  db: Db,
  { userId }: { userId?: string },
  { terms, sort, order }: Arrangement<keyof typeof subscriptionKeys>,
) =>
  query(db, (q) => {
    const matching = selectSubscriptions(q).where(mentionsTerms(terms, searched));
    const readable =
      userId === undefined ? matching : matching.where('subscriptions.id', 'in', readableBy(q, { userId }));
    return inOrder(readable, { key: subscriptionKeys[sort], id: sql.ref('subscriptions.id') }, { order });
  });

export const listOwnerSubscriptions = statement((q, p: { ownerId: string }) =>
  byName(selectSubscriptions(q).where('subscriptions.owner_id', '=', p.ownerId)),
);

export const listOwnerSubscriptionNames = statement((q, p: { ownerId: string; limit: number }) =>
  q
    .selectFrom('subscriptions')
    .select('display_name as name')
    .where('owner_id', '=', p.ownerId)
    .orderBy('display_name')
    .limit(p.limit),
);

export const listAppSubscriptions = statement((q, p: { appId: string }) =>
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
    .innerJoin('people', 'people.id', 'subscription_readers.user_id')
    .select([...personColumns, 'subscription_readers.created_at'])
    .where('subscription_readers.subscription_id', '=', p.id)
    .orderBy('people.name_key'),
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
    .innerJoin('people', 'people.id', 'health_operators.user_id')
    .select([...personColumns, 'health_operators.created_at'])
    .orderBy('people.name_key'),
);

export const insertOperator = insertInto('health_operators', (insert) =>
  insert.onConflict((c) => c.column('user_id').doNothing()),
);

export const deleteOperator = statement((q, p: { userId: string }) =>
  q.deleteFrom('health_operators').where('user_id', '=', p.userId),
);
