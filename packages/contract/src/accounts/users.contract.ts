import { empty, endpoint, json } from '../endpoint/index.ts';
import { DisplayName, Email, OwnerName, Password, Time, Uuid } from '../fields.ts';
import { listQuery, Page } from '../paging.ts';
import { appPermissions } from '../permissions.ts';
import { Type } from '../type.ts';

export const RevokeTokens = Type.Boolean({
  description: 'Also revokes every API token that this user made, user tokens and app tokens.',
});

export const AvatarUrl = Type.String({ pattern: '^https://', maxLength: 2048, description: 'An https address.' });

const personFields = {
  id: Uuid,
  name: Type.String(),
  display_name: Type.String(),
  email: Type.String(),
  avatar_url: Type.Optional(Type.String()),
  can_change_password: Type.Optional(
    Type.Boolean({ description: 'False for service accounts, which have no password.' }),
  ),
  permissions: Type.Optional(Type.Array(Type.Enum([...appPermissions]), { description: 'On the app asked about.' })),
  origin: Type.Enum(['appcenter', 'hockeyapp', 'codepush']),
};

/** Somebody else, as whoever can see them does. */
export const Person = Type.Object(personFields, { $id: 'Person' });

export const User = Type.Object(
  { ...personFields, is_admin: Type.Boolean({ description: 'Administers this server.' }) },
  { $id: 'User' },
);

export const AdminUser = Type.Object(
  {
    ...User.properties,
    is_disabled: Type.Boolean({ description: 'A disabled user cannot sign in, and has no user tokens.' }),
    is_email_verified: Type.Boolean({
      description:
        'Somebody vouches that the e-mail is theirs: an administrator, or a link that was mailed there. An identity provider signs nobody in to an account whose e-mail is not verified.',
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
const newUserHint = 'Without a name, the part of the e-mail before the @ is used; without a display name, the name.';

export const users_get = endpoint({
  id: 'users_get',
  method: 'GET',
  path: '/v0.1/user',
  tag: 'account',
  summary: 'Returns the profile of the authenticated user',
  access: 'user',
  effect: 'read',
  response: json(User, { description: 'The profile.', isRemembered: true }),
});

export const users_update = endpoint({
  id: 'users_update',
  method: 'PATCH',
  path: '/v0.1/user',
  tag: 'account',
  summary: 'Changes the profile of the authenticated user',
  description: 'What is absent stays as it is; null clears the avatar.',
  access: 'user',
  effect: 'change',
  request: json(
    Type.Object({
      display_name: Type.Optional(DisplayName),
      avatar_url: Type.Optional(
        Type.Union([AvatarUrl, Type.Null()], { description: 'An https address, or null to clear it.' }),
      ),
    }),
  ),
  response: json(User, { description: 'The profile after the change.' }),
});

export const users_changePassword = endpoint({
  id: 'users_changePassword',
  method: 'PUT',
  path: '/v0.1/user/password',
  tag: 'account',
  summary: 'Changes the password of the authenticated user',
  description: 'Ends every other session of this user. API tokens stay valid, unless revoke_tokens is true.',
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
  summary: 'Creates an account for oneself',
  description: `Only where the operator has opened sign-up (MOORING_OPEN_SIGN_UP). ${newUserHint}`,
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
  summary: 'Lists the users of this server, by name',
  access: 'admin',
  effect: 'read',
  query: Type.Object(listQuery(['name', 'display_name', 'email', 'created_at'], 'names and e-mail addresses')),
  response: json(Page(AdminUser), { description: 'A page of users.' }),
});

export const adminUsers_create = endpoint({
  id: 'adminUsers_create',
  method: 'POST',
  path: '/v0.1/admin/users',
  tag: 'administration',
  summary: 'Creates a user',
  description: newUserHint,
  access: 'admin',
  effect: 'change',
  request: json(Type.Object({ ...newUserFields, is_admin: Type.Optional(Type.Boolean()) })),
  response: json(AdminUser, { status: 201, description: 'The new user.' }),
  errors: [409],
});

export const adminUsers_update = endpoint({
  id: 'adminUsers_update',
  method: 'PATCH',
  path: '/v0.1/admin/users/{user_id}',
  tag: 'administration',
  summary: 'Changes a user: rights, e-mail, display name, password',
  description:
    'Disabling a user, or setting a new password for them, ends their sessions immediately. Disabling also revokes the API tokens that they created, for themselves and for apps; enabling the user does not restore them. The last administrator can be neither disabled nor demoted. A service account can neither be an administrator nor have a password or another e-mail.',
  access: 'admin',
  effect: 'change',
  params: Type.Object({ user_id: Uuid }),
  request: json(
    Type.Object({
      is_admin: Type.Optional(Type.Boolean()),
      is_disabled: Type.Optional(Type.Boolean()),
      is_email_verified: Type.Optional(
        Type.Boolean({ description: 'True: you vouch for the e-mail. A new e-mail is verified unless this is false.' }),
      ),
      email: Type.Optional(Email),
      display_name: Type.Optional(DisplayName),
      password: Type.Optional(Password),
      revoke_tokens: Type.Optional(RevokeTokens),
    }),
  ),
  response: json(AdminUser, { description: 'The user after the change.' }),
  errors: [404, 409],
});

export const adminUsers_delete = endpoint({
  id: 'adminUsers_delete',
  method: 'DELETE',
  path: '/v0.1/admin/users/{user_id}',
  tag: 'administration',
  summary: 'Deletes a user, with their sessions, tokens and memberships',
  description:
    'Refused with 409 while they own apps or subscriptions, are the last admin of an organization or the last administrator, and for service accounts, which their organization deletes. Webhooks, feeds and invitations that they made go with them; the audit log keeps their name.',
  access: 'admin',
  effect: 'change',
  params: Type.Object({ user_id: Uuid }),
  response: empty({ description: 'The user is deleted.' }),
  errors: [404, 409],
});
