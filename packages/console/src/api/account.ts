import {
  type InputOf,
  type OutputOf,
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
import { call, isSignedOut, ME, queries, useChange, useRead } from './client.ts';

export type User = OutputOf<typeof users_get>;
export type NewPerson = InputOf<typeof users_register>['body'];

async function whoIsSignedIn(): Promise<User | null> {
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

/** Asked while the code of the page is still on its way: nothing is shown before it is known. */
export const askWhoIsSignedIn = (): Promise<void> => queries.prefetchQuery({ queryKey: ME, queryFn: whoIsSignedIn });

/** Who is signed in; null when nobody is. While the server is silent, it is asked again and again. */
export const useSignedInUser = (isOffline = false) =>
  useQuery({
    queryKey: ME,
    queryFn: whoIsSignedIn,
    refetchInterval: isOffline ? 5000 : false,
    // As long as a page takes to begin.
    staleTime: isOffline ? 0 : 5000,
  });

export const useServerInfo = () => useRead(['server'], () => call(server_get));

/** Loads the page again, if the server answers. */
export const useReload = () =>
  useMutation({ mutationFn: () => call(server_get), onSuccess: () => window.location.reload() });

export const useSignIn = () =>
  useMutation({
    mutationFn: (body: InputOf<typeof sessions_create>['body']) => call(sessions_create, { body }),
    gcTime: 0,
    onSuccess: remember,
  });

/** Creates an account and signs in with it. */
export const useSignUp = () =>
  useMutation({
    mutationFn: async (body: NewPerson) => {
      await call(users_register, { body });
      return call(sessions_create, { body: { login: body.email, password: body.password } });
    },
    gcTime: 0,
    onSuccess: remember,
  });

export const useSetUp = () =>
  useMutation({
    mutationFn: (body: InputOf<typeof server_setUp>['body']) => call(server_setUp, { body }),
    gcTime: 0,
    onSuccess: (user) => {
      remember(user);
      return queries.invalidateQueries({ queryKey: ['server'] });
    },
  });

export const useUpdateProfile = () =>
  useMutation({
    mutationFn: (body: InputOf<typeof users_update>['body']) => call(users_update, { body }),
    onSuccess: remember,
  });

export const useChangePassword = () =>
  useChange((body: InputOf<typeof users_changePassword>['body']) => call(users_changePassword, { body }), ['sessions']);

export const useAskForPassword = () => useChange((email: string) => call(passwordResets_create, { body: { email } }));

export const useSetForgottenPassword = () =>
  useChange(({ token, body }: { token: string; body: InputOf<typeof passwordResets_use>['body'] }) =>
    call(passwordResets_use, { params: { reset_token: token }, body }),
  );
