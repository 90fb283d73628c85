import { Person } from '../accounts/users.contract.ts';
import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, OrgPath, Uuid } from '../fields.ts';
import { listQuery, Page } from '../paging.ts';
import { Type } from '../type.ts';
import { AppGroupPath, OrgGroupPath } from './groups.contract.ts';

/** The most addresses that one call adds, removes or writes to. */
export const GROUP_USERS_MAX = 500;

const GroupUser = Type.Object(
  {
    id: Type.Optional(Uuid),
    avatar_url: Type.Optional(Type.String()),
    can_change_password: Type.Optional(
      Type.Boolean({ description: 'False for service accounts, which have no password.' }),
    ),
    display_name: Type.Optional(Type.String({ description: 'The e-mail for those who have not accepted yet.' })),
    email: Type.String(),
    invite_pending: Type.Optional(Type.Boolean({ description: 'Invited, and not accepted yet.' })),
    name: Type.Optional(Type.String()),
  },
  { $id: 'DistributionGroupUser' },
);

const UserResult = Type.Object(
  {
    code: Type.Optional(Type.String({ description: 'Only if it failed.' })),
    invite_pending: Type.Optional(Type.Boolean()),
    // NOTE: some descriptions of this API call it an integer for removals; clients read words, and so it is words.
    message: Type.Optional(Type.String({ description: 'Why it failed.' })),
    status: Type.Integer({ description: 'As an HTTP status: 200, or what went wrong with this address.' }),
    user_email: Type.Optional(Type.String({ description: 'As it was sent.' })),
  },
  { $id: 'DistributionGroupUserResult' },
);

const UserEmails = Type.Object({
  user_emails: Type.Optional(
    Type.Array(Type.String(), { maxItems: GROUP_USERS_MAX, description: 'In any case; absent means none.' }),
  ),
});

const joining = (who: string) =>
  `With or without an account. ${who} join at once and may test from the next request on; everybody else gets a mail and is pending until they accept. Each address is answered for itself: one that cannot be added (400, or 409 if it is there already) does not keep the others out.`;
const elsewhere = 'A shared group is changed at the address of its organization: here that is refused with 409.';
const again =
  'Only to those who have not accepted yet; the link in a mail before this one no longer counts. An address that is not in the group is refused with 404, and then nobody gets a mail.';

export const distributionGroups_listUsers = endpoint({
  id: 'distributionGroups_listUsers',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/distribution_groups/{distribution_group_name}/members',
  tag: 'distribution groups',
  summary: 'Lists the members of a distribution group',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppGroupPath),
  query: Type.Object({
    exclude_pending_invitations: Type.Optional(
      Type.Boolean({ description: 'Leaves out those who have not accepted yet.' }),
    ),
  }),
  response: json(Type.Array(GroupUser), { description: 'By e-mail, those who have not accepted yet last.' }),
  errors: [404],
});

const testersQuery = Type.Object({
  ...listQuery(['email', 'display_name'], 'names and e-mail addresses'),
  invite_pending: Type.Optional(
    Type.Boolean({ description: 'Only those who have not accepted yet, or only those who have.' }),
  ),
});

export const distributionGroups_listTesters = endpoint({
  id: 'distributionGroups_listTesters',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/distribution_groups/{distribution_group_name}/testers',
  tag: 'distribution groups',
  summary: 'Lists the members of a distribution group in pages, searched and sorted',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppGroupPath),
  query: testersQuery,
  response: json(Page(GroupUser), { description: 'A page of members, and of those who were invited.' }),
  errors: [404],
});

export const distributionGroups_listTestersForOrg = endpoint({
  id: 'distributionGroups_listTestersForOrg',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/distribution_groups/{distribution_group_name}/testers',
  tag: 'distribution groups',
  summary: 'Lists the members of a shared distribution group in pages, searched and sorted',
  access: 'org:admin',
  effect: 'read',
  params: Type.Object(OrgGroupPath),
  query: testersQuery,
  response: json(Page(GroupUser), { description: 'A page of members, and of those who were invited.' }),
  errors: [404],
});

export const distributionGroups_addUser = endpoint({
  id: 'distributionGroups_addUser',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/distribution_groups/{distribution_group_name}/members',
  tag: 'distribution groups',
  summary: 'Adds people to a distribution group of an app, by e-mail',
  description: `${joining('Those who have access to the app')} ${elsewhere}`,
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
  summary: 'Removes people from a distribution group of an app, or takes their invitations back',
  description: `Each address is answered for itself: one that is not in the group (404) does not keep the others in. ${elsewhere}`,
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
  summary: 'Sends the invitations to a distribution group of an app again',
  description: `${again} ${elsewhere}`,
  access: 'app:developer',
  effect: 'change',
  params: Type.Object(AppGroupPath),
  request: json(UserEmails),
  response: empty({ description: 'The mails are on their way.' }),
  errors: [404, 409],
});

export const apps_listTesters = endpoint({
  id: 'apps_listTesters',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/testers',
  tag: 'distribution groups',
  summary: 'Lists the testers of an app: everybody in one of its distribution groups',
  description: 'With the highest permission that they have on the app. Those who have not accepted yet are left out.',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  response: json(Type.Array(Person), { description: 'By name.' }),
  errors: [404],
});

export const distributionGroups_listUsersForOrg = endpoint({
  id: 'distributionGroups_listUsersForOrg',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/distribution_groups/{distribution_group_name}/members',
  tag: 'distribution groups',
  summary: 'Lists the members of a shared distribution group',
  access: 'org:admin',
  effect: 'read',
  params: Type.Object(OrgGroupPath),
  response: json(Type.Array(GroupUser), { description: 'By e-mail, those who have not accepted yet last.' }),
  errors: [404],
});

export const distributionGroups_addUsersForOrg = endpoint({
  id: 'distributionGroups_addUsersForOrg',
  method: 'POST',
  path: '/v0.1/orgs/{org_name}/distribution_groups/{distribution_group_name}/members',
  tag: 'distribution groups',
  summary: 'Adds people to a shared distribution group, by e-mail',
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
  summary: 'Removes people from a shared distribution group, or takes their invitations back',
  description: 'All of them or, with a 404 that names who is not in the group, none.',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(OrgGroupPath),
  request: json(UserEmails),
  response: empty({ description: 'They are no longer in the group, from the next request on.' }),
  errors: [404],
});

export const distributionGroups_resendSharedInvite = endpoint({
  id: 'distributionGroups_resendSharedInvite',
  method: 'POST',
  path: '/v0.1/orgs/{org_name}/distribution_groups/{distribution_group_name}/resend_invite',
  tag: 'distribution groups',
  summary: 'Sends the invitations to a shared distribution group again',
  description: again,
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(OrgGroupPath),
  request: json(UserEmails),
  response: empty({ description: 'The mails are on their way.' }),
  errors: [404],
});

export const distributionGroups_listAllTestersForOrg = endpoint({
  id: 'distributionGroups_listAllTestersForOrg',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/testers',
  tag: 'distribution groups',
  summary: 'Lists everybody in a shared distribution group, or in a group of an app, of an organization',
  description: 'Those who have not accepted yet are left out.',
  access: 'org:admin',
  effect: 'read',
  params: Type.Object(OrgPath),
  response: json(
    Type.Array(Type.Object({ display_name: Type.Optional(Type.String()), name: Type.String(), email: Type.String() })),
    { description: 'By name.' },
  ),
  errors: [404],
});

export const distributionGroupInvitations_acceptAll = endpoint({
  id: 'distributionGroupInvitations_acceptAll',
  method: 'POST',
  path: '/v0.1/user/invitations/distribution_groups/accept',
  tag: 'distribution groups',
  summary: "Accepts every invitation to a distribution group that was sent to the caller's e-mail",
  description:
    'Where visitors may create their own account nobody has checked whose e-mail it is, so the token in the link of one of these mails is needed, and proves it for all of them.',
  access: 'user',
  effect: 'change',
  request: json(
    Type.Object({
      invitation_token: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    }),
  ),
  response: empty({ description: 'The caller may test, from the next request on.' }),
  errors: [404],
});
