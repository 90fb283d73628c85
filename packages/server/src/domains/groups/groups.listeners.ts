import { onInTransaction } from '../../jobs/index.ts';
import { memberRemoved } from '../accounts/index.ts';
import { appCreated, appTransferred, appUserRemoved } from '../apps/index.ts';
import { createCollaborators } from './collaborators.ts';
import {
  deleteFromGroupsOfApp,
  deleteFromGroupsOfOrg,
  deleteInvitationsOfApp,
  deleteInvitationsOfOrg,
} from './group-members.store.ts';
import { deleteFromForeignGroups } from './groups.store.ts';

export const groupListeners = [
  onInTransaction(appCreated, (ctx, { appId }) => createCollaborators(ctx, appId)),
  onInTransaction(memberRemoved, async ({ db }, { orgId, userId, email }) => {
    await deleteFromGroupsOfOrg.run(db, { orgId, userId });
    await deleteInvitationsOfOrg.run(db, { orgId, emailKey: email.toLowerCase() });
  }),
  // Out of the app's own groups; shared ones are their organization's.
  onInTransaction(appUserRemoved, async ({ db }, { appId, userId, email }) => {
    await deleteFromGroupsOfApp.run(db, { appId, userId });
    await deleteInvitationsOfApp.run(db, { appId, emailKey: email.toLowerCase() });
  }),
  onInTransaction(appTransferred, async ({ db }, { appId, ownerId }) => {
    await deleteFromForeignGroups.run(db, { appId, ownerId });
  }),
];
