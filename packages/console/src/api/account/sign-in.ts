import {
  adminIdentityProviders_create,
  adminIdentityProviders_delete,
  adminIdentityProviders_list,
  adminIdentityProviders_update,
  type EndpointInput,
  type EndpointOutput,
  signInLinks_create,
  signInLinks_get,
  signInProviders_list,
} from '@mooring/contract';
import { useMutation } from '@tanstack/react-query';
import { call, ME, queries, useChange, useRead } from '../client.ts';

export type SignInProvider = EndpointOutput<typeof signInProviders_list>[number];
export type IdentityProvider = EndpointOutput<typeof adminIdentityProviders_list>[number];
export type NewProvider = EndpointInput<typeof adminIdentityProviders_create>['body'];

const PROVIDERS = ['admin', 'identity providers'];

/** Providers for the sign-in page. */
export const useSignInProviders = () => useRead(['sign-in providers'], () => call(signInProviders_list));

/** The sign-in of this browser that waits for the password of an account, or null. */
export const usePendingLink = () => useRead(['sign-in link'], async () => (await call(signInLinks_get)) ?? null);

export const useLinkAccount = () =>
  useMutation({
    mutationFn: (body: EndpointInput<typeof signInLinks_create>['body']) => call(signInLinks_create, { body }),
    gcTime: 0,
    onSuccess: ({ user }) => {
      queries.setQueryData(ME, user);
    },
  });

export const useIdentityProviders = () => useRead(PROVIDERS, () => call(adminIdentityProviders_list));

/** Without a provider, adds a new one. */
export const useSaveProvider = (provider: IdentityProvider | undefined) =>
  useChange(
    ({ name, ...body }: NewProvider) =>
      provider
        ? call(adminIdentityProviders_update, { params: { provider_name: provider.name }, body })
        : call(adminIdentityProviders_create, { body: { name, ...body } }),
    PROVIDERS,
  );

export const useDeleteProvider = () =>
  useChange(
    ({ name }: IdentityProvider) => call(adminIdentityProviders_delete, { params: { provider_name: name } }),
    PROVIDERS,
  );
