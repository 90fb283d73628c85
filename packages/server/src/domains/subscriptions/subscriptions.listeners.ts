import { onInTransaction } from '../../jobs/index.ts';
import { namedSome } from '../../kernel/names.ts';
import { ownerDeleting } from '../accounts/index.ts';
import { listSubscriptionNamesOfOwner } from './subscriptions.store.ts';

export const subscriptionListeners = [
  onInTransaction(ownerDeleting, async ({ db }, { ownerId, possessions }) => {
    const owned = await namedSome((limit) => listSubscriptionNamesOfOwner.all(db, { ownerId, limit }));
    if (owned) possessions.push(`subscriptions (${owned})`);
  }),
];
