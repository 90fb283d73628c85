import { orgsExamples } from '../accounts/orgs.examples.ts';
import { appsExamples } from '../apps/apps.examples.ts';
import type { EndpointExamples } from '../endpoint/example.ts';

const lighthouse = orgsExamples.organizations_get.response;
const compass = appsExamples.apps_get.response;
const org = { org_name: 'lighthouse' };
const app = { owner_name: 'ada', app_name: 'compass' };
const email = 'new@example.com';
const id = '0198c7a7-0000-7c1e-9a53-2f4be3a0b2d7';
const invitation_token = 'Zk3v9x1fq7Lr2mT8bYcW5nH0sJdG4aPeUo6iKxVtQyR';
/** The tokens in links that were emailed to the caller. */
const toOrg = { invitation_token: 'q4Wn8RzYb2KfXs6Tj0LcVd9Ph3MgAu7EoBi1QtNxHyC' };
const toApp = { invitation_token: 'M5kDz7VxGp1SqYw9CtRb3LnJf0HaUe8XiOo2KdTzEyB' };

export const invitationsExamples = {
  orgInvitations_create: { params: org, body: { user_email: email, role: 'collaborator' } },
  orgInvitations_delete: { params: org, body: { user_email: email } },
  orgInvitations_listPending: {
    params: org,
    query: {},
    response: [{ id, email, role: 'collaborator', expires_at: '2026-11-08T09:00:00.000Z' }],
  },
  orgInvitations_update: { params: { ...org, email }, body: { role: 'member' } },
  orgInvitations_sendNewInvitation: { params: { ...org, email }, body: {} },
  orgInvitations_revoke: { params: { ...org, email }, body: {} },
  appInvitations_create: { params: app, body: { user_email: email, role: 'collaborator' } },
  appInvitations_list: {
    params: app,
    query: {},
    response: [
      {
        id,
        app: compass,
        email,
        invite_type: 'developer',
        invited_by: {
          id: '0198c7a2-5f10-7c1e-9a53-2f4be3a0b2d7',
          name: 'ada',
          display_name: 'Ada Lovelace',
          email: 'ada@example.com',
          origin: 'appcenter',
        },
        is_existing_user: false,
        permissions: ['developer'],
        expires_at: '2026-11-08T09:00:00.000Z',
      },
    ],
  },
  appInvitations_createByEmail: { params: { ...app, user_email: email }, body: {} },
  appInvitations_updatePermissions: { params: { ...app, user_email: email }, body: { permissions: ['viewer'] } },
  appInvitations_delete: { params: { ...app, user_email: email } },
  invitations_sent: {
    response: [{ invitation_id: id, email, expires_at: '2026-11-08T09:00:00.000Z', organization: lighthouse }],
  },
  orgInvitations_accept: { params: toOrg, body: {} },
  orgInvitations_reject: { params: toOrg, body: {} },
  appInvitations_accept: { params: toApp, body: {} },
  appInvitations_reject: { params: toApp, body: {} },
  invitations_get: {
    params: { kind: 'org', invitation_token },
    response: {
      email,
      role: 'collaborator',
      invited_by: 'Ada Lovelace',
      target: 'Lighthouse',
      organization: { name: 'lighthouse' },
      expires_at: '2026-11-08T09:00:00.000Z',
      has_account: false,
    },
  },
  invitations_signUp: {
    params: { kind: 'org', invitation_token },
    body: { name: 'newcomer', password: 'correct horse battery' },
    response: {
      id,
      name: 'newcomer',
      display_name: 'newcomer',
      email,
      origin: 'appcenter',
      is_admin: false,
    },
  },
} satisfies EndpointExamples<typeof import('./invitations.contract.ts')>;
