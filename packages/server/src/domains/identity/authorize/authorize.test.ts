import fc from 'fast-check';
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { anySign } from '../../../../../../test-support/hostile-text.ts';
import { testApp } from '../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import {
  AUTHORIZE,
  addClient,
  openBrowser,
  pkce,
  redirectUri,
  signedIn,
  toAuthorizeUrl,
} from '../../../../test/harness/services/oauth.ts';
import { HOUR, MINUTE } from '../../../kernel/clock.ts';

eachDatabase('the authorize endpoint', (dialect) => {
  test('leads through sign-in and consent to a token in the fragment', async () => {
    const app = await testApp(dialect);
    const grace = await app.addUser('grace');
    const client = await addClient(app);
    const browser = openBrowser(app);

    const start = await browser.ask(client);
    expect([start.status, start.to, start.query.again]).toEqual([302, '/sign-in', undefined]);
    await browser.signIn('grace');
    const page = await browser.visit(start.query.next ?? '');
    expect([page.status, page.to]).toEqual([302, '/consent']);
    const request = page.location.slice('/consent?'.length);
    const shown = await app.call('GET', '/v0.1/oauth/request', { headers: browser.headers, query: { request } });
    expect(shown.json()).toMatchObject({ client_name: 'Status board', redirect_uri: redirectUri });

    const sent = await browser.answer(request);
    expect([sent.status, sent.to, sent.query]).toEqual([302, redirectUri, {}]);
    expect(sent.fragment).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: '3600',
      scope: 'user_impersonation',
      state: 'a b',
    });
    expect(sent.location).toContain('state=a%20b');
    const now = Date.parse('2026-11-01T09:00:00Z') / 1000;
    expect(decodeJwt(sent.fragment.access_token ?? '')).toMatchObject({
      aud: 'https://localhost:8443/',
      iss: 'https://localhost:8443/common',
      iat: now,
      nbf: now,
      exp: now + 3600,
      oid: grace.id,
      sub: grace.id,
      tid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      appid: client.id,
      upn: 'grace@example.com',
      unique_name: 'grace@example.com',
      name: 'grace',
      scp: 'user_impersonation',
      ver: '1.0',
    });
  });

  test('remembers the consent of the user to the client until it is revoked', async () => {
    const app = await testApp(dialect);
    const { browser, client } = await signedIn(app);
    expect((await browser.ask(client, { prompt: 'none' })).fragment.access_token).toBeTruthy();
    expect((await browser.ask(await addClient(app))).to).toBe('/consent');
    await app.addUser('ada');
    const other = openBrowser(app);
    await other.signIn('ada');
    expect((await other.ask(client)).to).toBe('/consent');

    const { headers } = browser;
    const listed = (await app.call('GET', '/v0.1/oauth/consents', { headers })).json();
    expect(listed).toMatchObject([{ client_id: client.id, client_name: 'Status board' }]);
    const gone = await app.call('DELETE', `/v0.1/oauth/consents/${client.id}`, { headers });
    expect(gone.statusCode).toBe(204);
    expect((await browser.ask(client)).to).toBe('/consent');
    expect((await app.call('DELETE', `/v0.1/oauth/consents/${client.id}`, { headers })).statusCode).toBe(404);
  });

  test('reports a denied consent to the client and grants nothing', async () => {
    const app = await testApp(dialect);
    await app.addUser('grace');
    const client = await addClient(app);
    const browser = openBrowser(app);
    await browser.signIn('grace');
    const { location } = await browser.ask(client);
    const sent = await browser.answer(location.slice('/consent?'.length), false);
    expect([sent.to, sent.fragment]).toEqual([
      redirectUri,
      { error: 'access_denied', error_description: expect.any(String), state: 'a b' },
    ]);
    expect((await browser.ask(client)).to).toBe('/consent');
  });

  test('prompt=login requires a sign-in newer than the request, and survives a reload', async () => {
    const app = await testApp(dialect);
    const { browser, client } = await signedIn(app);
    app.advance(MINUTE);
    const start = await browser.ask(client, { prompt: 'login', login_hint: 'grace' });
    expect([start.to, start.query.again, start.query.login]).toEqual(['/sign-in', 'true', 'grace']);
    const next = start.query.next ?? '';
    app.advance(MINUTE);
    expect((await browser.visit(next)).to).toBe('/sign-in');
    await browser.signIn('grace');
    for (let reload = 0; reload < 2; reload++) {
      expect((await browser.visit(next)).fragment.access_token).toBeTruthy();
    }
    // A request that is brought back much later needs a new prompt.
    app.advance(HOUR);
    expect((await browser.visit(next)).to).toBe('/sign-in');
  });

  test('ignores a modified or forged prompt time', async () => {
    const app = await testApp(dialect);
    const { browser, client } = await signedIn(app);
    app.advance(MINUTE);
    const { query } = await browser.ask(client, { prompt: 'login' });
    const next = query.next ?? '';
    for (const forged of [
      next.replace(/asked=\d+/, 'asked=1793523600000'),
      next.replace(/\.[\w-]{43}$/, `.${'A'.repeat(43)}`),
      next.replace('state=a', 'state=b'),
    ]) {
      expect(forged).not.toBe(next);
      expect((await browser.visit(forged)).to).toBe('/sign-in');
    }
  });

  test('prompt=consent asks again, but only once', async () => {
    const app = await testApp(dialect);
    const { browser, client } = await signedIn(app);
    app.advance(MINUTE);
    const { to, location } = await browser.ask(client, { prompt: 'consent' });
    expect(to).toBe('/consent');
    const sent = await browser.answer(location.slice('/consent?'.length));
    expect(sent.fragment.access_token).toBeTruthy();
  });

  test('on the loopback every port is allowed, with a prompt for each', async () => {
    const app = await testApp(dialect);
    const { browser } = await signedIn(app);
    const client = await addClient(app, { redirectUris: ['http://localhost/callback'] });
    const at = (port: number) => ({ redirect_uri: `http://localhost:${port}/callback` });
    expect((await browser.obtain(client, at(1234))).to).toBe('http://localhost:1234/callback');
    expect((await browser.ask(client, { ...at(1234), prompt: 'none' })).fragment.access_token).toBeTruthy();
    expect((await browser.ask(client, { ...at(1235), prompt: 'none' })).fragment.error).toBe('consent_required');
  });

  test('shows a page for an invalid client or redirect URL, without a redirect', async () => {
    const app = await testApp(dialect);
    const { browser, client } = await signedIn(app);
    for (const parameters of [
      { client_id: '0198c7b0-0000-7c1e-9a53-2f4be3a0b2d7' },
      { client_id: undefined },
      { redirect_uri: 'https://evil.example/' },
      { redirect_uri: 'javascript:alert(1)' },
      { redirect_uri: undefined },
      { state: 'x'.repeat(4000) },
    ]) {
      const sent = await browser.ask(client, parameters);
      expect([parameters, sent.status, sent.to]).toEqual([parameters, 400, undefined]);
      expect(sent.body).toContain('<h1>Sign-in failed</h1>');
    }
  });

  test('responses cannot be framed, cached or leaked by a referrer', async () => {
    const app = await testApp(dialect);
    const { browser, client } = await signedIn(app);
    const granted = await app.call('GET', `${AUTHORIZE}?${toAuthorizeUrl(client)}`, { headers: browser.headers });
    expect(granted.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    const refused = await app.call('GET', AUTHORIZE);
    expect(refused.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  test('an API token does not count as a signed-in browser', async () => {
    const app = await testApp(dialect);
    const { user, client } = await signedIn(app);
    const token = await app.userToken(user);
    const response = await app.call('GET', `${AUTHORIZE}?${toAuthorizeUrl(client, { prompt: 'none' })}`, { token });
    expect(response.headers.location).toContain('#error=login_required');
  });

  test('a page of another site cannot consent for the user', async () => {
    const app = await testApp(dialect);
    const { browser, client } = await signedIn(app);
    const headers = { ...browser.headers, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    const body = { request: toAuthorizeUrl(client), is_allowed: true };
    expect((await app.call('POST', '/v0.1/oauth/consents', { headers, body })).statusCode).toBe(403);
  });

  test('refuses a consent to an invalid request', async () => {
    const app = await testApp(dialect);
    const { browser, client } = await signedIn(app);
    for (const request of [
      toAuthorizeUrl(client, { redirect_uri: 'https://evil.example/' }),
      toAuthorizeUrl(client, { response_type: 'id_token' }),
      `${toAuthorizeUrl(client)}#x`,
      'client_id=%00',
      toAuthorizeUrl(client, { redirect_uri: '\0' }),
      'x'.repeat(5000),
    ]) {
      const response = await app.call('POST', '/v0.1/oauth/consents', {
        headers: browser.headers,
        body: { request, is_allowed: true },
      });
      expect([response.statusCode, response.json().error.code]).toEqual([400, 'BadRequest']);
    }
  });

  test('applies the rate limit, and shows a page', async () => {
    const app = await testApp(dialect, { rateLimit: 1 });
    await app.call('GET', AUTHORIZE);
    const response = await app.call('GET', AUTHORIZE);
    expect([response.statusCode, response.headers['content-type']]).toEqual([429, 'text/html; charset=utf-8']);
  });
});

describe('any parameters', () => {
  const text = fc.oneof(
    fc.string({ unit: anySign, maxLength: 40 }),
    fc.constantFrom('token', 'code', 'none', 'login', redirectUri, 'https://evil.example', '//evil.example', 'S256'),
  );
  const names = ['client_id', 'redirect_uri', 'response_type', 'response_mode', 'state', 'scope', 'resource', 'prompt'];
  const more = ['login_hint', 'code_challenge', 'code_challenge_method', 'asked'];

  test('cause a response, and only to a registered URL or a page of this server', async () => {
    const app = await testApp('sqlite');
    const { browser, client } = await signedIn(app);
    const parameters = fc.array(fc.tuple(fc.constantFrom(...names, ...more), text), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(parameters, fc.boolean(), async (pairs, isSound) => {
        const start = isSound ? `${toAuthorizeUrl(client, isSound ? pkce : {})}&` : '';
        const sent = await browser.visit(`${AUTHORIZE}?${start}${new URLSearchParams(pairs)}`);
        expect([302, 400]).toContain(sent.status);
        if (sent.status === 302) expect(['/sign-in', '/consent', redirectUri]).toContain(sent.to);
      }),
      { numRuns: 300 },
    );
  });

  test('bytes that are not a query cause no harm', async () => {
    const app = await testApp('sqlite');
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((c) => String.fromCharCode(c)) }),
        async (bytes) => {
          const { statusCode } = await app.call('GET', `${AUTHORIZE}?${bytes.replaceAll('#', '')}`);
          expect(statusCode).toBe(400);
        },
      ),
      { numRuns: 200 },
    );
  });
});
