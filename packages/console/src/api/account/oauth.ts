import {
  type EndpointOutput,
  oauthConsents_answer,
  oauthConsents_delete,
  oauthConsents_list,
  oauthRequests_get,
} from '@mooring/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { call, queries } from '../client.ts';

export type Consent = EndpointOutput<typeof oauthConsents_list>[number];

const CONSENTS = ['consents'];

/** The access that a client requests, from its query. */
export const useOauthRequest = (request: string) =>
  useQuery({
    queryKey: ['oauth-request', request],
    queryFn: () => call(oauthRequests_get, { query: { request } }),
  });

/** Sends the decision and follows the server's redirect to the client. */
export const useDecideConsent = (request: string) =>
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
