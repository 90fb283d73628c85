import {
  adminUserTokens_delete,
  adminUserTokens_list,
  appApiTokens_create,
  appApiTokens_delete,
  appApiTokens_list,
  type EndpointInput,
  type EndpointOutput,
  serviceAccountTokens_create,
  serviceAccountTokens_delete,
  serviceAccountTokens_list,
  userApiTokens_create,
  userApiTokens_delete,
  userApiTokens_list,
} from '@mooring/contract';
import { useMutation } from '@tanstack/react-query';
import { type AppRef, appKey } from '../apps.ts';
import { call, queries, useArranged, useRead } from '../client.ts';

export type ApiToken = EndpointOutput<typeof adminUserTokens_list>[number];
type TokensQuery = EndpointInput<typeof userApiTokens_list>['query'];
export type NewToken = EndpointInput<typeof userApiTokens_create>['body'];
type CreatedToken = EndpointOutput<typeof userApiTokens_create>;

/** Operations for the tokens of a user, an app or a service account. */
export interface TokenOperations {
  key: string[];
  list: (query: TokensQuery) => Promise<ApiToken[]>;
  /** Undefined where tokens can't be created. */
  create?: (body: NewToken) => Promise<CreatedToken>;
  remove: (id: string) => Promise<unknown>;
}

export const myTokens: Required<TokenOperations> = {
  key: ['tokens'],
  list: (query) => call(userApiTokens_list, { query }),
  create: (body) => call(userApiTokens_create, { body }),
  remove: (api_token_id) => call(userApiTokens_delete, { params: { api_token_id } }),
};

export const appTokens = (params: AppRef): TokenOperations => ({
  key: [...appKey(params), 'tokens'],
  list: (query) => call(appApiTokens_list, { params, query }),
  create: (body) => call(appApiTokens_create, { params, body }),
  remove: (api_token_id) => call(appApiTokens_delete, { params: { ...params, api_token_id } }),
});

export const serviceAccountTokens = (org_name: string, account_name: string): TokenOperations => {
  const params = { org_name, account_name };
  return {
    key: ['org', org_name, 'service accounts', account_name, 'tokens'],
    list: (query) => call(serviceAccountTokens_list, { params, query }),
    create: (body) => call(serviceAccountTokens_create, { params, body }),
    remove: (api_token_id) => call(serviceAccountTokens_delete, { params: { ...params, api_token_id } }),
  };
};

/** User and app tokens that a user created; administrators can only revoke them. */
export const userTokens = (user_id: string): TokenOperations => ({
  key: ['admin', 'users', user_id, 'tokens'],
  list: (query) => call(adminUserTokens_list, { params: { user_id }, query }),
  remove: (api_token_id) => call(adminUserTokens_delete, { params: { user_id, api_token_id } }),
});

export const useTokens = ({ key, list }: TokenOperations, enabled = true) => useRead(key, () => list({}), enabled);

/** Searched and sorted page by page. */
export const useArrangedTokens = ({ key, list }: TokenOperations, query: TokensQuery) => useArranged(key, query, list);

/**
 * The response contains the token's value: take it in `mutate`'s own onSuccess and call reset() there, so that nothing
 * keeps it.
 */
export const useCreateToken = ({ key, create }: Required<TokenOperations>) =>
  useMutation({
    mutationFn: create,
    gcTime: 0,
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: key });
    },
  });

export interface Undeleted {
  token: ApiToken;
  error: unknown;
}

/** Deletes tokens one by one, and reports failures. */
export const useDeleteTokens = ({ key, remove }: TokenOperations) =>
  useMutation({
    mutationFn: async (tokens: ApiToken[]): Promise<Undeleted[]> => {
      const undeleted: Undeleted[] = [];
      for (const token of tokens) {
        try {
          await remove(token.id);
        } catch (error) {
          undeleted.push({ token, error });
        }
      }
      return undeleted;
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: key }),
  });
