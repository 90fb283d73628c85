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
const InvitationsQuery = Type.Object(unpagedListQuery(invitationSorts, 'the e-mail address'));
const TokenPath = { invitation_token: Type.String({ minLength: 1, maxLength: 100 }) };

const again =
  'With or without an account. Inviting again sends a new link, which takes the place of the old one; a member is refused with 409.';

export const orgInvitations_create = endpoint({
  id: 'orgInvitations_create',
  method: 'POST',
  path: '/v0.1/orgs/{org_name}/invitations',
  tag: 'invitations',
  summary: 'Invites somebody to an organization, by e-mail',
  description: `${again} Without a role, as collaborator.`,
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(OrgPath),
  request: json(Type.Object({ user_email: Email, role: Type.Optional(Role) })),
  response: empty({ description: 'The invitation is on its way.' }),
  errors: [404, 409],
});

export const orgInvitations_delete = endpoint({
  id: 'orgInvitations_delete',
  method: 'DELETE',
  path: '/v0.1/orgs/{org_name}/invitations',
  tag: 'invitations',
  summary: 'Takes an invitation to an organization back',
  description: 'The e-mail is in the body, as existing clients send it.',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object(OrgPath),
  request: json(Type.Object({ user_email: KnownEmail })),
  response: empty({ description: 'Its link no longer works.' }),
  errors: [404],
});

export const orgInvitations_listPending = endpoint({
  id: 'orgInvitations_listPending',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/invitations',
  tag: 'invitations',
  summary: 'Lists the invitations to an organization that are not answered',
  description: 'Expired ones too: they can be sent again.',
  access: 'org:admin',
  effect: 'read',
  params: Type.Object(OrgPath),
  query: InvitationsQuery,
  response: json(Type.Array(Type.Object({ id: Uuid, email: Type.String(), role: Type.String(), expires_at: Time })), {
    description: 'By e-mail.',
  }),
  errors: [404],
});

export const orgInvitations_update = endpoint({
  id: 'orgInvitations_update',
  method: 'PATCH',
  path: '/v0.1/orgs/{org_name}/invitations/{email}',
  tag: 'invitations',
  summary: 'Changes the role that an invitation gives',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object({ ...OrgPath, email: KnownEmail }),
  request: json(Type.Object({ role: Type.Optional(Role) })),
  response: empty({ description: 'Changed; the link stays the same.' }),
  errors: [404],
});

export const orgInvitations_sendNewInvitation = endpoint({
  id: 'orgInvitations_sendNewInvitation',
  method: 'POST',
  path: '/v0.1/orgs/{org_name}/invitations/{email}/resend',
  tag: 'invitations',
  summary: 'Sends an invitation again, with a new link',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object({ ...OrgPath, email: KnownEmail }),
  request: json(Type.Object({ role: Type.Optional(Role) }), {
    bodyOmittedBy: { client: 'appcenter-cli 3.0.4', command: 'orgs collaborators update' },
  }),
  response: empty({ description: 'The invitation is on its way; the old link no longer works.' }),
  errors: [404, 409],
});

export const orgInvitations_revoke = endpoint({
  id: 'orgInvitations_revoke',
  method: 'POST',
  path: '/v0.1/orgs/{org_name}/invitations/{email}/revoke',
  tag: 'invitations',
  summary: 'Takes an invitation to an organization back, by its address',
  access: 'org:admin',
  effect: 'change',
  params: Type.Object({ ...OrgPath, email: KnownEmail }),
  request: json(Type.Object({})),
  response: empty({ description: 'Its link no longer works.' }),
  errors: [404],
});

export const appInvitations_create = endpoint({
  id: 'appInvitations_create',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/invitations',
  tag: 'invitations',
  summary: 'Invites somebody to an app, by e-mail',
  description: `${again} The roles admin, collaborator and member give manager, developer and viewer; without one, developer.`,
  access: 'app:manager',
  effect: 'change',
  params: Type.Object(AppPath),
  request: json(Type.Object({ user_email: Email, role: Type.Optional(Role) })),
  response: empty({ description: 'The invitation is on its way.' }),
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
  summary: 'Lists the invitations to an app that are not answered',
  description: 'Expired ones too: they can be sent again.',
  access: 'app:manager',
  effect: 'read',
  params: Type.Object(AppPath),
  query: InvitationsQuery,
  response: json(Type.Array(AppInvitation), { description: 'By e-mail, unless another order is asked for.' }),
  errors: [404],
});

export const appInvitations_createByEmail = endpoint({
  id: 'appInvitations_createByEmail',
  method: 'POST',
  path: '/v0.1/apps/{owner_name}/{app_name}/invitations/{user_email}',
  tag: 'invitations',
  summary: 'Invites somebody to an app as developer, by the e-mail in the address',
  description: again,
  access: 'app:manager',
  effect: 'change',
  params: Type.Object({ ...AppPath, user_email: Email }),
  request: json(Type.Object({})),
  response: empty({ description: 'The invitation is on its way.' }),
  errors: [404, 409],
});

export const appInvitations_updatePermissions = endpoint({
  id: 'appInvitations_updatePermissions',
  method: 'PATCH',
  path: '/v0.1/apps/{owner_name}/{app_name}/invitations/{user_email}',
  tag: 'invitations',
  summary: 'Changes the permission that an invitation gives',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object({ ...AppPath, user_email: KnownEmail }),
  request: json(
    Type.Object({
      permissions: Type.Array(Type.Enum(['manager', 'developer', 'viewer']), {
        minItems: 1,
        maxItems: 3,
        description: 'The highest counts.',
      }),
    }),
  ),
  response: empty({ description: 'Changed; the link stays the same.' }),
  errors: [404],
});

export const appInvitations_delete = endpoint({
  id: 'appInvitations_delete',
  method: 'DELETE',
  path: '/v0.1/apps/{owner_name}/{app_name}/invitations/{user_email}',
  tag: 'invitations',
  summary: 'Takes an invitation to an app back',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object({ ...AppPath, user_email: KnownEmail }),
  response: empty({ description: 'Its link no longer works.' }),
  errors: [404],
});

export const invitations_sent = endpoint({
  id: 'invitations_sent',
  method: 'GET',
  path: '/v0.1/invitations/sent',
  tag: 'invitations',
  summary: 'Lists the invitations that the caller has sent and that are not answered',
  description: 'To organizations and apps that the caller can still see; newest first.',
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
    { description: 'Each to an organization or an app.' },
  ),
});

const answering = 'Only by the user whose e-mail was invited; others get 403. A link works once, for seven days.';

export const orgInvitations_accept = endpoint({
  id: 'orgInvitations_accept',
  method: 'POST',
  path: '/v0.1/user/invitations/orgs/{invitation_token}/accept',
  tag: 'invitations',
  summary: 'Accepts an invitation to an organization',
  description: answering,
  access: 'user',
  effect: 'change',
  params: Type.Object(TokenPath),
  request: json(Type.Object({})),
  response: empty({ description: 'The caller is a member now.' }),
  errors: [404],
});

export const orgInvitations_reject = endpoint({
  id: 'orgInvitations_reject',
  method: 'POST',
  path: '/v0.1/user/invitations/orgs/{invitation_token}/reject',
  tag: 'invitations',
  summary: 'Declines an invitation to an organization',
  description: answering,
  access: 'user',
  effect: 'change',
  params: Type.Object(TokenPath),
  request: json(Type.Object({})),
  response: empty({ description: 'The invitation is gone.' }),
  errors: [404],
});

export const appInvitations_accept = endpoint({
  id: 'appInvitations_accept',
  method: 'POST',
  path: '/v0.1/user/invitations/apps/{invitation_token}/accept',
  tag: 'invitations',
  summary: 'Accepts an invitation to an app',
  description: answering,
  access: 'user',
  effect: 'change',
  params: Type.Object(TokenPath),
  request: json(Type.Object({})),
  response: empty({ description: 'The caller has the permission now.' }),
  errors: [404],
});

export const appInvitations_reject = endpoint({
  id: 'appInvitations_reject',
  method: 'POST',
  path: '/v0.1/user/invitations/apps/{invitation_token}/reject',
  tag: 'invitations',
  summary: 'Declines an invitation to an app',
  description: answering,
  access: 'user',
  effect: 'change',
  params: Type.Object(TokenPath),
  request: json(Type.Object({})),
  response: empty({ description: 'The invitation is gone.' }),
  errors: [404],
});

const LinkPath = { kind: Type.Enum(['org', 'app', 'group']), ...TokenPath };

export const invitations_get = endpoint({
  id: 'invitations_get',
  method: 'GET',
  path: '/v0.1/invitations/{kind}/{invitation_token}',
  tag: 'invitations',
  summary: 'Tells what the link of an invitation offers, and to whom',
  description: 'For whoever holds the link: they may have no account yet.',
  access: 'public',
  effect: 'read',
  params: Type.Object(LinkPath),
  response: json(
    Type.Object({
      email: Type.String(),
      role: Type.String({ description: 'A role in the organization, or a permission on the app.' }),
      invited_by: Type.Optional(Type.String({ description: 'Display name of whoever invites.' })),
      target: Type.String({ description: 'What it is an invitation to, in words for people.' }),
      expires_at: Type.Optional(Time),
      has_account: Type.Boolean({ description: 'Somebody with this e-mail has an account here, and should sign in.' }),
    }),
    { description: 'The offer.' },
  ),
  errors: [404],
});

export const invitations_signUp = endpoint({
  id: 'invitations_signUp',
  method: 'POST',
  path: '/v0.1/invitations/{kind}/{invitation_token}/sign_up',
  tag: 'invitations',
  summary: 'Creates an account for whoever was invited, accepts, and signs in',
  description: 'Also where sign-up is closed. The account gets the e-mail that the invitation was sent to.',
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
  response: json(User, { status: 201, description: 'The new user, signed in.' }),
  errors: [404, 409],
});
