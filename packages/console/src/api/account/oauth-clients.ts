import {
  adminOauthClients_create,
  adminOauthClients_delete,
  adminOauthClients_list,
  adminOauthClients_update,
  adminOauthKeys_rotate,
  type EndpointInput,
  type EndpointOutput,
} from '@mooring/contract';
import { call, useChange, useRead } from '../client.ts';

export type OauthClient = EndpointOutput<typeof adminOauthClients_list>[number];
export type NewClient = EndpointInput<typeof adminOauthClients_create>['body'];

const CLIENTS = ['admin', 'oauth clients'];

export const useClients = () => useRead(CLIENTS, () => call(adminOauthClients_list));

/** Without a client, registers a new one. */
export const useSaveClient = (client: OauthClient | undefined) =>
  useChange(
    (body: NewClient) =>
      client
        ? call(adminOauthClients_update, { params: { client_id: client.client_id }, body })
        : call(adminOauthClients_create, { body }),
    CLIENTS,
  );

export const useDeleteClient = () =>
  useChange(({ client_id }: OauthClient) => call(adminOauthClients_delete, { params: { client_id } }), CLIENTS);

export const useRotateKeys = () => useChange((revoke: boolean) => call(adminOauthKeys_rotate, { body: { revoke } }));
