import { onInTransaction } from '../../jobs/index.ts';
import { memberRemoved, userDisabled } from '../accounts/index.ts';
import { forgetDisabling, forgetRemoval } from './users/scim-users.store.ts';

/** A later decision of a person counts. The directory sets its marks after these events. */
export const provisioningListeners = [
  onInTransaction(userDisabled, async ({ db }, { userId }) => {
    await forgetDisabling.run(db, { userId });
  }),
  onInTransaction(memberRemoved, async ({ db }, { orgId, userId }) => {
    await forgetRemoval.run(db, { orgId, userId });
  }),
];
