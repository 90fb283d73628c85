import { onInTransaction } from '../../jobs/index.ts';
import { namedSome } from '../../kernel/text/names.ts';
import { ownerDeleting } from '../accounts/index.ts';
import { listOwnerSubscriptionNames } from './subscriptions.store.ts';

export const subscriptionListeners = [
  onInTransaction(ownerDeleting, async ({ db }, { ownerId, possessions }) => {
    const owned = await namedSome((limit) => listOwnerSubscriptionNames.all(db, { ownerId, limit }));
    if (owned) possessions.push(`subscriptions (${owned})`);
  }),
];
