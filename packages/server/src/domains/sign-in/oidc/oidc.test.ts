import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { password, type TestApp, testApp } from '../../../../test/harness/app.ts';
import { recorded } from '../../../../test/harness/audit.ts';
import { countQueries } from '../../../../test/harness/queries.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import {
  addProvider,
  allowsLoopback,
  openCookieBrowser,
  type SignInProvider,
  signInProvider,
} from '../../../../test/harness/sign-in-provider.ts';
import { HOUR, MINUTE, SECOND } from '../../../kernel/clock.ts';
import { updateProvider } from '../providers/providers.ts';

const problem = (code: string) => `/sign-in?problem=${code}`;

/** A server, a provider and a browser. Grace has an account that is linked to the person at the provider. */
async function linked(dialect: 'sqlite' | 'postgres', alg?: Parameters<typeof signInProvider>[1]) {
  const app = await testApp(dialect, allowsLoopback);
  const provider = await signInProvider(app, alg);
  await addProvider(app, provider);
  const ada = await app.addUser('ada', { isAdmin: true });
  const grace = await app.addUser('grace');
  const token = await app.userToken(ada);
  await app.call('POST', `/v0.1/admin/users/${grace.id}/sign_in_links`, {
    token,
    body: { provider: 'corp', subject: 's-1' },
  });
  return { app, provider, grace, ada, token, browser: openCookieBrowser(app) };
}

const setUp = async (
  dialect: 'sqlite' | 'postgres',
  options: Parameters<typeof addProvider>[2] = { createsAccounts: true },
) => {
  const app = await testApp(dialect, allowsLoopback);
  const provider = await signInProvider(app);
  await addProvider(app, provider, options);
  return { app, provider, browser: openCookieBrowser(app) };
};

const countUsers = async (app: TestApp): Promise<number> =>
  (await app.database.query((q) => q.selectFrom('users').select('id'))).length;

eachDatabase('sign-in by provider', (dialect) => {
  test.each(['RS256', 'PS256', 'ES256', 'EdDSA'] as const)(
    'signs in a linked user with a token signed by %s',
    async (alg) => {
      const { browser, provider } = await linked(dialect, alg);
      expect(await browser.signIn(provider, { query: '?next=/orgs%3Fa%3D1' })).toBe('/orgs?a=1');
      expect(await browser.whoAmI()).toBe('grace');
      expect([...browser.cookies.keys()]).toEqual(['mooring_session']);
    },
  );

  test('asks the provider with PKCE, state and nonce, which differ each time', async () => {
    const { app, provider } = await linked(dialect);
    const start = async () => {
      const { headers } = await app.call('GET', '/auth/oidc/corp');
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['set-cookie']).toMatch(
        /^mooring_sign_in=v1\.[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/,
      );
      return new URL(String(headers.location));
    };
    const [first, second] = [await start(), await start()];
    expect(first.origin + first.pathname).toBe(`${provider.issuer}/authorize`);
    expect(Object.fromEntries(first.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'mooring',
      redirect_uri: 'https://localhost:8443/auth/oidc/corp/callback',
      scope: 'openid profile email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(second.searchParams.get(name)).not.toBe(first.searchParams.get(name));
    }
  });

  type Attack = Partial<SignInProvider> | ((now: number) => Partial<SignInProvider>);
  const attacks: [string, Attack][] = [
    ['of another issuer', { claims: { iss: 'https://evil.example.com' } }],
    ['for another client', { claims: { aud: 'other' } }],
    ['for several clients without azp', { claims: { aud: ['mooring', 'other'] } }],
    ['with another azp', { claims: { aud: ['mooring', 'other'], azp: 'other' } }],
    ['with another azp and one audience', { claims: { azp: 'other' } }],
    ['with another nonce', { claims: { nonce: 'other' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['without a subject', { claims: { sub: undefined } }],
    ['with an empty subject', { claims: { sub: '' } }],
    ['with a subject of 256 characters', { claims: { sub: 'x'.repeat(256) } }],
    ['without exp', { claims: { exp: undefined } }],
    ['without iat', { claims: { iat: undefined } }],
    ['with a wrong at_hash', { claims: { at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' } }],
    ['expired by more than a minute', (now) => ({ claims: { exp: now - 61 } })],
    ['from the future', (now) => ({ claims: { iat: now + 62 } })],
    ['issued long ago', (now) => ({ claims: { iat: now - 661 } })],
    ['without a signature', { idToken: unsigned }],
    [
      'without a signature, if the metadata lists none',
      { idToken: unsigned, metadata: { id_token_signing_alg_values_supported: ['none', 'RS256'] } },
    ],
    [
      'signed with the client secret, if the metadata lists HS256',
      {
        idToken: (token) => signedBySecret(token, 'a secret'),
        metadata: { id_token_signing_alg_values_supported: ['HS256', 'RS256'] },
      },
    ],
    ['with a changed signature', { idToken: (token) => `${token.slice(0, -8)}AAAAAAAA` }],
    [
      'with an algorithm that the metadata does not list',
      { metadata: { id_token_signing_alg_values_supported: ['ES256'] } },
    ],
    ['that is missing', { idToken: () => '' }],
    ['with a key that the provider does not publish', { header: { kid: 'other' } }],
  ];
  test.each(attacks)('rejects an ID token %s', async (_, attack) => {
    const { app, browser, provider } = await linked(dialect);
    Object.assign(provider, typeof attack === 'function' ? attack(app.deps.clock.now() / SECOND) : attack);
    expect(await browser.signIn(provider)).toBe(problem('invalid'));
    expect([...browser.cookies.keys()]).toEqual([]);
  });

  test('accepts clocks that differ by a minute, azp and at_hash', async () => {
    const { app, browser, provider } = await linked(dialect);
    const now = app.deps.clock.now() / SECOND;
    // The left half of the SHA-256 of the access token.
    const at_hash = 'oFYf1knNtrqnhAVfBRuteQ';
    for (const claims of [
      { exp: now - 59 },
      { iat: now + 59 },
      { aud: ['mooring', 'x'], azp: 'mooring' },
      { at_hash },
    ]) {
      provider.claims = claims;
      expect([claims, await browser.signIn(provider)]).toEqual([claims, '/']);
    }
  });

  test.each([
    ['another state', { state: 'other' }],
    ['no state', { state: undefined }],
    ['no code', { code: undefined }],
    ['another issuer (mix-up)', { iss: 'https://evil.example.com' }],
  ])('rejects a callback with %s', async (_, response) => {
    const { browser, provider } = await linked(dialect);
    provider.response = response;
    expect(await browser.signIn(provider)).toBe(problem('invalid'));
    expect(provider.requests).not.toContain('/token');
  });

  test('requires iss if the provider declares that it sends one', async () => {
    const { browser, provider } = await linked(dialect);
    provider.metadata = { authorization_response_iss_parameter_supported: true };
    provider.response = { iss: undefined };
    expect(await browser.signIn(provider)).toBe(problem('invalid'));
  });

  test('rejects repeated parameters', async () => {
    const { browser, provider } = await linked(dialect);
    const start = await browser.send('GET', '/auth/oidc/corp');
    const callback = provider.authorize(String(start.headers.location));
    expect((await browser.send('GET', `${callback}&state=x`)).headers.location).toBe(problem('invalid'));
  });

  test('explains the refusal of the provider without showing its text', async () => {
    const { app, browser, provider } = await linked(dialect);
    provider.response = { code: undefined, error: 'access_denied', error_description: '<b>Call 0900</b>' };
    expect(await browser.signIn(provider)).toBe(problem('denied'));
    expect(await app.logged()).toContain('sign-in by provider failed');
  });

  test('rejects a callback in another browser, without a start, late, twice, or of another provider', async () => {
    const { app, browser, provider } = await linked(dialect);
    const other = await signInProvider(app);
    await addProvider(app, other, { name: 'other' });
    const begin = async (name = 'corp') => {
      const { headers } = await browser.send('GET', `/auth/oidc/${name}`);
      return (name === 'corp' ? provider : other).authorize(String(headers.location));
    };
    const finish = async (url: string, by = browser) => (await by.send('GET', url)).headers.location;
    expect(await finish(await begin(), openCookieBrowser(app))).toBe(problem('expired'));
    expect(await finish((await begin('other')).replace('/other/', '/corp/'))).toBe(problem('expired'));
    const late = await begin();
    app.advance(10 * MINUTE);
    expect(await finish(late)).toBe(problem('expired'));
    const twice = await begin();
    const stolen = new Map(browser.cookies);
    expect(await finish(twice)).toBe('/');
    expect(await finish(twice)).toBe(problem('expired'));
    // With the cookie of the first attempt, the provider rejects the code.
    const thief = openCookieBrowser(app);
    for (const [name, value] of stolen) thief.cookies.set(name, value);
    expect(await finish(twice, thief)).toBe(problem('invalid'));
    expect(thief.cookies.has('mooring_session')).toBe(false);
  });

  test('rejects changed state of a browser, and state of another purpose', async () => {
    const { app, browser, provider } = await linked(dialect);
    const start = await browser.send('GET', '/auth/oidc/corp');
    const callback = provider.authorize(String(start.headers.location));
    const state = browser.cookies.get('mooring_sign_in') ?? '';
    for (const value of [`${state.slice(0, -4)}AAAA`, 'v1.AAAA', 'x']) {
      browser.cookies.set('mooring_sign_in', value);
      expect((await browser.send('GET', callback)).headers.location).toBe(problem('expired'));
    }
    const other = openCookieBrowser(app);
    other.cookies.set('mooring_sign_in_link', state);
    expect((await other.send('GET', '/v0.1/sign_in/link')).statusCode).toBe(204);
  });

  test.each([
    ['https://evil.example.com/', '/'],
    ['//evil.example.com/', '/'],
    ['/\\evil.example.com/', '/'],
    ['/.//evil.example.com/', '/'],
    ['/\t/evil.example.com/', '/'],
    ['javascript:alert(1)', '/'],
    ['/common/oauth2/authorize?a=b', '/common/oauth2/authorize?a=b'],
  ])('opens %j after the sign-in as %j', async (next, opened) => {
    const { browser, provider } = await linked(dialect);
    expect(await browser.signIn(provider, { query: `?next=${encodeURIComponent(next)}` })).toBe(opened);
  });

  test('opens a new session for every sign-in, and ends the previous one of the browser', async () => {
    const { app, browser, provider } = await linked(dialect);
    const fixed = 'A'.repeat(32);
    browser.cookies.set('mooring_session', fixed);
    await browser.signIn(provider);
    const first = browser.cookies.get('mooring_session') ?? '';
    expect(first).not.toBe(fixed);
    await browser.signIn(provider);
    expect(await browser.whoAmI()).toBe('grace');
    const old = await app.call('GET', '/v0.1/user', { headers: { cookie: `mooring_session=${first}` } });
    expect(old.statusCode).toBe(401);
  });

  test('refuses a disabled user', async () => {
    const { app, browser, provider, grace, token } = await linked(dialect);
    await app.call('PATCH', `/v0.1/admin/users/${grace.id}`, { token, body: { is_disabled: true } });
    expect(await browser.signIn(provider)).toBe(problem('disabled'));
  });

  test('refuses providers that are unknown or disabled', async () => {
    const { app, browser, provider, ada } = await linked(dialect);
    expect(await browser.signIn(provider, { name: 'other' })).toBe(problem('unknown'));
    const start = await browser.send('GET', '/auth/oidc/corp');
    const callback = provider.authorize(String(start.headers.location));
    await updateProvider(app.as(ada), 'corp', { isEnabled: false });
    expect((await browser.send('GET', callback)).headers.location).toBe(problem('unknown'));
    expect(await browser.signIn(provider)).toBe(problem('unknown'));
  });

  test.each([
    ['has another issuer', { issuer: 'https://evil.example.com' }],
    ['has another spelling of the issuer', (p: SignInProvider) => ({ issuer: `${p.issuer}/` })],
    ['has an authorization_endpoint without TLS elsewhere', { authorization_endpoint: 'http://evil.example.com/' }],
    ['has an authorization_endpoint that is a script', { authorization_endpoint: 'javascript:alert(1)' }],
    ['has a token_endpoint without TLS elsewhere', { token_endpoint: 'http://evil.example.com/' }],
    ['has keys at a private address', { jwks_uri: 'https://10.0.0.7/keys' }],
    ['has no keys', { jwks_uri: undefined }],
  ])('does not use a provider whose discovery document %s', async (_, change) => {
    const { browser, provider } = await linked(dialect);
    provider.metadata = typeof change === 'function' ? change(provider) : change;
    expect(await browser.signIn(provider)).toBe(problem('unreachable'));
  });

  test('reads rotated keys, and continues when the provider is back', async () => {
    const { app, browser, provider } = await linked(dialect);
    expect(await browser.signIn(provider)).toBe('/');
    app.advance(11 * SECOND);
    await provider.rotate();
    expect(await browser.signIn(provider)).toBe('/');
    const fetches = () => provider.requests.filter((url) => url === '/keys').length;
    expect(fetches()).toBe(2);
    // Keys are fetched at most every ten seconds.
    provider.header = { kid: 'other' };
    for (let n = 0; n < 3; n++) expect(await browser.signIn(provider)).toBe(problem('invalid'));
    expect(fetches()).toBe(2);
    provider.header = {};
    app.advance(HOUR);
    provider.isDown = true;
    expect(await browser.signIn(provider)).toBe(problem('unreachable'));
    provider.isDown = false;
    app.advance(11 * SECOND);
    expect(await browser.signIn(provider)).toBe('/');
  });

  test('takes the address from UserInfo, of the same subject only', async () => {
    const { app, browser, provider } = await setUp(dialect);
    provider.person = { sub: 's-9' };
    provider.userInfo = { sub: 's-9', email: 'mary@example.com', email_verified: true };
    expect(await browser.signIn(provider)).toBe('/');
    expect(await browser.whoAmI()).toBe('mary');
    provider.person = { sub: 's-10' };
    expect(await openCookieBrowser(app).signIn(provider)).toBe(problem('invalid'));
  });

  test('creates an account, once, and records it', async () => {
    const { app, browser, provider } = await setUp(dialect);
    expect(await browser.signIn(provider)).toBe('/');
    const user = (await browser.send('GET', '/v0.1/user')).json();
    expect(user).toMatchObject({ name: 'grace', display_name: 'Grace Hopper', email: 'grace@example.com' });
    expect(await openCookieBrowser(app).signIn(provider)).toBe('/');
    expect(await countUsers(app)).toBe(1);
    expect((await recorded(app, '')).map(({ action }) => action)).toEqual([
      'identity_provider.create',
      'user.create',
      'sign_in_link.create',
      'session.create',
      'session.create',
    ]);
    const byPassword = await app.call('POST', '/v0.1/sessions', { body: { login: 'grace', password: '' } });
    expect(byPassword.statusCode).toBe(400);
  });

  test('creates one account for parallel first sign-ins', async () => {
    const { app, provider } = await setUp(dialect);
    const browsers = Array.from({ length: 4 }, () => openCookieBrowser(app));
    expect(await Promise.all(browsers.map((each) => each.signIn(provider)))).toEqual(['/', '/', '/', '/']);
    expect(await countUsers(app)).toBe(1);
  });

  test('keeps the account when the address at the provider changes, or goes to another person', async () => {
    const { app, browser, provider } = await setUp(dialect);
    await browser.signIn(provider);
    provider.person = { ...provider.person, email: 'hopper@example.com' };
    await browser.signIn(provider);
    expect(await browser.whoAmI()).toBe('grace');
    provider.person = { sub: 's-2', email: 'grace@example.com', email_verified: true };
    const other = openCookieBrowser(app);
    expect(await other.signIn(provider)).toBe('/link-account');
    expect(other.cookies.has('mooring_session')).toBe(false);
  });

  test.each([
    ['without email_verified', { email_verified: undefined }],
    ['with email_verified: false', { email_verified: false }],
    ['with email_verified as a text', { email_verified: 'true' }],
    ['without an address', { email: undefined }],
    ['with two addresses in one', { email: 'a@b@example.com' }],
    ['with the address of a service account', { email: 'bot@service.invalid' }],
  ])('creates no account %s', async (_, claims) => {
    const { app, browser, provider } = await setUp(dialect);
    provider.claims = claims;
    expect(await browser.signIn(provider)).toBe(problem('email'));
    expect(await countUsers(app)).toBe(0);
  });

  test('trusts addresses without email_verified if the administrator says so', async () => {
    const { browser, provider } = await setUp(dialect, { createsAccounts: true, trustsEmail: true });
    provider.person = { sub: 's-1', preferred_username: 'grace@example.com' };
    expect(await browser.signIn(provider)).toBe('/');
    expect(await browser.whoAmI()).toBe('grace');
  });

  test.each([
    ['grace@example.com', true, '/'],
    ['grace@EXAMPLE.com', true, '/'],
    ['grace@evil.example.com', true, problem('domain')],
    ['grace@example.com.evil.org', true, problem('domain')],
    ['grace@notexample.com', true, problem('domain')],
    ['grace@example.com', false, problem('email')],
  ])('with allowed domains, answers %s (verified: %s) with %s', async (email, email_verified, expected) => {
    const { browser, provider } = await setUp(dialect, { createsAccounts: true, allowedDomains: ['Example.com'] });
    provider.person = { sub: 's-1', email, email_verified };
    expect(await browser.signIn(provider)).toBe(expected);
  });

  test('links an existing account only with its password', async () => {
    const { app, browser, provider } = await setUp(dialect);
    await app.addUser('grace');
    expect(await browser.signIn(provider, { query: '?next=/orgs' })).toBe('/link-account');
    expect([...browser.cookies.keys()]).toEqual(['mooring_sign_in_link']);
    expect((await browser.send('GET', '/v0.1/sign_in/link')).json()).toEqual({
      provider: 'corp',
      display_name: 'Corp',
      email: 'grace@example.com',
    });
    const link = (secret: string) => browser.send('POST', '/v0.1/sign_in/link', { login: 'grace', password: secret });
    expect((await link('not the password')).statusCode).toBe(401);
    const done = await link(password);
    expect([done.statusCode, done.json().next, done.json().user.name]).toEqual([201, '/orgs', 'grace']);
    expect([...browser.cookies.keys()]).toEqual(['mooring_session']);
    expect((await recorded(app, '')).map(({ action }) => action)).toContain('sign_in_link.create');
    expect((await link(password)).statusCode).toBe(409);
    const other = openCookieBrowser(app);
    expect(await other.signIn(provider)).toBe('/');
    expect(await other.whoAmI()).toBe('grace');
  });

  test('links no account for a browser that did not sign in at the provider, or did so long ago', async () => {
    const { app, browser, provider } = await setUp(dialect);
    await app.addUser('grace');
    const body = { login: 'grace', password };
    await browser.signIn(provider);
    const victim = openCookieBrowser(app);
    expect((await victim.send('POST', '/v0.1/sign_in/link', body)).statusCode).toBe(409);
    app.advance(10 * MINUTE);
    expect((await browser.send('POST', '/v0.1/sign_in/link', body)).statusCode).toBe(409);
    expect((await browser.send('GET', '/v0.1/sign_in/link')).statusCode).toBe(204);
  });

  test('links no account from the page of another site', async () => {
    const { app, browser, provider } = await setUp(dialect);
    await app.addUser('grace');
    await browser.signIn(provider);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { cookie, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example.com' };
    const body = { login: 'grace', password };
    expect((await app.call('POST', '/v0.1/sign_in/link', { headers, body })).statusCode).toBe(403);
  });

  test('links an account to one user of a provider only', async () => {
    const { app, browser, provider } = await linked(dialect);
    provider.person = { sub: 's-2', email: 'grace@example.com', email_verified: true };
    expect(await browser.signIn(provider)).toBe('/link-account');
    const body = { login: 'grace', password };
    expect((await browser.send('POST', '/v0.1/sign_in/link', body)).statusCode).toBe(409);
    expect(browser.cookies.has('mooring_session')).toBe(false);
    expect(await countUsers(app)).toBe(2);
  });

  test('slows down guesses of the password while linking', async () => {
    const { app, browser, provider } = await setUp(dialect);
    await app.addUser('grace');
    await browser.signIn(provider);
    const body = { login: 'grace', password: 'not the password' };
    for (let n = 0; n < 10; n++) await browser.send('POST', '/v0.1/sign_in/link', body);
    expect((await browser.send('POST', '/v0.1/sign_in/link', { ...body, password })).statusCode).toBe(429);
  });

  test('lets administrators list and remove links, which ends sessions', async () => {
    const { app, browser, provider, grace, token } = await linked(dialect);
    await browser.signIn(provider);
    const url = `/v0.1/admin/users/${grace.id}/sign_in_links`;
    expect((await app.call('GET', url, { token })).json()).toEqual([
      { issuer: provider.issuer, subject: 's-1', linked_at: '2026-11-01T09:00:00.000Z' },
    ]);
    expect((await app.call('DELETE', url, { token })).statusCode).toBe(204);
    expect(await browser.whoAmI()).toBeUndefined();
    expect(await browser.signIn(provider)).toBe('/link-account');
    expect((await app.call('DELETE', url, { token })).statusCode).toBe(404);
  });

  test('adds at most two queries to those of a session', async () => {
    const { app, browser, provider, grace } = await linked(dialect);
    await browser.signIn(provider);
    const { openSession } = await import('../../accounts/index.ts');
    const session = await countQueries(app, () =>
      openSession({ ...app.as(grace), actor: { kind: 'anonymous' } }, grace),
    );
    const start = await browser.send('GET', '/auth/oidc/corp');
    const callback = provider.authorize(String(start.headers.location));
    browser.cookies.delete('mooring_session');
    expect((await countQueries(app, () => browser.send('GET', callback))) - session).toBeLessThanOrEqual(2);
  });

  test('works on another process than the one that started it', async () => {
    const { app, provider } = await linked(dialect);
    const other = await app.another();
    const start = await app.call('GET', '/auth/oidc/corp');
    const cookie = String(start.headers['set-cookie']).split(';')[0] ?? '';
    const url = provider.authorize(String(start.headers.location));
    const done = await other.http.inject({ method: 'GET', url, headers: { cookie } });
    expect(done.headers.location).toBe('/');
  });
});

/** The same claims with alg none. */
function unsigned(token: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
  return `${header}.${token.split('.')[1]}.`;
}

/** The same claims, signed with a secret that both sides know. */
function signedBySecret(token: string, secret: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'HS256' })).toString('base64url');
  const content = `${header}.${token.split('.')[1]}`;
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
}
