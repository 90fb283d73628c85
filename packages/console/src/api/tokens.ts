import {
  type InputOf,
  type OutputOf,
  userApiTokens_create,
  userApiTokens_delete,
  userApiTokens_list,
} from '@mooring/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call, queries } from './client.ts';

export type ApiToken = OutputOf<typeof userApiTokens_list>[number];
export type NewToken = InputOf<typeof userApiTokens_create>['body'];

const TOKENS = ['tokens'];
const refresh = () => queries.invalidateQueries({ queryKey: TOKENS });

export const useTokens = () => useQuery({ queryKey: TOKENS, queryFn: () => call(userApiTokens_list) });

/** The answer holds the token's value: take it in `mutate`'s own onSuccess and call reset() there, so nothing keeps it. */
export const useCreateToken = () =>
  useMutation({
    mutationFn: (body: NewToken) => call(userApiTokens_create, { body }),
    gcTime: 0,
    onSettled: () => {
      void refresh();
    },
  });

export interface Undeleted {
  token: ApiToken;
  error: unknown;
}

/** Deletes one after the other, and tells which could not be. */
export const useDeleteTokens = () =>
  useMutation({
    mutationFn: async (tokens: ApiToken[]): Promise<Undeleted[]> => {
      const undeleted: Undeleted[] = [];
      for (const token of tokens) {
        try {
          await call(userApiTokens_delete, { params: { api_token_id: token.id } });
        } catch (error) {
          undeleted.push({ token, error });
        }
      }
      return undeleted;
    },
    onSuccess: refresh,
  });
