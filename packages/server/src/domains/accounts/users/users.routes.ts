import {
  adminUsers_create,
  adminUsers_delete,
  adminUsers_list,
  adminUsers_update,
  users_changePassword,
  users_get,
  users_register,
  users_update,
} from '@mooring/contract';
import type { User } from '../../../context.ts';
import { route } from '../../../http/mount.ts';
import { pageToWire } from '../../../http/responses/pages.ts';
import { toIso } from '../../../kernel/clock.ts';
import { isServiceAddress } from '../orgs/service-address.ts';
import { deleteUser } from './user-deletion.ts';
import {
  type Account,
  changePassword,
  createUser,
  getProfile,
  listUsers,
  registerUser,
  updateAccount,
  updateProfile,
} from './users.ts';

/** Fields that everyone who can see a person may know. */
export const personToWire = (user: User) => ({
  id: user.id,
  name: user.name,
  display_name: user.displayName,
  email: user.email,
  avatar_url: user.avatarUrl,
  can_change_password: !isServiceAddress(user.email),
  origin: 'appcenter' as const,
});

export const userToWire = (user: User) => ({ ...personToWire(user), is_admin: user.isAdmin });

const accountToWire = (account: Account) => ({
  ...userToWire(account),
  is_disabled: account.isDisabled,
  is_email_verified: account.isEmailVerified,
  is_service_account: account.isServiceAccount,
  created_at: toIso(account.createdAt),
});

export const userRoutes = [
  route(users_get, async (ctx) => userToWire(getProfile(ctx))),
  route(users_update, async (ctx, { body }) =>
    userToWire(await updateProfile(ctx, { displayName: body.display_name, avatarUrl: body.avatar_url })),
  ),
  route(users_changePassword, (ctx, { body }) =>
    changePassword(ctx, {
      current: body.current_password,
      next: body.new_password,
      revokesTokens: body.revoke_tokens,
    }),
  ),
  route(users_register, async (ctx, { body: { display_name, ...person } }) =>
    userToWire(await registerUser(ctx, { ...person, displayName: display_name })),
  ),
  route(adminUsers_list, async (ctx, { query }) => pageToWire(await listUsers(ctx, query), accountToWire)),
  route(adminUsers_create, async (ctx, { body: { display_name, is_admin, ...person } }) =>
    accountToWire(await createUser(ctx, { ...person, displayName: display_name, isAdmin: is_admin })),
  ),
  route(adminUsers_update, async (ctx, { params, body }) => {
    const { is_admin, is_disabled, is_email_verified, display_name, revoke_tokens, ...rest } = body;
    const rights = { isAdmin: is_admin, isDisabled: is_disabled, isEmailVerified: is_email_verified };
    const change = { ...rest, ...rights, displayName: display_name, revokesTokens: revoke_tokens };
    return accountToWire(await updateAccount(ctx, params.user_id, change));
  }),
  route(adminUsers_delete, (ctx, { params }) => deleteUser(ctx, params.user_id)),
];
