import {
  adminUsers_create,
  adminUsers_delete,
  adminUsers_list,
  adminUsers_resetPassword,
  adminUsers_update,
  type EndpointInput,
  type EndpointOutput,
} from '@mooring/contract';
import { call, ME, useChange, usePages, useRead } from '../client.ts';

export type AdminUser = EndpointOutput<typeof adminUsers_list>['values'][number];
export type UserChange = EndpointInput<typeof adminUsers_update>['body'];

export type UsersQuery = Pick<EndpointInput<typeof adminUsers_list>['query'], 'search' | 'sort' | 'order'>;

const USERS = ['admin', 'users'];

export const useUsers = (query: UsersQuery) =>
  usePages<AdminUser>([...USERS, query], (cursor) => call(adminUsers_list, { query: { ...query, cursor } }));

/** The API counts only up to a limit. */
export const useUserCount = () =>
  useRead([...USERS, 'count'], async () => (await call(adminUsers_list, { query: { limit: 1 } })).total ?? 'Many');

export const useCreateUser = () =>
  useChange((body: EndpointInput<typeof adminUsers_create>['body']) => call(adminUsers_create, { body }), USERS);

/** Administrators can change themselves. */
export const useUpdateUser = () =>
  useChange(
    ({ user, change }: { user: AdminUser; change: UserChange }) =>
      call(adminUsers_update, { params: { user_id: user.id }, body: change }),
    USERS,
    ME,
  );

/** Anyone with the returned link can use it: take it and call reset(), so that nothing keeps it. */
export const useResetPassword = () =>
  useChange((user: AdminUser) => call(adminUsers_resetPassword, { params: { user_id: user.id } }));

export const useDeleteUser = () =>
  useChange((user: AdminUser) => call(adminUsers_delete, { params: { user_id: user.id } }), USERS);
