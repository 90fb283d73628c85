import {
  type EndpointInput,
  type EndpointOutput,
  passwordResets_create,
  passwordResets_use,
  server_get,
  server_setUp,
  sessions_create,
  users_changePassword,
  users_get,
  users_register,
  users_update,
} from '@mooring/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call, isSignedOut, ME, queries, useChange, useRead } from '../client.ts';

export type User = EndpointOutput<typeof users_get>;
export type NewAccount = EndpointInput<typeof users_register>['body'];

async function fetchSignedInUser(): Promise<User | null> {
  try {
    return await call(users_get);
  } catch (error) {
    if (isSignedOut(error)) return null;
    throw error;
  }
}

const remember = (user: User): void => {
  queries.setQueryData(ME, user);
};

/** Fetched while the page's code still loads: nothing is shown before the user is known. */
export const prefetchSignedInUser = (): Promise<void> =>
  queries.prefetchQuery({ queryKey: ME, queryFn: fetchSignedInUser });

/** The signed-in user, or null. Retries for as long as the server is unreachable. */
export const useSignedInUser = (isOffline = false) =>
  useQuery({
    queryKey: ME,
    queryFn: fetchSignedInUser,
    refetchInterval: isOffline ? 5000 : false,
    // The usual load time of a page.
    staleTime: isOffline ? 0 : 5000,
  });

export type ServerInfo = EndpointOutput<typeof server_get>;
export const useServerInfo = () => useRead(['server'], () => call(server_get));

/** Reloads the page if the server has another version of the console, whose files replaced those of this one. */
export async function reloadIfUpdated(): Promise<void> {
  const html = await fetch('/', { headers: { accept: 'text/html' } })
    .then((response) => response.text())
    .catch(() => '');
  const own = document.querySelector<HTMLScriptElement>('script[type=module]');
  if (own && html.includes('<script') && !html.includes(new URL(own.src).pathname)) window.location.reload();
}

/** Reloads the page if the server responds. */
export const useReload = () =>
  useMutation({ mutationFn: () => call(server_get), onSuccess: () => window.location.reload() });

export const useSignIn = () =>
  useMutation({
    mutationFn: (body: EndpointInput<typeof sessions_create>['body']) => call(sessions_create, { body }),
    gcTime: 0,
    onSuccess: remember,
  });

/** Creates an account and signs in with it. */
export const useSignUp = () =>
  useMutation({
    mutationFn: async (body: NewAccount) => {
      await call(users_register, { body });
      return call(sessions_create, { body: { login: body.email, password: body.password } });
    },
    gcTime: 0,
    onSuccess: remember,
  });

export const useSetUp = () =>
  useMutation({
    mutationFn: (body: EndpointInput<typeof server_setUp>['body']) => call(server_setUp, { body }),
    gcTime: 0,
    onSuccess: (user) => {
      remember(user);
      return queries.invalidateQueries({ queryKey: ['server'] });
    },
  });

export const useUpdateProfile = () =>
  useMutation({
    mutationFn: (body: EndpointInput<typeof users_update>['body']) => call(users_update, { body }),
    onSuccess: remember,
  });

export const useChangePassword = () =>
  useChange(
    (body: EndpointInput<typeof users_changePassword>['body']) => call(users_changePassword, { body }),
    ['sessions'],
  );

export const useRequestPasswordReset = () =>
  useChange((email: string) => call(passwordResets_create, { body: { email } }));

export const useResetPassword = () =>
  useChange(({ token, body }: { token: string; body: EndpointInput<typeof passwordResets_use>['body'] }) =>
    call(passwordResets_use, { params: { reset_token: token }, body }),
  );
