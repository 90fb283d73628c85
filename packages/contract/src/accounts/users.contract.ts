import { empty, endpoint, json } from '../endpoint/index.ts';
import { DisplayName, Email, OwnerName, Password, Time, Uuid } from '../fields.ts';
import { listQuery, Page } from '../paging.ts';
import { appPermissions } from '../permissions.ts';
import { Type } from '../type.ts';

export const RevokeTokens = Type.Boolean({
  description: 'True: also revoke all API tokens that this user created, both user tokens and app tokens.',
});

export const AvatarUrl = Type.String({ pattern: '^https://', maxLength: 2048, description: 'An https URL.' });

const personFields = {
  id: Uuid,
  name: Type.String(),
  display_name: Type.String(),
  email: Type.String(),
  avatar_url: Type.Optional(Type.String()),
  can_change_password: Type.Optional(
    Type.Boolean({ description: 'False for service accounts, which have no password.' }),
  ),
  permissions: Type.Optional(
    Type.Array(Type.Enum([...appPermissions]), { description: 'The permissions on the requested app.' }),
  ),
  origin: Type.Enum(['appcenter', 'hockeyapp', 'codepush']),
};

/** A user as other users see them. */
export const Person = Type.Object(personFields, { $id: 'Person' });

export const User = Type.Object(
  { ...personFields, is_admin: Type.Boolean({ description: 'True if the user administers this server.' }) },
  { $id: 'User' },
);

export const AdminUser = Type.Object(
  {
    ...User.properties,
    is_disabled: Type.Boolean({ description: "A disabled user can't sign in and has no user tokens." }),
    is_email_verified: Type.Boolean({
      description:
        'True if an administrator vouches for the email, or the user opened a link sent to it. Signing in through an identity provider requires a verified email.',
    }),
    is_service_account: Type.Boolean(),
    created_at: Time,
  },
  { $id: 'AdminUser' },
);

const newUserFields = {
  email: Email,
  name: Type.Optional(OwnerName),
  display_name: Type.Optional(DisplayName),
  password: Password,
};
const newUserHint = 'Default name: the part of the email before the @. Default display name: the name.';

export const users_get = endpoint({
  id: 'users_get',
  method: 'GET',
  path: '/v0.1/user',
  tag: 'account',
  summary: 'Get the profile of the authenticated user',
  access: 'user',
  effect: 'read',
  describesCaller: true,
  response: json(User, { description: 'The profile of the user.', isRemembered: true }),
});

export const users_update = endpoint({
  id: 'users_update',
  method: 'PATCH',
  path: '/v0.1/user',
  tag: 'account',
  summary: 'Update the profile of the authenticated user',
  description: 'Omitted fields stay unchanged. null removes the avatar.',
  access: 'user',
  effect: 'change',
  request: json(
    Type.Object({
      display_name: Type.Optional(DisplayName),
      avatar_url: Type.Optional(
        Type.Union([AvatarUrl, Type.Null()], { description: 'An https URL, or null to remove the avatar.' }),
      ),
    }),
  ),
  response: json(User, { description: 'The updated profile.' }),
});

export const users_changePassword = endpoint({
  id: 'users_changePassword',
  needsUnlimited: true,
  method: 'PUT',
  path: '/v0.1/user/password',
  tag: 'account',
  summary: 'Update the password of the authenticated user',
  description: 'Ends all other sessions of this user. API tokens stay valid unless revoke_tokens is true.',
  access: 'user',
  effect: 'change',
  request: json(
    Type.Object({
      current_password: Type.String({ maxLength: 256 }),
      new_password: Password,
      revoke_tokens: Type.Optional(RevokeTokens),
    }),
  ),
  response: empty({ description: 'The password is changed.' }),
});

export const users_register = endpoint({
  id: 'users_register',
  method: 'POST',
  path: '/v0.1/users',
  tag: 'account',
  summary: 'Create your own account',
  description: `Only if the server allows sign-up (MOORING_OPEN_SIGN_UP). ${newUserHint}`,
  access: 'public',
  effect: 'change',
  request: json(Type.Object(newUserFields)),
  response: json(User, { status: 201, description: 'The new account.' }),
  errors: [403, 409],
});

export const adminUsers_list = endpoint({
  id: 'adminUsers_list',
  method: 'GET',
  path: '/v0.1/admin/users',
  tag: 'administration',
  summary: 'List the users of this server, by name',
  access: 'admin',
  effect: 'read',
  query: Type.Object(listQuery(['name', 'display_name', 'email', 'created_at'], 'names and email addresses')),
  response: json(Page(AdminUser), { description: 'A page of users.' }),
});

export const adminUsers_create = endpoint({
  id: 'adminUsers_create',
  needsUnlimited: true,
  method: 'POST',
  path: '/v0.1/admin/users',
  tag: 'administration',
  summary: 'Create a user',
  description: newUserHint,
  access: 'admin',
  effect: 'change',
  request: json(Type.Object({ ...newUserFields, is_admin: Type.Optional(Type.Boolean()) })),
  response: json(AdminUser, { status: 201, description: 'The new user.' }),
  errors: [409],
});

export const adminUsers_update = endpoint({
  id: 'adminUsers_update',
  needsUnlimited: true,
  method: 'PATCH',
  path: '/v0.1/admin/users/{user_id}',
  tag: 'administration',
  summary: 'Update a user: rights, email, display name, password',
  description:
    "Disabling users, or setting a new password for them, ends their sessions immediately. Disabling also revokes the API tokens that they created, for themselves and for apps; enabling them again does not restore the tokens. The last administrator can't be disabled or demoted. A service account can't be an administrator, and can't have a password or another email.",
  access: 'admin',
  effect: 'change',
  params: Type.Object({ user_id: Uuid }),
  request: json(
    Type.Object({
      is_admin: Type.Optional(Type.Boolean()),
      is_disabled: Type.Optional(Type.Boolean()),
      is_email_verified: Type.Optional(
        Type.Boolean({
          description: 'True if you vouch for the email. A new email is verified unless you set this to false.',
        }),
      ),
      email: Type.Optional(Email),
      display_name: Type.Optional(DisplayName),
      password: Type.Optional(Password),
      revoke_tokens: Type.Optional(RevokeTokens),
    }),
  ),
  response: json(AdminUser, { description: 'The updated user.' }),
  errors: [404, 409],
});

export const adminUsers_delete = endpoint({
  id: 'adminUsers_delete',
  method: 'DELETE',
  path: '/v0.1/admin/users/{user_id}',
  tag: 'administration',
  summary: 'Delete a user, with their sessions, tokens and memberships',
  description:
    'Fails with 409 for users who own apps or subscriptions, for the last admin of an organization, for the last administrator, and for service accounts: their organization deletes them. Also deletes the webhooks, feeds and invitations that the user created. The audit log keeps their name.',
  access: 'admin',
  effect: 'change',
  confirms: true,
  params: Type.Object({ user_id: Uuid }),
  response: empty({ description: 'The user is deleted.' }),
  errors: [404, 409],
});
