import { onInTransaction } from '../../jobs/index.ts';
import { namedSome } from '../../kernel/names.ts';
import { memberRemoved, ownerDeleting } from '../accounts/index.ts';
import { deleteMemberFromApps, listAppNamesOfOwner } from './apps.store.ts';
import { deleteMemberFromTeams } from './teams.store.ts';

export const appListeners = [
  onInTransaction(ownerDeleting, async ({ db }, { ownerId, possessions }) => {
    const apps = await namedSome((limit) => listAppNamesOfOwner.all(db, { ownerId, limit }));
    if (apps) possessions.push(`apps (${apps})`);
  }),
  onInTransaction(memberRemoved, async ({ db }, { orgId, userId }) => {
    await deleteMemberFromApps.run(db, { orgId, userId });
    await deleteMemberFromTeams.run(db, { orgId, userId });
  }),
];
