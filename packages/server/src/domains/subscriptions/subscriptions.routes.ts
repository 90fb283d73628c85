import {
  azureSubscription_deleteForApp,
  azureSubscription_linkForApp,
  azureSubscription_listForApp,
  azureSubscription_listForOrg,
  azureSubscription_listForUser,
  healthOperators_add,
  healthOperators_getMine,
  healthOperators_list,
  healthOperators_remove,
  SubscriptionReaders_Add,
  SubscriptionReaders_List,
  SubscriptionReaders_Remove,
  Subscriptions_Delete,
  Subscriptions_Get,
  Subscriptions_List,
  Subscriptions_Save,
} from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { toIso } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/errors.ts';
import { isGuid } from './guid.ts';
import { addOperator, isOperator, listOperators, removeOperator } from './operators.ts';
import {
  addSubscriptionReader,
  deleteSubscription,
  linkSubscription,
  listLinkedSubscriptions,
  listOrgSubscriptions,
  listReadable,
  listSubscriptionReaders,
  listSubscriptions,
  putSubscription,
  removeSubscriptionReader,
  type Subscription,
  unlinkSubscription,
} from './subscriptions.ts';

const toWire = ({ id, tenantId, name, ownerName }: Subscription) => ({
  id: `/subscriptions/${id}`,
  subscriptionId: id,
  tenantId,
  displayName: name,
  state: 'Enabled' as const,
  owner: ownerName,
});

/** Maps a subscription to the format of Azure. */
const toAzure = ({ id, tenantId, name }: Subscription) => ({
  subscription_id: id,
  tenant_id: tenantId,
  subscription_name: name,
});

/** Operations of administrators have no subscription scope that would validate the ID. */
function idFrom({ subscriptionId }: { subscriptionId: string }): string {
  if (isGuid(subscriptionId)) return subscriptionId.toLowerCase();
  const message = `The provided subscription identifier '${subscriptionId}' is malformed or invalid.`;
  throw new Failure('InvalidSubscriptionId', message);
}

export const subscriptionRoutes = [
  route(Subscriptions_List, async (ctx, { query }) => ({ value: (await listSubscriptions(ctx, query)).map(toWire) })),
  route(Subscriptions_Get, async (ctx) => toWire(ctx.subscription)),
  route(Subscriptions_Save, async (ctx, { params, body }, reply) => {
    const { subscription, isNew } = await putSubscription(ctx, idFrom(params), body);
    if (isNew) reply.setCreated();
    return toWire(subscription);
  }),
  route(Subscriptions_Delete, (ctx, { params }) => deleteSubscription(ctx, idFrom(params))),
  route(SubscriptionReaders_List, async (ctx, { params }) => ({
    value: (await listSubscriptionReaders(ctx, idFrom(params))).map(({ user, since }) => ({
      name: user.name,
      displayName: user.displayName,
      email: user.email,
      since: toIso(since),
    })),
  })),
  route(SubscriptionReaders_Add, (ctx, { params }) => addSubscriptionReader(ctx, idFrom(params), params.userName)),
  route(SubscriptionReaders_Remove, (ctx, { params }) =>
    removeSubscriptionReader(ctx, idFrom(params), params.userName),
  ),
  route(healthOperators_list, async (ctx) =>
    (await listOperators(ctx)).map(({ user, since }) => ({
      name: user.name,
      display_name: user.displayName,
      email: user.email,
      since: toIso(since),
    })),
  ),
  route(healthOperators_add, (ctx, { body }) => addOperator(ctx, body.user_name)),
  route(healthOperators_remove, (ctx, { params }) => removeOperator(ctx, params.user_name)),
  route(healthOperators_getMine, async (ctx) => ({
    is_operator: ctx.actor.user.isAdmin || (await isOperator(ctx, ctx.actor)),
  })),
  route(azureSubscription_listForUser, async (ctx) => (await listReadable(ctx)).map(toAzure)),
  route(azureSubscription_listForOrg, async (ctx) => (await listOrgSubscriptions(ctx)).map(toAzure)),
  route(azureSubscription_listForApp, async (ctx) => (await listLinkedSubscriptions(ctx)).map(toAzure)),
  route(azureSubscription_linkForApp, (ctx, { body }) => linkSubscription(ctx, body.subscription_id.toLowerCase())),
  route(azureSubscription_deleteForApp, (ctx, { params }) =>
    unlinkSubscription(ctx, params.azure_subscription_id.toLowerCase()),
  ),
];
