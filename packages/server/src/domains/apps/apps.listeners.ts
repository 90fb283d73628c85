import { atLeast } from '@mooring/contract';
import type { Ctx } from '../../context.ts';
import { onInTransaction, publish } from '../../jobs/index.ts';
import { namedSome } from '../../kernel/text/names.ts';
import { cancelUploadsBegunBy } from '../../uploads/index.ts';
import { memberDemoted, memberRemoved, ownerDeleting, userDisabled } from '../accounts/index.ts';
import { findUserPermission } from './access/app-users.ts';
import { appAccessLowered, appUserRemoved } from './apps.events.ts';
import { deleteMemberFromApps, listOwnerAppNames } from './apps.store.ts';
import { deleteMemberFromTeams } from './teams/teams.store.ts';

/** Upload tokens are independent of permissions, so uploads are canceled when the account that began them loses its permission. */
const cancelUnentitledUploads = (ctx: Ctx, { userIds }: { userIds: readonly string[] }): Promise<void> =>
  cancelUploadsBegunBy(ctx, userIds, async ({ ownerId, userId }) => {
    const permission = await findUserPermission(ctx, ownerId, userId);
    return permission !== undefined && atLeast(permission, 'developer');
  });

export const appListeners = [
  onInTransaction(ownerDeleting, async ({ db }, { ownerId, possessions }) => {
    const apps = await namedSome((limit) => listOwnerAppNames.all(db, { ownerId, limit }));
    if (apps) possessions.push(`apps (${apps})`);
  }),
  onInTransaction(memberRemoved, async (ctx, { orgId, userId }) => {
    await deleteMemberFromApps.run(ctx.db, { orgId, userId });
    await deleteMemberFromTeams.run(ctx.db, { orgId, userId });
    await publish(ctx, appAccessLowered, { userIds: [userId] });
  }),
  onInTransaction(appAccessLowered, cancelUnentitledUploads),
  // Even if the user's app tokens are kept.
  onInTransaction(appUserRemoved, (ctx, { userId }) => cancelUnentitledUploads(ctx, { userIds: [userId] })),
  onInTransaction(userDisabled, (ctx, { userId }) => cancelUnentitledUploads(ctx, { userIds: [userId] })),
  onInTransaction(memberDemoted, (ctx, { userId }) => publish(ctx, appAccessLowered, { userIds: [userId] })),
];
