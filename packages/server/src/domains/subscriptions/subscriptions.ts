import { impliedRank } from '@mooring/contract';
import type { AppCtx, Ctx, Deps, OrgCtx, SubscriptionCtx, User, UserCtx } from '../../context.ts';
import { lock } from '../../db/locks.ts';
import { tx } from '../../db/tx.ts';
import { Failure, notFound } from '../../kernel/errors.ts';
import { readArrangement, type Sorts, type UnpagedListInput } from '../../kernel/paging.ts';
import { findActiveUser, findOwner, findPerson, toUser } from '../accounts/index.ts';
import { appSubject } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import {
  arrangeSubscriptions,
  deleteReader,
  deleteSubscriptionRow,
  findReadableSubscription,
  findSubscription,
  insertReader,
  linkApp,
  listAppSubscriptions,
  listOwnerSubscriptions,
  listReadableSubscriptions,
  listReaders,
  lockSubscriptionRow,
  saveSubscription,
  unlinkApp,
} from './subscriptions.store.ts';

export type Subscription = SubscriptionCtx['subscription'];

/** Serializes additions to a subscription. */
export async function lockSubscription(ctx: Pick<Ctx, 'db'>, id: string): Promise<void> {
  await lockSubscriptionRow.first(ctx.db, { id });
}

type Row = NonNullable<Awaited<ReturnType<typeof findSubscription.first>>>;

const toSubscription = (row: Row): Subscription => ({
  id: row.id,
  tenantId: row.tenant_id,
  name: row.display_name,
  ownerName: row.owner_name,
});

const audited = ({ name, tenantId, ownerName }: Subscription) => ({ name, tenant: tenantId, owner: ownerName });

const toAuditSubject = ({ id, name }: Pick<Subscription, 'id' | 'name'>) =>
  ({ kind: 'subscription', id, name }) as const;

export const subscriptionNotFound = (id: string) =>
  new Failure('SubscriptionNotFound', `The subscription '${id}' could not be found.`);

/**
 * Finds a subscription, and whether an actor may read it: administrators, members of its owner, and users with read access.
 */
export async function findSubscriptionGrant(
  { db }: Pick<Deps, 'db'>,
  { user }: { user: Pick<User, 'id' | 'isAdmin'> },
  id: string,
): Promise<{ subscription: Subscription; mayRead: boolean } | undefined> {
  const row = await findSubscription.first(db, { id });
  if (!row) return undefined;
  const isReader = user.isAdmin && impliedRank('admin', 'subscription') !== undefined;
  const mayRead = isReader || (await findReadableSubscription.first(db, { id, userId: user.id })) !== undefined;
  return { subscription: toSubscription(row), mayRead };
}

/** Finds a subscription and its reader, while they may read it: for webhooks and feeds that act for an absent user. */
export async function findSubscriptionFor(
  deps: Pick<Deps, 'db'>,
  userId: string,
  id: string,
): Promise<{ subscription: Subscription; user: User } | undefined> {
  const user = await findActiveUser(deps, userId);
  if (!user) return undefined;
  const granted = await findSubscriptionGrant(deps, { user }, id);
  return granted?.mayRead ? { subscription: granted.subscription, user } : undefined;
}

/** Lists subscriptions that the caller may read as an owner, a member or a reader. */
export const listReadable = async (ctx: UserCtx): Promise<Subscription[]> =>
  (await listReadableSubscriptions.all(ctx.db, { userId: ctx.actor.user.id })).map(toSubscription);

const sorts = { displayName: 'name', owner: 'name', subscriptionId: 'name' } satisfies Sorts<string>;
export type SubscriptionSort = keyof typeof sorts;

/** Like `listReadable`, with search and sorting; administrators see all. */
export async function listSubscriptions(
  ctx: UserCtx,
  input: UnpagedListInput<SubscriptionSort>,
): Promise<Subscription[]> {
  const { id, isAdmin } = ctx.actor.user;
  const rows = await arrangeSubscriptions(ctx.db, isAdmin ? {} : { userId: id }, readArrangement(input, sorts));
  return rows.map(toSubscription);
}

export const listOrgSubscriptions = async (
  ctx: Pick<OrgCtx, 'db'> & { org: Pick<OrgCtx['org'], 'id'> },
): Promise<Subscription[]> => (await listOwnerSubscriptions.all(ctx.db, { ownerId: ctx.org.id })).map(toSubscription);

export const listLinkedSubscriptions = async (ctx: AppCtx): Promise<Subscription[]> =>
  (await listAppSubscriptions.all(ctx.db, { appId: ctx.app.id })).map(toSubscription);

async function getSubscription(ctx: Pick<Ctx, 'db'>, id: string): Promise<Subscription> {
  const row = await findSubscription.first(ctx.db, { id });
  if (!row) throw subscriptionNotFound(id);
  return toSubscription(row);
}

export interface SubscriptionInput {
  displayName: string;
  tenantId: string;
  owner: string;
}

/** Creates or replaces a subscription; returns which. */
export const putSubscription = (
  ctx: Ctx,
  id: string,
  input: SubscriptionInput,
): Promise<{ subscription: Subscription; isNew: boolean }> =>
  tx(ctx, async (ctx) => {
    const owner = await findOwner(ctx, input.owner);
    if (!owner) throw notFound('user or organization', input.owner);
    // A new subscription has no row to lock.
    await lock(ctx, 'subscriptions', id);
    const before = await findSubscription.first(ctx.db, { id });
    const now = ctx.clock.now();
    await saveSubscription.run(ctx.db, {
      id,
      tenant_id: input.tenantId.toLowerCase(),
      display_name: input.displayName,
      owner_id: owner.id,
      created_at: now,
      updated_at: now,
    });
    const subscription = await getSubscription(ctx, id);
    await record(ctx, before ? 'subscription.update' : 'subscription.create', toAuditSubject(subscription), {
      before: before && audited(toSubscription(before)),
      after: audited(subscription),
    });
    return { subscription, isNew: before === undefined };
  });

export const deleteSubscription = (ctx: Ctx, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const subscription = await getSubscription(ctx, id);
    await deleteSubscriptionRow.run(ctx.db, { id });
    await record(ctx, 'subscription.delete', toAuditSubject(subscription), { before: { name: subscription.name } });
  });

export interface SubscriptionReader {
  user: User;
  since: number;
}

export async function listSubscriptionReaders(ctx: Ctx, id: string): Promise<SubscriptionReader[]> {
  await getSubscription(ctx, id);
  return (await listReaders.all(ctx.db, { id })).map((row) => ({ user: toUser(row), since: row.created_at }));
}

async function getPerson(ctx: Ctx, name: string): Promise<User> {
  const user = await findPerson(ctx, name);
  if (!user) throw notFound('user', name);
  return user;
}

export const addSubscriptionReader = (ctx: Ctx, id: string, userName: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const subscription = await getSubscription(ctx, id);
    const user = await getPerson(ctx, userName);
    await insertReader.run(ctx.db, { subscriptionId: id, userId: user.id, at: ctx.clock.now() });
    await record(ctx, 'subscription.add_reader', toAuditSubject(subscription), { after: { user: user.name } });
  });

export const removeSubscriptionReader = (ctx: Ctx, id: string, userName: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const subscription = await getSubscription(ctx, id);
    const user = await getPerson(ctx, userName);
    const removed = await deleteReader.run(ctx.db, { subscriptionId: id, userId: user.id });
    if (removed === 0) throw notFound('reader of the subscription', user.name);
    await record(ctx, 'subscription.remove_reader', toAuditSubject(subscription), { before: { user: user.name } });
  });

/** With a user token, finds one that the user may read; with an app token, one of the app's owner. */
async function findLinkable(ctx: AppCtx, id: string): Promise<Subscription | undefined> {
  if (ctx.actor.kind === 'user') {
    const granted = await findSubscriptionGrant(ctx, ctx.actor, id);
    return granted?.mayRead ? granted.subscription : undefined;
  }
  const row = await findSubscription.first(ctx.db, { id });
  return row?.owner_id === ctx.app.ownerId ? toSubscription(row) : undefined;
}

export const linkSubscription = (ctx: AppCtx, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const subscription = await findLinkable(ctx, id);
    if (!subscription) throw notFound('subscription', id);
    await linkApp.run(ctx.db, { app_id: ctx.app.id, subscription_id: id, linked_at: ctx.clock.now() });
    await record(ctx, 'app.link_subscription', appSubject(ctx.app), { after: { subscription: id } });
  });

export const unlinkSubscription = (ctx: AppCtx, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const removed = await unlinkApp.run(ctx.db, { appId: ctx.app.id, subscriptionId: id });
    if (removed === 0) throw notFound('subscription of the app', id);
    await record(ctx, 'app.unlink_subscription', appSubject(ctx.app), { before: { subscription: id } });
  });
