import {
  adminOauthClients_create,
  adminOauthClients_delete,
  adminOauthClients_list,
  adminOauthClients_update,
  adminOauthKeys_rotate,
  adminOidcSubjects_delete,
  oauthConsents_answer,
  oauthConsents_delete,
  oauthConsents_list,
  oauthRequests_get,
} from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';
import { rotateKeys } from '../tokens/keys.ts';
import { unlinkSubject } from '../tokens/subjects.ts';
import { type Client, createClient, deleteClient, listClients, updateClient } from './clients.ts';
import { completeConsent, describeRequest, listConsents, revokeConsent } from './consents.ts';

const toWire = (client: Client) => ({
  client_id: client.id,
  name: client.name,
  redirect_uris: client.redirectUris,
  allows_implicit: client.allowsImplicit,
  is_built_in: client.isBuiltIn,
  created_at: client.createdAt === undefined ? undefined : toIso(client.createdAt),
});

/** Description of the only scope. */
const permissions = ['Act as you, with your permissions'];

export const identityRoutes = [
  route(oauthRequests_get, async (ctx, { query }) => {
    const { client, redirectUri } = await describeRequest(ctx, query.request);
    return { client_id: client.id, client_name: client.name, redirect_uri: redirectUri, permissions };
  }),
  route(oauthConsents_list, async (ctx) =>
    (await listConsents(ctx)).map(({ clientId, clientName, grantedAt }) => ({
      client_id: clientId,
      client_name: clientName,
      granted_at: toIso(grantedAt),
    })),
  ),
  route(oauthConsents_answer, async (ctx, { body }) => ({
    location: await completeConsent(ctx, body.request, body.is_allowed),
  })),
  route(oauthConsents_delete, (ctx, { params }) => revokeConsent(ctx, params.client_id)),
  route(adminOauthClients_list, async (ctx) => (await listClients(ctx)).map(toWire)),
  route(adminOauthClients_create, async (ctx, { body }) =>
    toWire(
      await createClient(ctx, {
        name: body.name,
        redirectUris: body.redirect_uris,
        allowsImplicit: body.allows_implicit,
      }),
    ),
  ),
  route(adminOauthClients_update, async (ctx, { params, body }) =>
    toWire(
      await updateClient(ctx, params.client_id, {
        name: body.name,
        redirectUris: body.redirect_uris,
        allowsImplicit: body.allows_implicit,
      }),
    ),
  ),
  route(adminOauthClients_delete, (ctx, { params }) => deleteClient(ctx, params.client_id)),
  route(adminOauthKeys_rotate, async (ctx, { body }) => {
    const { kid, createdAt } = await rotateKeys(ctx, body);
    return { kid, created_at: toIso(createdAt) };
  }),
  route(adminOidcSubjects_delete, (ctx, { params }) => unlinkSubject(ctx, params.user_id)),
];
