import { expect } from 'vitest';
import { password, send } from '../../harness/http.ts';
import type { RunningServer } from '../../harness/server.ts';

const redirectUri = 'https://board.example.com/signed-in';

/** Registers a client, and acts as a browser whose user signs in and consents; returns the access token. */
export async function obtainAccessToken({ httpUrl }: RunningServer, admin: string, login: string): Promise<string> {
  const registered = await send('POST', `${httpUrl}/v0.1/admin/oauth_clients`, {
    token: admin,
    body: { name: 'Status board', redirect_uris: [redirectUri], allows_implicit: true },
  });
  expect(registered.status, registered.text).toBe(201);
  const headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' };
  const session = await send('POST', `${httpUrl}/v0.1/sessions`, { headers, body: { login, password } });
  headers.cookie = String(session.headers['set-cookie']).split(';')[0] ?? '';
  const query = new URLSearchParams({
    client_id: registered.json<{ client_id: string }>().client_id,
    redirect_uri: redirectUri,
    response_type: 'token',
    state: 'a b',
  });
  const response = await send('GET', `${httpUrl}/common/oauth2/authorize?${query}`, { headers });
  const { location = '' } = response.headers;
  expect(location, response.text).toMatch(/^\/consent\?/);
  const request = location.slice('/consent?'.length);
  const allowed = await send('POST', `${httpUrl}/v0.1/oauth/consents`, {
    headers,
    body: { request, is_allowed: true },
  });
  const back = await send('GET', `${httpUrl}${allowed.json<{ location: string }>().location}`, { headers });
  const answer = new URL(back.headers.location ?? '');
  expect(`${answer.origin}${answer.pathname}`).toBe(redirectUri);
  const fragment = Object.fromEntries(new URLSearchParams(answer.hash.slice(1)));
  expect(fragment).toMatchObject({ token_type: 'Bearer', scope: 'user_impersonation', state: 'a b' });
  return fragment.access_token ?? '';
}
