import {
  adminAudit_list,
  adminUsers_create,
  adminUsers_list,
  adminUsers_update,
  type InputOf,
  type OutputOf,
} from '@mooring/contract';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { call, ME, queries } from './client.ts';

export type AdminUser = OutputOf<typeof adminUsers_list>['values'][number];
export type AuditEvent = OutputOf<typeof adminAudit_list>['values'][number];
export type UserChange = InputOf<typeof adminUsers_update>['body'];

const USERS = ['admin', 'users'];

interface Page<T> {
  values: T[];
  next_cursor?: string;
}

/** A list that is read page by page, as far as the reader asks for more. */
const usePages = <T>(queryKey: string[], read: (cursor: string | undefined) => Promise<Page<T>>) =>
  useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor,
    select: ({ pages }) => pages.flatMap((page) => page.values),
  });

export const useUsers = () => usePages<AdminUser>(USERS, (cursor) => call(adminUsers_list, { query: { cursor } }));

export const useAuditEvents = () =>
  usePages<AuditEvent>(['admin', 'audit'], (cursor) => call(adminAudit_list, { query: { cursor } }));

const refresh = () => queries.invalidateQueries({ queryKey: USERS });

export const useCreateUser = () =>
  useMutation({
    mutationFn: (body: InputOf<typeof adminUsers_create>['body']) => call(adminUsers_create, { body }),
    gcTime: 0,
    onSuccess: refresh,
  });

export const useUpdateUser = () =>
  useMutation({
    mutationFn: ({ user, change }: { user: AdminUser; change: UserChange }) =>
      call(adminUsers_update, { params: { user_id: user.id }, body: change }),
    gcTime: 0,
    // An administrator may have changed themselves.
    onSuccess: () => Promise.all([refresh(), queries.invalidateQueries({ queryKey: ME })]),
  });
