import { Organization } from '../accounts/orgs.contract.ts';
import { Person, User } from '../accounts/users.contract.ts';
import { App } from '../apps/apps.contract.ts';
import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, DisplayName, Email, OrgPath, OwnerName, Password, Time, Uuid } from '../fields.ts';
import { unpagedListQuery } from '../paging.ts';
import { appPermissions, orgRoles } from '../permissions.ts';
import { Type } from '../type.ts';

const Role = Type.Enum([...orgRoles]);
const KnownEmail = Type.String({ minLength: 1, maxLength: 254 });
export const invitationSorts = ['email', 'role', 'expires_at'] as const;
const InvitationsQuery = Type.Object(unpagedListQuery(invitationSorts, 'the email address'));
const TokenPath = { invitation_token: Type.String({ minLength: 1, maxLength: 100 }) };

const again =
  'The user may have no account yet. Inviting again sends a new link that replaces the previous one. Fails with 409 for members.';

export const orgInvitations_create = endpoint({
  id: 'orgInvitations_create',
  method: 'POST',
  path: '/v0.1/orgs/{org_name}/invitations',
  tag: 'invitations',
  summary: 'Invite a user to an organization, by email',
  description: `${again} The default role is collaborator.`,
  access: 'org:admin',
  effect: 'change',
  needsUnlimited: true,
  params: Type.Object(OrgPath),
  request: json(Type.Object({ user_email: Email, role: Type.Optional(Role) })),
  response: empty({ description: 'The invitation email is queued.' }),
  errors: [404, 409],
});

export const orgInvitations_delete = endpoint({
  id: 'orgInvitations_delete',
  method: 'DELETE',
  path: '/v0.1/orgs/{org_name}/invitations',
  tag: 'invitations',
  summary: 'Revoke an invitation to an organization',
  description: 'The email is in the body, as existing clients send it.',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(OrgPath),
  request: json(Type.Object({ user_email: KnownEmail })),
  response: empty({ description: 'The link of the invitation no longer works.' }),
  errors: [404],
});

export const orgInvitations_listPending = endpoint({
  id: 'orgInvitations_listPending',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/invitations',
  tag: 'invitations',
  summary: 'List the pending invitations to an organization',
  description: 'Includes expired invitations, which can be sent again.',
  access: 'org:admin',
  effect: 'read',
  params: Type.Object(OrgPath),
  query: InvitationsQuery,
  response: json(Type.Array(Type.Object({ id: Uuid, email: Type.String(), role: Type.String(), expires_at: Time })), {
    description: 'The invitations, sorted by email.',
  }),
  errors: [404],
});

export const orgInvitations_update = endpoint({
  id: 'orgInvitations_update',
  method: 'PATCH',
  path: '/v0.1/orgs/{org_name}/invitations/{email}',
  tag: 'invitations',
  summary: 'Update the role of an invitation',
  access: 'org:admin',
  effect: 'change',
  needsUnlimited: true,
  params: Type.Object({ ...OrgPath, email: KnownEmail }),
  request: json(Type.Object({ role: Type.Optional(Role) })),
  response: empty({ description: 'The invitation is updated. Its link stays the same.' }),
  errors: [404],
});

export const orgInvitations_sendNewInvitation = endpoint({
  id: 'orgInvitations_sendNewInvitation',
  method: 'POST',
  path: '/v0.1/orgs/{org_name}/invitations/{email}/resend',
  tag: 'invitations',
  summary: 'Resend an invitation with a new link',
  access: 'org:admin',
  effect: 'change',
  needsUnlimited: true,
  params: Type.Object({ ...OrgPath, email: KnownEmail }),
  request: json(Type.Object({ role: Type.Optional(Role) }), {
    bodyOmittedBy: { client: 'appcenter-cli 3.0.4', command: 'orgs collaborators update' },
  }),
  response: empty({ description: 'The invitation email is queued. The previous link no longer works.' }),
  errors: [404, 409],
});

export const orgInvitations_revoke = endpoint({
  id: 'orgInvitations_revoke',
  method: 'POST',
  path: '/v0.1/orgs/{org_name}/invitations/{email}/revoke',
  tag: 'invitations',
  summary: 'Revoke an invitation to an organization, by its email',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object({ ...OrgPath, email: KnownEmail }),
  request: json(Type.Object({})),
  response: empty({ description: 'The link of the invitation no longer works.' }),
  errors: [404],
});

export const appInvitations_create = endpoint({
  id: 'appInvitations_create',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/invitations',
  tag: 'invitations',
  summary: 'Invite a user to an app, by email',
  description: `${again} The roles admin, collaborator and member become manager, developer and viewer (default: developer).`,
  access: 'app:manager',
  effect: 'change',
  params: Type.Object(AppPath),
  request: json(Type.Object({ user_email: Email, role: Type.Optional(Role) })),
  response: empty({ description: 'The invitation email is queued.' }),
  errors: [404, 409],
});

export const AppInvitation = Type.Object(
  {
    id: Uuid,
    app: App,
    email: Type.String(),
    invite_type: Type.Enum(['developer', 'tester']),
    invited_by: Person,
    is_existing_user: Type.Boolean(),
    permissions: Type.Array(Type.Enum([...appPermissions])),
    expires_at: Time,
  },
  { $id: 'AppInvitation' },
);

export const appInvitations_list = endpoint({
  id: 'appInvitations_list',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/invitations',
  tag: 'invitations',
  summary: 'List the pending invitations to an app',
  description: 'Includes expired invitations, which can be sent again.',
  access: 'app:manager',
  effect: 'read',
  params: Type.Object(AppPath),
  query: InvitationsQuery,
  response: json(Type.Array(AppInvitation), { description: 'The invitations, sorted by email by default.' }),
  errors: [404],
});

export const appInvitations_createByEmail = endpoint({
  id: 'appInvitations_createByEmail',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/invitations/{user_email}',
  tag: 'invitations',
  summary: 'Invite a user to an app as developer, by the email in the URL',
  description: again,
  access: 'app:manager',
  effect: 'change',
  params: Type.Object({ ...AppPath, user_email: Email }),
  request: json(Type.Object({})),
  response: empty({ description: 'The invitation email is queued.' }),
  errors: [404, 409],
});

export const appInvitations_updatePermissions = endpoint({
  id: 'appInvitations_updatePermissions',
  method: 'PATCH',
  path: '/v0.1/apps/{owner_name}/{app_name}/invitations/{user_email}',
  tag: 'invitations',
  summary: 'Update the permission of an invitation',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object({ ...AppPath, user_email: KnownEmail }),
  request: json(
    Type.Object({
      permissions: Type.Array(Type.Enum(['manager', 'developer', 'viewer']), {
        minItems: 1,
        maxItems: 3,
        description: 'The highest permission counts.',
      }),
    }),
  ),
  response: empty({ description: 'The invitation is updated. Its link stays the same.' }),
  errors: [404],
});

export const appInvitations_delete = endpoint({
  id: 'appInvitations_delete',
  method: 'DELETE',
  path: '/v0.1/apps/{owner_name}/{app_name}/invitations/{user_email}',
  tag: 'invitations',
  summary: 'Revoke an invitation to an app',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object({ ...AppPath, user_email: KnownEmail }),
  response: empty({ description: 'The link of the invitation no longer works.' }),
  errors: [404],
});

export const invitations_sent = endpoint({
  id: 'invitations_sent',
  method: 'GET',
  path: '/v0.1/invitations/sent',
  tag: 'invitations',
  summary: 'List the pending invitations that the caller has sent',
  description: 'Only to organizations and apps that the caller can still see; newest first.',
  access: 'user',
  effect: 'read',
  response: json(
    Type.Array(
      Type.Object({
        invitation_id: Uuid,
        email: Type.String(),
        expires_at: Time,
        organization: Type.Optional(Organization),
        app: Type.Optional(App),
      }),
    ),
    { description: 'The invitations, each to an organization or an app.' },
  ),
});

const answering =
  'Only the user with the invited email may accept or decline; others get 403. A link works once, for seven days.';

export const orgInvitations_accept = endpoint({
  id: 'orgInvitations_accept',
  method: 'POST',
  path: '/v0.1/user/invitations/orgs/{invitation_token}/accept',
  tag: 'invitations',
  summary: 'Accept an invitation to an organization',
  description: answering,
  access: 'user',
  effect: 'change',
  params: Type.Object(TokenPath),
  request: json(Type.Object({})),
  response: empty({ description: 'The caller is now a member.' }),
  errors: [404],
});

export const orgInvitations_reject = endpoint({
  id: 'orgInvitations_reject',
  method: 'POST',
  path: '/v0.1/user/invitations/orgs/{invitation_token}/reject',
  tag: 'invitations',
  summary: 'Decline an invitation to an organization',
  description: answering,
  access: 'user',
  effect: 'change',
  params: Type.Object(TokenPath),
  request: json(Type.Object({})),
  response: empty({ description: 'The invitation is deleted.' }),
  errors: [404],
});

export const appInvitations_accept = endpoint({
  id: 'appInvitations_accept',
  method: 'POST',
  path: '/v0.1/user/invitations/apps/{invitation_token}/accept',
  tag: 'invitations',
  summary: 'Accept an invitation to an app',
  description: answering,
  access: 'user',
  effect: 'change',
  params: Type.Object(TokenPath),
  request: json(Type.Object({})),
  response: empty({ description: 'The caller now has the permission.' }),
  errors: [404],
});

export const appInvitations_reject = endpoint({
  id: 'appInvitations_reject',
  method: 'POST',
  path: '/v0.1/user/invitations/apps/{invitation_token}/reject',
  tag: 'invitations',
  summary: 'Decline an invitation to an app',
  description: answering,
  access: 'user',
  effect: 'change',
  params: Type.Object(TokenPath),
  request: json(Type.Object({})),
  response: empty({ description: 'The invitation is deleted.' }),
  errors: [404],
});

const LinkPath = { kind: Type.Enum(['org', 'app', 'group']), ...TokenPath };

export const invitations_get = endpoint({
  id: 'invitations_get',
  method: 'GET',
  path: '/v0.1/invitations/{kind}/{invitation_token}',
  tag: 'invitations',
  summary: 'Get the details of an invitation by its link',
  description: 'Requires only the token in the link, because the user may have no account yet.',
  access: 'public',
  effect: 'read',
  params: Type.Object(LinkPath),
  response: json(
    Type.Object({
      email: Type.String(),
      role: Type.String({ description: 'A role in the organization, or a permission on the app.' }),
      invited_by: Type.Optional(Type.String({ description: 'The display name of the user who sent the invitation.' })),
      target: Type.String({ description: 'The name of the organization or app.' }),
      app: Type.Optional(
        Type.Object(
          { name: Type.String(), owner: Type.Object({ type: Type.Enum(['org', 'user']), name: Type.String() }) },
          { description: 'Absent for organizations, and for groups that several apps share.' },
        ),
      ),
      organization: Type.Optional(Type.Object({ name: Type.String() })),
      expires_at: Type.Optional(Time),
      has_account: Type.Boolean({ description: 'True if an account with this email exists; its user should sign in.' }),
    }),
    { description: 'The invitation.' },
  ),
  errors: [404],
});

export const invitations_signUp = endpoint({
  id: 'invitations_signUp',
  method: 'POST',
  path: '/v0.1/invitations/{kind}/{invitation_token}/sign_up',
  tag: 'invitations',
  summary: 'Create an account for an invitation, accept it, and sign in',
  description: 'Works even if sign-up is closed. The account gets the email that the invitation was sent to.',
  access: 'public',
  effect: 'change',
  params: Type.Object(LinkPath),
  request: json(
    Type.Object({
      name: Type.Optional(OwnerName),
      display_name: Type.Optional(DisplayName),
      password: Password,
    }),
  ),
  response: json(User, { status: 201, description: 'The new user, now signed in.' }),
  errors: [404, 409],
});
