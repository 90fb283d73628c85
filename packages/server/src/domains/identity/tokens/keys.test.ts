import { randomBytes } from 'node:crypto';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/harness/app.ts';
import { recorded } from '../../../../test/harness/audit.ts';
import { atOnce } from '../../../../test/harness/races.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { signedIn } from '../../../../test/harness/services/oauth.ts';
import { type Deps, systemCtx } from '../../../context.ts';
import { DAY, HOUR, MINUTE } from '../../../kernel/clock.ts';
import { findBearerActor } from './access-tokens.ts';
import { getSigningKey, rotateDueKeys, rotateKeys } from './keys.ts';
import { getTenantId } from './tenant.ts';

const KEYS = '/common/discovery/keys';
const published = async (app: TestApp): Promise<string[]> =>
  (await app.call('GET', KEYS)).json().keys.map(({ kid }: { kid: string }) => kid);
const stored = (app: TestApp) => app.database.query((q) => q.selectFrom('signing_keys').selectAll());
const holds = (app: TestApp, token: string) =>
  findBearerActor(app.deps, token).then(
    () => true,
    () => false,
  );

eachDatabase('signing keys', (dialect) => {
  test('are published, so that anyone can verify a token with the discovery document alone', async () => {
    const app = await testApp(dialect);
    const { token } = await signedIn(app);
    const base = 'https://localhost:8443';
    const discovery = await app.call('GET', '/common/.well-known/openid-configuration');
    expect(discovery.headers['access-control-allow-origin']).toBe('*');
    expect(discovery.json()).toMatchObject({
      issuer: `${base}/common`,
      authorization_endpoint: `${base}/common/oauth2/authorize`,
      token_endpoint: `${base}/common/oauth2/token`,
      jwks_uri: base + KEYS,
      code_challenge_methods_supported: ['S256'],
    });
    await app.http.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.http.server.address() as { port: number };
    const keys = createRemoteJWKSet(new URL(`http://127.0.0.1:${port}${KEYS}`));
    const { protectedHeader } = await jwtVerify(token, keys, {
      issuer: `${base}/common`,
      audience: `${base}/`,
      currentDate: new Date(app.deps.clock.now()),
    });
    expect(protectedHeader).toMatchObject({ alg: 'RS256', typ: 'JWT' });
  });

  test('are sealed in the database, and only public keys are published', async () => {
    const app = await testApp(dialect);
    const { jwk } = await getSigningKey(app.deps);
    expect(jwk.d).toBeTruthy();
    const copy = JSON.stringify(await stored(app)) + JSON.stringify((await app.call('GET', KEYS)).json());
    for (const secret of [jwk.d, jwk.p, jwk.q]) expect(copy).not.toContain(secret);
    const [key] = (await app.call('GET', KEYS)).json().keys;
    expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });

  test('are created once, even if several processes need the first one concurrently', async () => {
    const app = await testApp(dialect);
    const others = [await app.another(), await app.another()];
    const onEach = <T>(run: (deps: Deps) => Promise<T>) =>
      [app, ...others].map(
        ({ deps }) =>
          () =>
            run(deps),
      );
    const made = await atOnce(app, onEach(getSigningKey), 'signing_keys');
    expect(new Set(made.map(({ kid }) => kid)).size).toBe(1);
    expect(await stored(app)).toHaveLength(1);
    const tenants = await atOnce(app, onEach(getTenantId), 'key_values');
    expect(new Set(tenants).size).toBe(1);
  });

  test('rotate after 90 days, once, while older tokens stay valid', async () => {
    const app = await testApp(dialect);
    const { deps: other } = await app.another();
    const first = await getSigningKey(app.deps);
    app.advance(89 * DAY);
    await rotateDueKeys(app.deps);
    expect(await published(app)).toEqual([first.kid]);
    const { token } = await signedIn(app, 'grace');
    expect(decodeProtectedHeader(token).kid).toBe(first.kid);
    app.advance(DAY);
    await atOnce(app, [() => rotateDueKeys(app.deps), () => rotateDueKeys(other)]);
    expect(await recorded(app, 'oauth.rotate_keys')).toHaveLength(1);
    const [second, ...rest] = await published(app);
    expect([second === first.kid, rest]).toEqual([false, [first.kid]]);
    expect((await getSigningKey(other)).kid).toBe(second);
  });

  test.each([
    [false, 3],
    [true, 1],
  ])(
    'are rotated one after the other by two concurrent requests; one signs afterwards (revoking: %s)',
    async (revoke, left) => {
      const app = await testApp(dialect);
      await getSigningKey(app.deps);
      const rotate = () => rotateKeys(systemCtx(app.deps), { revoke });
      const [, last] = await atOnce(app, [rotate, rotate]);
      const keys = await stored(app);
      expect(keys.filter((key) => key.published_until === null).map(({ kid }) => kid)).toEqual([last?.kid]);
      expect(keys).toHaveLength(left);
    },
  );

  test('are rotated by an administrator immediately; tokens of the previous key stay valid until they expire', async () => {
    const app = await testApp(dialect);
    const { token, browser, client } = await signedIn(app);
    const admin = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    const rotated = await app.call('POST', '/v0.1/admin/oauth/keys', { token: admin, body: {} });
    const { kid } = rotated.json();
    expect([rotated.statusCode, await published(app)]).toEqual([201, expect.arrayContaining([kid])]);
    expect(await holds(app, token)).toBe(true);
    const next = (await browser.ask(client)).fragment.access_token ?? '';
    expect([decodeProtectedHeader(next).kid, await holds(app, next)]).toEqual([kid, true]);
    app.advance(HOUR + 5 * MINUTE);
    expect(await published(app)).toEqual([kid]);
    await rotateDueKeys(app.deps);
    expect(await stored(app)).toHaveLength(1);
  });

  test('that may have leaked are replaced together with their tokens', async () => {
    const app = await testApp(dialect);
    const { token } = await signedIn(app);
    const admin = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    await app.call('POST', '/v0.1/admin/oauth/keys', { token: admin, body: { revoke: true } });
    expect(await holds(app, token)).toBe(false);
    expect(await published(app)).toHaveLength(1);
  });

  test('that cannot be decrypted are skipped with a warning', async () => {
    const app = await testApp(dialect);
    const { token } = await signedIn(app);
    const lost = { ...app.deps, secretKey: randomBytes(32) };
    const fresh = await getSigningKey(lost);
    expect(await published(app)).toContain(fresh.kid);
    expect((await getSigningKey(lost)).kid).toBe(fresh.kid);
    expect(await app.logged()).toContain('encrypted with another MOORING_SECRET_KEY');
    expect(await holds(app, token)).toBe(true);
  });
});
