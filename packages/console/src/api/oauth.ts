import {
  type OutputOf,
  oauthConsents_answer,
  oauthConsents_delete,
  oauthConsents_list,
  oauthRequests_get,
} from '@mooring/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call, queries } from './client.ts';

export type Consent = OutputOf<typeof oauthConsents_list>[number];

const CONSENTS = ['consents'];

/** What a client asks for, by the query that it came with. */
export const useOauthRequest = (request: string) =>
  useQuery({
    queryKey: ['oauth-request', request],
    queryFn: () => call(oauthRequests_get, { query: { request } }),
  });

/** Answers a client and goes where the server says; on to the client, in the end. */
export const useAnswerClient = (request: string) =>
  useMutation({
    mutationFn: (isAllowed: boolean) => call(oauthConsents_answer, { body: { request, is_allowed: isAllowed } }),
    onSuccess: ({ location }) => window.location.replace(location),
    gcTime: 0,
  });

export const useConsents = () => useQuery({ queryKey: CONSENTS, queryFn: () => call(oauthConsents_list) });

export const useRevokeConsent = () =>
  useMutation({
    mutationFn: (id: string) => call(oauthConsents_delete, { params: { client_id: id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: CONSENTS }),
  });
