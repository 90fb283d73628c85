import { onInTransaction } from '../../jobs/index.ts';
import { memberDemoted, memberRemoved, userDisabled } from '../accounts/index.ts';
import { appAccessLowered, appTransferred, appUserRemoved } from '../apps/index.ts';
import { withdrawForApp, withdrawForRemoved, withdrawUnentitled } from './withdrawal.ts';

export const invitationListeners = [
  onInTransaction(appTransferred, (ctx, { appId }) => withdrawForApp(ctx, appId)),
  onInTransaction(appAccessLowered, withdrawUnentitled),
  onInTransaction(memberDemoted, (ctx, { userId }) => withdrawUnentitled(ctx, { userIds: [userId] })),
  onInTransaction(userDisabled, (ctx, { userId }) => withdrawUnentitled(ctx, { userIds: [userId] })),
  onInTransaction(memberRemoved, async (ctx, { orgId, userId, email }) => {
    await withdrawForRemoved(ctx, { email, orgId });
    await withdrawUnentitled(ctx, { userIds: [userId] });
  }),
  onInTransaction(appUserRemoved, async (ctx, { appId, userId, email }) => {
    await withdrawForRemoved(ctx, { email, appId });
    await withdrawUnentitled(ctx, { userIds: [userId] });
  }),
];
