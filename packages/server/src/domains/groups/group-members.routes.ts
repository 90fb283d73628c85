import {
  apps_listTesters,
  distributionGroupInvitations_acceptAll,
  distributionGroups_addUser,
  distributionGroups_addUsersForOrg,
  distributionGroups_bulkDeleteUsers,
  distributionGroups_listAllTestersForOrg,
  distributionGroups_listTesters,
  distributionGroups_listTestersForOrg,
  distributionGroups_listUsers,
  distributionGroups_listUsersForOrg,
  distributionGroups_removeUser,
  distributionGroups_resendInvite,
  distributionGroups_resendSharedInvite,
} from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { pageToWire } from '../../http/responses/pages.ts';
import { statusByCode } from '../../kernel/errors.ts';
import { personToWire } from '../accounts/index.ts';
import {
  acceptGroupInvitations,
  addGroupUsers,
  type GroupMember,
  listGroupMembers,
  listOrgTesters,
  listTesters,
  removeAllGroupUsers,
  removeGroupUsers,
  resendGroupInvitations,
  searchGroupMembers,
  type UserResult,
} from './group-members.ts';

/** Existing clients print the display name of every member, so pending ones get their email as the name. */
const memberToWire = ({ email, user }: GroupMember) =>
  user ? { ...personToWire(user), invite_pending: false } : { email, display_name: email, invite_pending: true };

const resultToWire = ({ email, isPending, failure }: UserResult) => ({
  status: failure ? statusByCode[failure.code] : 200,
  user_email: email,
  invite_pending: isPending,
  code: failure?.code,
  message: failure?.message,
});

export const groupMemberRoutes = [
  route(distributionGroups_listUsers, async (ctx, { params, query }) => {
    const withPending = !query.exclude_pending_invitations;
    return (await listGroupMembers(ctx, params.distribution_group_name, { withPending })).map(memberToWire);
  }),
  route(distributionGroups_listTesters, async (ctx, { params, query: { invite_pending, ...query } }) => {
    const input = { ...query, isPending: invite_pending };
    return pageToWire(await searchGroupMembers(ctx, params.distribution_group_name, input), memberToWire);
  }),
  route(distributionGroups_listTestersForOrg, async (ctx, { params, query: { invite_pending, ...query } }) => {
    const input = { ...query, isPending: invite_pending };
    return pageToWire(await searchGroupMembers(ctx, params.distribution_group_name, input), memberToWire);
  }),
  route(distributionGroups_addUser, async (ctx, { params, body: { user_emails = [] } }) =>
    (await addGroupUsers(ctx, params.distribution_group_name, user_emails)).map(resultToWire),
  ),
  route(distributionGroups_removeUser, async (ctx, { params, body: { user_emails = [] } }) =>
    (await removeGroupUsers(ctx, params.distribution_group_name, user_emails)).map(resultToWire),
  ),
  route(distributionGroups_resendInvite, (ctx, { params, body: { user_emails = [] } }) =>
    resendGroupInvitations(ctx, params.distribution_group_name, user_emails),
  ),
  route(apps_listTesters, async (ctx) =>
    (await listTesters(ctx)).map(({ user, permission }) => ({ ...personToWire(user), permissions: [permission] })),
  ),
  route(distributionGroups_listUsersForOrg, async (ctx, { params }) =>
    (await listGroupMembers(ctx, params.distribution_group_name)).map(memberToWire),
  ),
  route(distributionGroups_addUsersForOrg, async (ctx, { params, body: { user_emails = [] } }) =>
    (await addGroupUsers(ctx, params.distribution_group_name, user_emails)).map(resultToWire),
  ),
  route(distributionGroups_bulkDeleteUsers, (ctx, { params, body: { user_emails = [] } }) =>
    removeAllGroupUsers(ctx, params.distribution_group_name, user_emails),
  ),
  route(distributionGroups_resendSharedInvite, (ctx, { params, body: { user_emails = [] } }) =>
    resendGroupInvitations(ctx, params.distribution_group_name, user_emails),
  ),
  route(distributionGroups_listAllTestersForOrg, async (ctx) =>
    (await listOrgTesters(ctx)).map(({ name, displayName, email }) => ({ name, display_name: displayName, email })),
  ),
  route(distributionGroupInvitations_acceptAll, (ctx, { body }) => acceptGroupInvitations(ctx, body.invitation_token)),
];
