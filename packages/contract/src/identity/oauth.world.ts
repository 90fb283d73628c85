import { putId, type World } from '../world/world.ts';
import {
  adminOauthClients_create,
  adminOauthClients_list,
  adminOauthClients_update,
  oauthConsents_answer,
} from './oauth.contract.ts';

const redirectUri = 'https://board.example.com/signed-in';

/** A client, and ada's consent to it. */
export async function addOauthClient(world: World): Promise<void> {
  const { ada } = world;
  const body = { name: 'Status board', redirect_uris: [redirectUri], allows_implicit: true };
  const known = (await ada.call(adminOauthClients_list)).find(({ name }) => name === body.name);
  const { client_id } = known ?? (await ada.call(adminOauthClients_create, { body }));
  putId(world, adminOauthClients_update, 'client_id', client_id);
  const request = new URLSearchParams({ client_id, response_type: 'token', redirect_uri: redirectUri }).toString();
  await ada.call(oauthConsents_answer, { body: { request, is_allowed: true } });
}
