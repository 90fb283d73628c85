import type { SubscriptionCtx, UserActor, UserCtx } from '../../context.ts';
import { defineScope } from '../../http/scopes.ts';
import { Failure, forbidden } from '../../kernel/errors.ts';
import { isGuid } from './guid.ts';
import { isOperator } from './operators.ts';
import { findSubscriptionGrant, subscriptionNotFound } from './subscriptions.ts';

declare module '../../http/scopes.ts' {
  interface ScopeContexts {
    subscription: SubscriptionCtx;
    operator: UserCtx;
  }
}

/** The subscription in the path. Clients tell one that does not exist from one that they may not read, so it is not hidden. */
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
    const found = await findSubscriptionGrant(deps, actor, id);
    return found && { rank: found.mayRead ? 'reader' : undefined, context: { subscription: found.subscription } };
  },
  notFound: ([id = '']) => subscriptionNotFound(id),
  refuse: ({ actor, params: [id] }) =>
    forbidden(`${actor.user.name} does not have authorization to read the subscription '${id}'.`),
});

/** Everything that is published: for people whom administrators named. */
export const operatorScope = defineScope({
  name: 'operator',
  actors: ['user'],
  find: async (deps, actor: UserActor) => ({
    rank: (await isOperator(deps, actor)) ? 'operator' : undefined,
    context: {},
  }),
  refuse: () => forbidden('Only administrators of this server, and people whom they made operators, can do this.'),
});
