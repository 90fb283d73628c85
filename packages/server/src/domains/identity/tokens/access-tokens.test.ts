import fc from 'fast-check';
import { importJWK, SignJWT, UnsecuredJWT } from 'jose';
import { expect, test } from 'vitest';
import { anySign } from '../../../../../../test-support/hostile-text.ts';
import { type TestApp, testApp } from '../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { addClient, openBrowser, signedIn } from '../../../../test/harness/services/oauth.ts';
import { systemCtx } from '../../../context.ts';
import { HOUR, MINUTE } from '../../../kernel/clock.ts';
import { deleteClient } from '../clients/clients.ts';
import { BearerFailure, findBearerActor } from './access-tokens.ts';
import { getSigningKey } from './keys.ts';

const use = async (app: Pick<TestApp, 'deps'>, token: string) => {
  try {
    return (await findBearerActor(app.deps, token)).actor.user.name;
  } catch (error) {
    if (error instanceof BearerFailure) return error.code;
    throw error;
  }
};

/** Signs a token with other claims, using the key of the server. */
async function signed(app: TestApp, claims: object, header: object = {}): Promise<string> {
  const { kid, jwk } = await getSigningKey(app.deps);
  const now = app.deps.clock.now() / 1000;
  const usual = { iss: 'https://localhost:8443/common', aud: 'https://localhost:8443/', exp: now + 60 };
  return new SignJWT({ ...usual, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid, ...header })
    .sign(await importJWK(jwk, 'RS256'));
}

eachDatabase('an access token', (dialect) => {
  test('acts for its user until it expires', async () => {
    const app = await testApp(dialect);
    const { user, token } = await signedIn(app);
    const known = await findBearerActor(app.deps, token);
    expect(known).toMatchObject({ actor: { kind: 'user', user: { id: user.id }, credential: { kind: 'oauth' } } });
    expect(known.expiresAt).toBe(app.deps.clock.now() + HOUR);
    app.advance(HOUR - 1000);
    expect(await use(app, token)).toBe('grace');
    app.advance(2000);
    const failure = await findBearerActor(app.deps, token).catch((e) => e);
    expect([failure.code, failure.message]).toEqual([
      'ExpiredAuthenticationToken',
      "The access token expiry UTC time '2026-11-01T10:00:00.000Z' is earlier than current UTC time '2026-11-01T10:00:01.000Z'.",
    ]);
  });

  test('is valid for the configured time', async () => {
    const app = await testApp(dialect, { accessTokenMinutes: 5 });
    const { token } = await signedIn(app);
    app.advance(5 * MINUTE + 1000);
    expect(await use(app, token)).toBe('ExpiredAuthenticationToken');
  });

  test('ends immediately when its user signs out', async () => {
    const app = await testApp(dialect);
    const { browser, token } = await signedIn(app);
    await browser.signOut();
    expect(await use(app, token)).toBe('InvalidAuthenticationToken');
  });

  test('ends immediately when its user is disabled', async () => {
    const app = await testApp(dialect);
    const { user, token } = await signedIn(app);
    const admin = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    await app.call('PATCH', `/v0.1/admin/users/${user.id}`, { token: admin, body: { is_disabled: true } });
    expect(await use(app, token)).toBe('InvalidAuthenticationToken');
  });

  test('ends immediately when the consent is revoked or the client is deleted', async () => {
    const app = await testApp(dialect);
    const { browser, client, token } = await signedIn(app);
    await app.call('DELETE', `/v0.1/oauth/consents/${client.id}`, { headers: browser.headers });
    expect(await use(app, token)).toBe('InvalidAuthenticationToken');
    const other = await addClient(app);
    const second = (await browser.obtain(other)).fragment.access_token ?? '';
    expect(await use(app, second)).toBe('grace');
    await deleteClient(systemCtx(app.deps), other.id);
    expect(await use(app, second)).toBe('InvalidAuthenticationToken');
  });

  test('is accepted by another process', async () => {
    const app = await testApp(dialect);
    const { token } = await signedIn(app);
    expect(await use(await app.another(), token)).toBe('grace');
  });

  test('with wrong claims is refused', async () => {
    const app = await testApp(dialect);
    const later = Date.parse('2026-11-01T09:01:00Z') / 1000;
    for (const [claims, code] of [
      [{ aud: 'https://graph.example.com' }, 'InvalidAuthenticationTokenAudience'],
      [{ iss: 'https://sts.example.com/' }, 'InvalidAuthenticationTokenTenant'],
      [{ iss: undefined }, 'InvalidAuthenticationTokenTenant'],
      [{ exp: undefined }, 'InvalidAuthenticationToken'],
      [{ nbf: later }, 'InvalidAuthenticationToken'],
      [{ sub: 'nobody', sid: 'none', appid: 'none' }, 'InvalidAuthenticationToken'],
      [{}, 'InvalidAuthenticationToken'],
      [{ sub: 7, sid: { a: 1 }, appid: [] }, 'InvalidAuthenticationToken'],
      [{ sub: '\0', sid: '\0', appid: '\0' }, 'InvalidAuthenticationToken'],
    ] as const) {
      expect([claims, await use(app, await signed(app, claims))]).toEqual([claims, code]);
    }
    for (const kid of ['\0', '', 'x'.repeat(1000), "'"]) {
      expect(await use(app, await signed(app, {}, { kid }))).toBe('InvalidAuthenticationToken');
    }
  });

  test('for an additional audience is issued and accepted, if configured', async () => {
    const app = await testApp(dialect, { oauthAudiences: ['https://management.example.com'] });
    await app.addUser('grace');
    const client = await addClient(app);
    const browser = openBrowser(app);
    await browser.signIn('grace');
    const { fragment } = await browser.obtain(client, { resource: 'https://management.example.com/' });
    expect(await use(app, fragment.access_token ?? '')).toBe('grace');
  });

  test('is only valid for the health API, cached or not, with any spelling of the path', async () => {
    const app = await testApp(dialect);
    const { token, browser } = await signedIn(app);
    const spelled = ['', 'bearer:', 'bearer ', 'token:', 'session:'].map((kind) => kind + token);
    const secret = String(browser.headers.cookie).split('=')[1];
    const attempts = [
      ...spelled.flatMap((value) => [
        { 'x-api-token': value },
        { authorization: `Bearer ${value}` },
        { cookie: `mooring_session=${value}`, 'sec-fetch-site': 'same-origin' },
      ]),
      ...['', 'session:', 'session '].flatMap((kind) => [
        { 'x-api-token': kind + secret },
        { authorization: `Bearer ${kind}${secret}` },
      ]),
    ];
    for (let remembered = 0; remembered < 2; remembered += 1) {
      const events = '/providers/Vendor.ResourceHealth/events?api-version=2024-02-01';
      const health = await app.call('GET', events, { headers: { authorization: `Bearer ${token}` } });
      const session = await app.call('GET', '/v0.1/user', { headers: browser.headers });
      expect([health.statusCode, session.statusCode]).toEqual([200, 200]);
      for (const headers of attempts) {
        const read = await app.call('GET', '/v0.1/user', { headers });
        const made = await app.call('POST', '/v0.1/api_tokens', { headers, body: {} });
        expect([headers, read.statusCode, made.statusCode]).toEqual([headers, 401, 401]);
      }
    }
  });

  test('that is unsigned, or signed with another key or algorithm, is refused', async () => {
    const app = await testApp(dialect);
    const { token } = await signedIn(app);
    const [header = '', payload = '', signature = ''] = token.split('.');
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const { kid, jwk } = await getSigningKey(app.deps);
    const secret = Buffer.from(jwk.n ?? '', 'base64url');
    for (const forged of [
      new UnsecuredJWT(claims).encode(),
      `${encode({ alg: 'none' })}.${payload}.`,
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid }).sign(secret),
      `${header}.${encode({ ...claims, sub: 'other' })}.${signature}`,
      `${encode({ alg: 'RS256', kid: 'unknown' })}.${payload}.${signature}`,
      `${encode({ alg: 'RS256' })}.${payload}.${signature}`,
      `${token.slice(0, -4)}AAAA`,
    ]) {
      expect(await use(app, forged)).toBe('InvalidAuthenticationToken');
    }
  });
});

test('rejects any random access token', async () => {
  const app = await testApp('sqlite');
  const { token } = await signedIn(app);
  const [header = '', payload = '', signature = ''] = token.split('.');
  const part = fc.oneof(fc.string({ unit: anySign }), fc.base64String(), fc.json(), fc.constantFrom(header, payload));
  const encoded = part.map((text) => Buffer.from(text).toString('base64url'));
  const tokens = fc.oneof(
    fc.string({ unit: anySign }),
    fc.tuple(part, part, part).map((parts) => parts.join('.')),
    fc.tuple(encoded, encoded).map(([a, b]) => `${a}.${b}.${signature}`),
    encoded.map((changed) => `${header}.${changed}.${signature}`),
  );
  await fc.assert(
    fc.asyncProperty(tokens, async (text) => {
      expect(await use(app, text)).toMatch(/^InvalidAuthenticationToken(Tenant)?$/);
    }),
    { numRuns: 500 },
  );
});
