import type { SubscriptionCtx, UserActor, UserCtx } from '../../context.ts';
import { defineScope } from '../../http/access/scopes.ts';
import { Failure, forbidden } from '../../kernel/errors.ts';
import { isGuid } from './guid.ts';
import { isOperator } from './operators.ts';
import { findSubscriptionGrant, subscriptionNotFound } from './subscriptions.ts';

declare module '../../http/access/scopes.ts' {
  interface ScopeContexts {
    subscription: SubscriptionCtx;
    operator: UserCtx;
  }
}

/**
 * The subscription in the path. Clients distinguish a missing one from one without access, so its existence is not hidden.
 */
export const subscriptionScope = defineScope({
  name: 'subscription',
  actors: ['user'],
  params: [{ in: 'path', name: 'subscriptionId' }],
  read([id = '']) {
    if (isGuid(id)) return [id.toLowerCase()];
    const message = `The provided subscription identifier '${id.slice(0, 100)}' is malformed or invalid.`;
    throw new Failure('InvalidSubscriptionId', message);
  },
  async find(deps, actor: UserActor, [id = '']) {
    const match = await findSubscriptionGrant(deps, actor, id);
    return match && { rank: match.mayRead ? 'reader' : undefined, context: { subscription: match.subscription } };
  },
  notFound: ([id = '']) => subscriptionNotFound(id),
  refuse: ({ actor, params: [id] }) =>
    forbidden(`${actor.user.name} does not have authorization to read the subscription '${id}'.`),
});

/** Access to all published events: for operators. */
export const operatorScope = defineScope({
  name: 'operator',
  actors: ['user'],
  find: async (deps, actor: UserActor) => ({
    rank: (await isOperator(deps, actor)) ? 'operator' : undefined,
    context: {},
  }),
  refuse: () =>
    forbidden('Only administrators and operators of this server can do this. An administrator can appoint operators.'),
});
