import { usersExamples } from '../accounts/users.examples.ts';
import type { EndpointExamples } from '../endpoint/example.ts';
import { groupsExamples } from './groups.examples.ts';

const inApp = groupsExamples.distributionGroups_get.params;
const inOrg = groupsExamples.distributionGroups_getForOrg.params;
const grace = {
  id: '0198c7a2-6b00-7d52-8c1d-91d0a3f5c6e8',
  name: 'grace',
  display_name: 'Grace Hopper',
  email: 'grace@example.com',
  can_change_password: true,
  invite_pending: false,
};
const user_emails = ['grace@example.com', 'new@example.com'];
const others = { user_emails: ['linus@example.com', 'hedy@example.com'] };
const added = [
  { status: 200, user_email: 'linus@example.com', invite_pending: true },
  { status: 200, user_email: 'hedy@example.com', invite_pending: true },
];
const removed = [
  { status: 200, user_email: 'grace@example.com' },
  {
    status: 404,
    code: 'NotFound',
    message: 'No member of the group Beta divers "new@example.com" found, or you don\'t have access to it.',
    user_email: 'new@example.com',
  },
] as const;
const pending = [grace, { email: 'new@example.com', display_name: 'new@example.com', invite_pending: true }];
const { is_admin, ...ada } = usersExamples.users_get.response;

export const groupMembersExamples = {
  distributionGroups_listUsers: { params: inApp, query: {}, response: pending },
  distributionGroups_listTesters: {
    params: inApp,
    query: { search: 'grace' },
    response: { values: [grace], total: 1 },
  },
  distributionGroups_listTestersForOrg: {
    params: inOrg,
    query: { search: 'grace', sort: 'display_name' },
    response: { values: [grace], total: 1 },
  },
  distributionGroups_addUser: { params: inApp, body: others, response: added },
  distributionGroups_removeUser: { params: inApp, body: { user_emails }, response: removed },
  distributionGroups_resendInvite: { params: inApp, body: { user_emails: ['new@example.com'] } },
  apps_listTesters: {
    params: { owner_name: 'ada', app_name: 'compass' },
    response: [{ ...ada, permissions: ['tester'] }],
  },
  distributionGroups_listUsersForOrg: { params: inOrg, response: pending },
  distributionGroups_addUsersForOrg: { params: inOrg, body: others, response: added },
  distributionGroups_bulkDeleteUsers: { params: inOrg, body: { user_emails: ['grace@example.com'] } },
  distributionGroups_resendSharedInvite: { params: inOrg, body: { user_emails: ['new@example.com'] } },
  distributionGroups_listAllTestersForOrg: {
    params: { org_name: 'lighthouse' },
    response: [{ display_name: 'Grace Hopper', name: 'grace', email: 'grace@example.com' }],
  },
  distributionGroupInvitations_acceptAll: { body: {} },
} satisfies EndpointExamples<typeof import('./group-members.contract.ts')>;
