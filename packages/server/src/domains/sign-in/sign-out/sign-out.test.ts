import { expect, test } from 'vitest';
import { password, testApp } from '../../../../test/harness/app.ts';
import { changes } from '../../../../test/harness/audit.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import {
  addProvider,
  allowsLoopback,
  openCookieBrowser,
  signInProvider,
} from '../../../../test/harness/sign-in-provider.ts';
import { MINUTE, SECOND } from '../../../kernel/clock.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

async function signedIn(dialect: 'sqlite' | 'postgres', { signsOut = true, endsSessions = true } = {}) {
  const app = await testApp(dialect, allowsLoopback);
  const provider = await signInProvider(app);
  if (endsSessions) provider.metadata = { end_session_endpoint: `${provider.issuer}/end?tenant=1` };
  await addProvider(app, provider, { createsAccounts: true, signsOut });
  const open = async (sid?: string) => {
    const browser = openCookieBrowser(app);
    provider.claims = { sid };
    expect(await browser.signIn(provider)).toBe('/');
    return browser;
  };
  let tokens = 0;
  const logoutToken = (claims: object = {}, header: object = {}) => {
    const iat = Math.floor(app.deps.clock.now() / SECOND);
    tokens += 1;
    const usual = { iss: provider.issuer, aud: 'mooring', iat, exp: iat + 120, jti: `j-${tokens}`, sub: 's-1' };
    const present = Object.entries({ ...usual, events: { [EVENT]: {} }, ...claims });
    return provider.sign(Object.fromEntries(present.filter(([, value]) => value !== undefined)), header);
  };
  const notify = (logout_token: string, name = 'corp') =>
    app.call('POST', `/auth/oidc/${name}/backchannel-logout`, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(new URLSearchParams({ logout_token }).toString()),
    });
  return { app, provider, open, logoutToken, notify };
}

eachDatabase('signing out', (dialect) => {
  test('continues at the provider, with a hint and a way back', async () => {
    const { app, provider, open } = await signedIn(dialect);
    const browser = await open();
    const response = await browser.send('POST', '/v0.1/sign_out', {});
    const url = new URL(response.json().location);
    expect(url.origin + url.pathname).toBe(`${provider.issuer}/end`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      tenant: '1',
      client_id: 'mooring',
      id_token_hint: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      post_logout_redirect_uri: 'https://localhost:8443/sign-in',
    });
    expect(await browser.whoAmI()).toBeUndefined();
    const rows = await app.database.query((q) => q.selectFrom('sessions').selectAll());
    expect(JSON.stringify(rows)).not.toContain(url.searchParams.get('id_token_hint'));
  });

  test('ends only the session here for passwords, other providers, and without a token', async () => {
    for (const options of [{ signsOut: false }, { endsSessions: false }]) {
      const { open } = await signedIn(dialect, options);
      expect((await (await open()).send('POST', '/v0.1/sign_out', {})).json()).toEqual({});
    }
    const { app } = await signedIn(dialect);
    const ada = await app.addUser('ada');
    const browser = openCookieBrowser(app);
    await browser.send('POST', '/v0.1/sessions', { login: 'ada', password });
    expect((await browser.send('POST', '/v0.1/sign_out', {})).json()).toEqual({});
    expect(await browser.whoAmI()).toBeUndefined();
    const token = await app.userToken(ada);
    expect((await app.call('POST', '/v0.1/sign_out', { token, body: {} })).statusCode).toBe(404);
  });

  test('refuses an end_session_endpoint that is no web page', async () => {
    const { provider, open } = await signedIn(dialect);
    provider.metadata = { end_session_endpoint: 'javascript:alert(1)' };
    expect((await (await open()).send('POST', '/v0.1/sign_out', {})).json()).toEqual({});
  });
});

eachDatabase('back-channel logout', (dialect) => {
  test('ends the sessions of a user on every process, and keeps API tokens and other sessions', async () => {
    const { app, open, logoutToken, notify } = await signedIn(dialect);
    const [first, second] = [await open('a'), await open('b')];
    const name = await first.whoAmI();
    const user = await app.database.query((q) =>
      q
        .selectFrom('owners')
        .selectAll()
        .where('name', '=', name ?? ''),
    );
    const other = await app.another();
    const cookie = [...first.cookies].map(([key, value]) => `${key}=${value}`).join('; ');
    const elsewhere = () => other.http.inject({ method: 'GET', url: '/v0.1/user', headers: { cookie } });
    expect((await elsewhere()).statusCode).toBe(200);
    const done = await notify(await logoutToken({ sid: undefined }));
    expect([done.statusCode, done.headers['cache-control'], done.body]).toEqual([200, 'no-store', '']);
    expect([await first.whoAmI(), await second.whoAmI()]).toEqual([undefined, undefined]);
    expect((await elsewhere()).statusCode).toBe(401);
    expect(user).toHaveLength(1);
    expect((await changes(app, 'identity_provider.sign_out')).map(([, , , after]) => after)).toEqual([
      { subject: 's-1', sessions: 2 },
    ]);
  });

  test('ends one session by its ID there, also without the user', async () => {
    const { open, logoutToken, notify } = await signedIn(dialect);
    const browsers = [await open('a'), await open('b'), await open('c')];
    await notify(await logoutToken({ sid: 'a' }));
    await notify(await logoutToken({ sid: 'b', sub: undefined }));
    await notify(await logoutToken({ sid: 'c', sub: 's-2' }));
    expect(await Promise.all(browsers.map((browser) => browser.whoAmI()))).toEqual([
      undefined,
      undefined,
      expect.any(String),
    ]);
  });

  test.each([
    ['a nonce', { nonce: 'n' }, {}],
    ['no event', { events: {} }, {}],
    ['events that are no object', { events: [EVENT] }, {}],
    ['another audience', { aud: 'other' }, {}],
    ['another issuer', { iss: 'https://login.example.com' }, {}],
    ['no jti', { jti: undefined }, {}],
    ['no time', { iat: undefined }, {}],
    ['neither sub nor sid', { sub: undefined }, {}],
    ['a sub that is no text', { sub: 1 }, {}],
    ['another type', {}, { typ: 'at+jwt' }],
  ])('refuses a token with %s', async (_, claims, header) => {
    const { open, logoutToken, notify } = await signedIn(dialect);
    const browser = await open();
    const response = await notify(await logoutToken(claims, header));
    expect([response.statusCode, response.json().error, response.headers['cache-control']]).toEqual([
      400,
      'invalid_request',
      'no-store',
    ]);
    expect(await browser.whoAmI()).toBeTruthy();
  });

  test('refuses expired, replayed, unsigned and ID tokens, and unknown providers', async () => {
    const { app, provider, open, logoutToken, notify } = await signedIn(dialect);
    const [token, old] = [await logoutToken(), await logoutToken()];
    expect((await notify(token)).statusCode).toBe(200);
    const browser = await open();
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${old.split('.')[1]}.`;
    const iat = Math.floor(app.deps.clock.now() / SECOND);
    const idToken = await provider.sign({ iss: provider.issuer, aud: 'mooring', iat, exp: iat + 60, sub: 's-1' });
    for (const each of [token, unsigned, idToken, '', 'x']) expect((await notify(each)).statusCode).toBe(400);
    expect((await notify(old, 'none')).statusCode).toBe(404);
    app.advance(12 * MINUTE);
    expect((await notify(old)).statusCode).toBe(400);
    expect(await browser.whoAmI()).toBeTruthy();
  });

  test('follows a rotation of keys', async () => {
    const { app, provider, open, logoutToken, notify } = await signedIn(dialect);
    const browser = await open();
    await provider.rotate();
    app.advance(MINUTE);
    expect((await notify(await logoutToken())).statusCode).toBe(200);
    expect(await browser.whoAmI()).toBeUndefined();
  });
});
