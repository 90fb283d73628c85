import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testConsole } from '../harness/console.ts';
import { createToken, createUser, password, send } from '../harness/http.ts';
import { admin } from '../harness/server.ts';

const AUTHORIZE = '/common/oauth2/authorize';

/** A typical client: one page that redirects and reads the response. */
const clientPage = `<!doctype html><title>Status board</title><h1>Status board</h1><pre id="answer"></pre><script>
  const text = new URLSearchParams(location.hash.slice(1) || location.search.slice(1));
  document.querySelector('#answer').textContent = JSON.stringify(Object.fromEntries(text));
</script>`;

const { running, url, open } = testConsole();
let client: Server;
let clientUrl: string;
let clientId: string;
let adminToken: string;

beforeAll(async () => {
  client = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(clientPage));
  await new Promise<void>((done) => client.listen(0, '127.0.0.1', done));
  clientUrl = `http://127.0.0.1:${(client.address() as AddressInfo).port}/`;
  adminToken = (await createToken(running())).api_token;
  await createUser(running(), adminToken, 'grace');
  const body = { name: 'Status board', redirect_uris: ['http://127.0.0.1/'], allows_implicit: true };
  const made = await send('POST', url('/v0.1/admin/oauth_clients'), { token: adminToken, body });
  clientId = made.json<{ client_id: string }>().client_id;
});

afterAll(async () => {
  client?.close();
});

const openPage = async (): Promise<Page> => (await open()).page;

const toAuthorizeUrl = (more: Record<string, string>): string => {
  const request = { client_id: clientId, redirect_uri: clientUrl, state: 'where we were', ...more };
  return url(`${AUTHORIZE}?${new URLSearchParams(request)}`);
};

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Name or email').fill('grace');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function readRedirect(page: Page): Promise<Record<string, string>> {
  await page.getByRole('heading', { name: 'Status board' }).waitFor();
  await expect.poll(() => page.url().startsWith(clientUrl)).toBe(true);
  const answer = page.locator('#answer').filter({ hasText: '{' });
  return JSON.parse((await answer.textContent()) ?? '');
}

const parseClaims = (token = '') => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

test('returns a token in the fragment after sign-in and consent, which survive a reload', async () => {
  const page = await openPage();
  await page.goto(toAuthorizeUrl({ response_type: 'token', login_hint: 'grace@example.com' }));
  await expect.poll(() => page.getByLabel('Name or email').inputValue()).toBe('grace@example.com');
  await page.reload();
  await signIn(page);
  await page.getByRole('heading', { name: 'Allow access?' }).waitFor();
  await page.reload();
  await page.getByText(new URL(clientUrl).origin, { exact: true }).waitFor();
  await page.getByText('Act as you').waitFor();
  await page.getByRole('button', { name: 'Allow' }).click();

  const answer = await readRedirect(page);
  expect(answer).toMatchObject({ token_type: 'Bearer', scope: 'user_impersonation', state: 'where we were' });
  await expect.poll(() => new URL(page.url()).search).toBe('');
  expect(parseClaims(answer.access_token)).toMatchObject({ upn: 'grace@example.com', appid: clientId });

  await page.goto(toAuthorizeUrl({ response_type: 'token', prompt: 'none' }));
  expect((await readRedirect(page)).access_token).toBeTruthy();

  await page.goto(url('/settings/connections'));
  await page.getByRole('button', { name: 'Revoke access of Status board' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke access' }).click();
  await page.getByText('No connected programs').waitFor();
  await page.goto(toAuthorizeUrl({ response_type: 'token', prompt: 'none' }));
  expect((await readRedirect(page)).error).toBe('consent_required');
});

test('returns an error after a denial, and asks for the password again with prompt=login', async () => {
  const page = await openPage();
  await page.goto(toAuthorizeUrl({ response_type: 'token', prompt: 'none' }));
  expect(await readRedirect(page)).toMatchObject({ error: 'login_required', state: 'where we were' });
  await page.goto(toAuthorizeUrl({ response_type: 'token' }));
  await signIn(page);
  await page.getByRole('button', { name: 'Deny' }).click();
  expect(await readRedirect(page)).toMatchObject({ error: 'access_denied', state: 'where we were' });
  await page.goto(toAuthorizeUrl({ response_type: 'token', prompt: 'login' }));
  await signIn(page);
  await page.getByRole('heading', { name: 'Allow access?' }).waitFor();
});

test('lets a client page exchange a code with PKCE', async () => {
  const page = await openPage();
  const verifier = 'a-verifier-that-is-long-enough-for-the-standard-1234';
  const digest = await crypto.subtle.digest('SHA-256', Buffer.from(verifier));
  const challenge = Buffer.from(digest).toString('base64url');
  await page.goto(toAuthorizeUrl({ response_type: 'code', code_challenge: challenge, code_challenge_method: 'S256' }));
  await signIn(page);
  await page.getByRole('button', { name: 'Allow' }).click();
  const { code = '' } = await readRedirect(page);
  const fields = { grant_type: 'authorization_code', code, client_id: clientId, redirect_uri: clientUrl };
  const form = new URLSearchParams({ ...fields, code_verifier: verifier }).toString();
  const answer = await page.evaluate(
    async ([url, body]) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      return (await fetch(url ?? '', { method: 'POST', headers, body })).json();
    },
    [url('/common/oauth2/token'), form],
  );
  expect(parseClaims(answer.access_token)).toMatchObject({ unique_name: 'grace@example.com' });
});

test('signs in to the API reference with the implicit flow', async () => {
  const page = await openPage();
  const signedIn = await send('POST', url('/v0.1/sessions'), {
    body: { login: admin.name, password: admin.password },
  });
  const [, value = ''] = /mooring_session=(\w+)/.exec(String(signedIn.headers['set-cookie'])) ?? [];
  await page.context().addCookies([{ name: 'mooring_session', value, url: url() }]);
  await page.goto(url('/docs'));
  await page.getByRole('button', { name: 'Authorize', exact: true }).click();
  const section = page.locator('.auth-container').filter({ hasText: /OAuth2\s+\(OAuth2, implicit\)/ });
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    section.locator('button.authorize', { hasText: 'Authorize' }).click(),
  ]);
  await popup.getByRole('button', { name: 'Allow' }).click();
  await section.locator('button', { hasText: 'Logout' }).waitFor();
});
