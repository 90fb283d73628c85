import { sessions_create } from '../accounts/sessions.contract.ts';
import { createClient } from '../client.ts';
import { type Fixtures, password, putId, withHeader } from '../fixtures/fixtures.ts';
import {
  adminOauthClients_create,
  adminOauthClients_list,
  adminOauthClients_update,
  oauthConsents_answer,
} from './oauth.contract.ts';
import { oauth_authorize, oauth_token } from './oauth-protocol.contract.ts';
import { oauthProtocolExamples } from './oauth-protocol.examples.ts';

const redirectUri = 'https://board.example.com/signed-in';

/** A client, and Ada's consent to it. */
export async function addOauthClient(fixtures: Fixtures): Promise<void> {
  const { ada } = fixtures;
  const body = { name: 'Status board', redirect_uris: [redirectUri], allows_implicit: true };
  const existing = (await ada.call(adminOauthClients_list)).find(({ name }) => name === body.name);
  const { client_id } = existing ?? (await ada.call(adminOauthClients_create, { body }));
  // In fixtures that are restored, a test may have changed its redirect URLs.
  if (existing) await ada.call(adminOauthClients_update, { params: { client_id }, body });
  putId(fixtures, adminOauthClients_update, 'client_id', client_id);
  const request = new URLSearchParams({ client_id, response_type: 'token', redirect_uri: redirectUri }).toString();
  await ada.call(oauthConsents_answer, { body: { request, is_allowed: true } });
  const code = await codeFor(fixtures, client_id);
  if (code) putId(fixtures, oauth_token, 'code', code);
}

/** Requests a code for the client with Ada's browser session. */
async function codeFor({ server, ada }: Fixtures, client_id: string): Promise<string | undefined> {
  let cookie = '';
  await createClient(server)(sessions_create, {
    body: { login: ada.name, password },
    onHeaders: (headers) => {
      [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
    },
  });
  const browser = createClient({ ...server, fetch: withHeader(server.fetch, 'cookie', cookie) });
  const query = { ...oauthProtocolExamples.oauth_authorize.query, client_id };
  return /[?&]code=(\w+)/.exec(await browser(oauth_authorize, { query }))?.[1];
}
