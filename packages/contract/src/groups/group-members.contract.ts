import { Person } from '../accounts/users.contract.ts';
import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, OrgPath, Uuid } from '../fields.ts';
import { listQuery, Page } from '../paging.ts';
import { Type } from '../type.ts';
import { AppGroupPath, OrgGroupPath } from './groups.contract.ts';

/** The maximum number of addresses in one call. */
export const GROUP_USERS_MAX = 500;

const GroupUser = Type.Object(
  {
    id: Type.Optional(Uuid),
    avatar_url: Type.Optional(Type.String()),
    can_change_password: Type.Optional(
      Type.Boolean({ description: 'False for service accounts, which have no password.' }),
    ),
    display_name: Type.Optional(Type.String({ description: 'The email for users who have not accepted yet.' })),
    email: Type.String(),
    invite_pending: Type.Optional(
      Type.Boolean({ description: 'True if the user was invited and has not accepted yet.' }),
    ),
    name: Type.Optional(Type.String()),
  },
  { $id: 'DistributionGroupUser' },
);

const UserResult = Type.Object(
  {
    code: Type.Optional(Type.String({ description: 'Only if the address failed.' })),
    invite_pending: Type.Optional(Type.Boolean()),
    // NOTE: some descriptions of App Center's API declare an integer for removals, but clients read a string.
    message: Type.Optional(Type.String({ description: 'Why the address failed.' })),
    status: Type.Integer({ description: 'An HTTP status: 200, or the error of this address.' }),
    user_email: Type.Optional(Type.String({ description: 'The address as sent.' })),
  },
  { $id: 'DistributionGroupUserResult' },
);

const UserEmails = Type.Object({
  user_emails: Type.Optional(
    Type.Array(Type.String(), { maxItems: GROUP_USERS_MAX, description: 'Case-insensitive (default: none).' }),
  ),
});

const joining = (who: string) =>
  `Addresses may have no account yet. ${who} join immediately and may test. All others receive an email and are pending until they accept. Each address has its own result: a failure (400, or 409 if it is already in the group) does not affect the others.`;
const elsewhere = 'Fails with 409 for a shared group: update it through its organization.';
const again =
  'Sends email only to users who have not accepted yet; links in previous emails stop working. If an address is not in the group, the request fails with 404 and sends no email.';

export const distributionGroups_listUsers = endpoint({
  id: 'distributionGroups_listUsers',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/distribution_groups/{distribution_group_name}/members',
  tag: 'distribution groups',
  summary: 'List the members of a distribution group',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppGroupPath),
  query: Type.Object({
    exclude_pending_invitations: Type.Optional(Type.Boolean({ description: 'Omit users who have not accepted yet.' })),
  }),
  response: json(Type.Array(GroupUser), { description: 'The members, sorted by email, pending ones last.' }),
  errors: [404],
});

const testersQuery = Type.Object({
  ...listQuery(['email', 'display_name'], 'names and email addresses'),
  invite_pending: Type.Optional(
    Type.Boolean({ description: 'Only users who have not accepted yet, or only those who have.' }),
  ),
});

export const distributionGroups_listTesters = endpoint({
  id: 'distributionGroups_listTesters',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/distribution_groups/{distribution_group_name}/testers',
  tag: 'distribution groups',
  summary: 'List the members of a distribution group in pages, searchable and sortable',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppGroupPath),
  query: testersQuery,
  response: json(Page(GroupUser), { description: 'A page of members and invited users.' }),
  errors: [404],
});

export const distributionGroups_listTestersForOrg = endpoint({
  id: 'distributionGroups_listTestersForOrg',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/distribution_groups/{distribution_group_name}/testers',
  tag: 'distribution groups',
  summary: 'List the members of a shared distribution group in pages, searchable and sortable',
  access: 'org:admin',
  effect: 'read',
  params: Type.Object(OrgGroupPath),
  query: testersQuery,
  response: json(Page(GroupUser), { description: 'A page of members and invited users.' }),
  errors: [404],
});

export const distributionGroups_addUser = endpoint({
  id: 'distributionGroups_addUser',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/distribution_groups/{distribution_group_name}/members',
  tag: 'distribution groups',
  summary: 'Add users to a distribution group of an app, by email',
  description: `${joining('Users with access to the app')} ${elsewhere}`,
  access: 'app:developer',
  effect: 'change',
  params: Type.Object(AppGroupPath),
  request: json(UserEmails),
  response: json(Type.Array(UserResult), { description: 'One result for each address, in order.' }),
  errors: [404, 409],
});

export const distributionGroups_removeUser = endpoint({
  id: 'distributionGroups_removeUser',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/distribution_groups/{distribution_group_name}/members/bulk_delete',
  tag: 'distribution groups',
  summary: 'Remove users from a distribution group of an app, or revoke their invitations',
  description: `Each address has its own result: an address that is not in the group (404) does not affect the others. ${elsewhere}`,
  access: 'app:developer',
  effect: 'change',
  params: Type.Object(AppGroupPath),
  request: json(UserEmails),
  response: json(Type.Array(UserResult), { description: 'One result for each address, in order.' }),
  errors: [404, 409],
});

export const distributionGroups_resendInvite = endpoint({
  id: 'distributionGroups_resendInvite',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/distribution_groups/{distribution_group_name}/resend_invite',
  tag: 'distribution groups',
  summary: 'Resend the invitations to a distribution group of an app',
  description: `${again} ${elsewhere}`,
  access: 'app:developer',
  effect: 'change',
  params: Type.Object(AppGroupPath),
  request: json(UserEmails),
  response: empty({ description: 'The emails are queued.' }),
  errors: [404, 409],
});

export const apps_listTesters = endpoint({
  id: 'apps_listTesters',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/testers',
  tag: 'distribution groups',
  summary: 'List the testers of an app: all users in its distribution groups',
  description: 'Includes their highest permission on the app. Users who have not accepted yet are omitted.',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  response: json(Type.Array(Person), { description: 'The testers, sorted by name.' }),
  errors: [404],
});

export const distributionGroups_listUsersForOrg = endpoint({
  id: 'distributionGroups_listUsersForOrg',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/distribution_groups/{distribution_group_name}/members',
  tag: 'distribution groups',
  summary: 'List the members of a shared distribution group',
  access: 'org:admin',
  effect: 'read',
  params: Type.Object(OrgGroupPath),
  response: json(Type.Array(GroupUser), { description: 'The members, sorted by email, pending ones last.' }),
  errors: [404],
});

export const distributionGroups_addUsersForOrg = endpoint({
  id: 'distributionGroups_addUsersForOrg',
  method: 'POST',
  path: '/v0.1/orgs/{org_name}/distribution_groups/{distribution_group_name}/members',
  tag: 'distribution groups',
  summary: 'Add users to a shared distribution group, by email',
  description: joining('Members of the organization'),
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(OrgGroupPath),
  request: json(UserEmails),
  response: json(Type.Array(UserResult), { description: 'One result for each address, in order.' }),
  errors: [404],
});

export const distributionGroups_bulkDeleteUsers = endpoint({
  id: 'distributionGroups_bulkDeleteUsers',
  method: 'POST',
  path: '/v0.1/orgs/{org_name}/distribution_groups/{distribution_group_name}/members/bulk_delete',
  tag: 'distribution groups',
  summary: 'Remove users from a shared distribution group, or revoke their invitations',
  description: 'Removes all of them or, with a 404 that names the unknown addresses, none.',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(OrgGroupPath),
  request: json(UserEmails),
  response: empty({ description: 'The users are removed and immediately lose the access that came from the group.' }),
  errors: [404],
});

export const distributionGroups_resendSharedInvite = endpoint({
  id: 'distributionGroups_resendSharedInvite',
  method: 'POST',
  path: '/v0.1/orgs/{org_name}/distribution_groups/{distribution_group_name}/resend_invite',
  tag: 'distribution groups',
  summary: 'Resend the invitations to a shared distribution group',
  description: again,
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(OrgGroupPath),
  request: json(UserEmails),
  response: empty({ description: 'The emails are queued.' }),
  errors: [404],
});

export const distributionGroups_listAllTestersForOrg = endpoint({
  id: 'distributionGroups_listAllTestersForOrg',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/testers',
  tag: 'distribution groups',
  summary: 'List the users in all distribution groups of an organization and its apps',
  description: 'Users who have not accepted yet are omitted.',
  access: 'org:admin',
  effect: 'read',
  params: Type.Object(OrgPath),
  response: json(
    Type.Array(Type.Object({ display_name: Type.Optional(Type.String()), name: Type.String(), email: Type.String() })),
    { description: 'The users, sorted by name.' },
  ),
  errors: [404],
});

export const distributionGroupInvitations_acceptAll = endpoint({
  id: 'distributionGroupInvitations_acceptAll',
  method: 'POST',
  path: '/v0.1/user/invitations/distribution_groups/accept',
  tag: 'distribution groups',
  summary: "Accept all invitations to distribution groups that were sent to the caller's email",
  description:
    'If the server allows sign-up, emails are not verified. The caller then needs the token in the link of one of these emails; it confirms all of them.',
  access: 'user',
  effect: 'change',
  request: json(
    Type.Object({
      invitation_token: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    }),
  ),
  response: empty({ description: 'The caller may test immediately.' }),
  errors: [404],
});
