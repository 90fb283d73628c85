import { onInTransaction, publish } from '../../jobs/index.ts';
import { namedSome } from '../../kernel/names.ts';
import { memberDemoted, memberRemoved, ownerDeleting } from '../accounts/index.ts';
import { appAccessLowered } from './apps.events.ts';
import { deleteMemberFromApps, listAppNamesOfOwner } from './apps.store.ts';
import { deleteMemberFromTeams } from './teams.store.ts';

export const appListeners = [
  onInTransaction(ownerDeleting, async ({ db }, { ownerId, possessions }) => {
    const apps = await namedSome((limit) => listAppNamesOfOwner.all(db, { ownerId, limit }));
    if (apps) possessions.push(`apps (${apps})`);
  }),
  onInTransaction(memberRemoved, async (ctx, { orgId, userId }) => {
    await deleteMemberFromApps.run(ctx.db, { orgId, userId });
    await deleteMemberFromTeams.run(ctx.db, { orgId, userId });
    await publish(ctx, appAccessLowered, { userIds: [userId] });
  }),
  onInTransaction(memberDemoted, (ctx, { userId }) => publish(ctx, appAccessLowered, { userIds: [userId] })),
];
