import { onInTransaction } from '../../jobs/index.ts';
import { memberRemoved } from '../accounts/index.ts';
import { appCreated, appTransferred, appUserRemoved } from '../apps/index.ts';
import { createCollaborators } from './collaborators.ts';
import {
  deleteAppInvitations,
  deleteFromAppGroups,
  deleteFromOrgGroups,
  deleteOrgInvitations,
} from './group-members.store.ts';
import { deleteFromForeignGroups } from './groups.store.ts';

export const groupListeners = [
  onInTransaction(appCreated, (ctx, { appId }) => createCollaborators(ctx, appId)),
  onInTransaction(memberRemoved, async ({ db }, { orgId, userId, email }) => {
    await deleteFromOrgGroups.run(db, { orgId, userId });
    await deleteOrgInvitations.run(db, { orgId, emailKey: email.toLowerCase() });
  }),
  // Only groups of the app itself; shared groups belong to the organization.
  onInTransaction(appUserRemoved, async ({ db }, { appId, userId, email }) => {
    await deleteFromAppGroups.run(db, { appId, userId });
    await deleteAppInvitations.run(db, { appId, emailKey: email.toLowerCase() });
  }),
  onInTransaction(appTransferred, async ({ db }, { appId, ownerId }) => {
    await deleteFromForeignGroups.run(db, { appId, ownerId });
  }),
];
