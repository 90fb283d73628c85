import { createHmac } from 'node:crypto';
import { exportSPKI, importJWK } from 'jose';
import { expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/harness/app.ts';
import { recorded } from '../../../../test/harness/audit.ts';
import { type CiIssuer, ciIssuer, exchangeIdToken } from '../../../../test/harness/ci-issuer.ts';
import { atOnce } from '../../../../test/harness/races.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { allowsLoopback } from '../../../../test/harness/sign-in-provider.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../kernel/clock.ts';
import { sweepCiTokens } from './ci-tokens.ts';

const home = '/v0.1/apps/ada/compass';
const RULES = `${home}/ci_rules`;

/** Ada owns compass, and lets jobs of octo/compass on the main branch release it. */
async function withRule(dialect: 'sqlite' | 'postgres', alg?: 'RS256' | 'ES256') {
  const app = await testApp(dialect, allowsLoopback);
  const ada = await app.addUser('ada', { isAdmin: true });
  const compass = await app.addApp(ada, 'compass');
  const token = await app.userToken(ada);
  const issuer = await ciIssuer(app, alg);
  const create = (body: object = {}, by = token, path = RULES) =>
    app.call('POST', path, {
      token: by,
      body: {
        provider: 'github',
        issuer: issuer.issuer,
        claims: { repository: 'octo/compass', ref: 'refs/heads/main' },
        permissions: ['codepush:write', 'releases:write'],
        ...body,
      },
    });
  const made = await create();
  expect(made.statusCode, made.body).toBe(201);
  const rule: { id: string } = made.json();
  const use = async (value: string, url = `${home}/deployments`, server: Pick<TestApp, 'http'> = app) =>
    (await server.http.inject({ url, headers: { 'x-api-token': value } })).statusCode;
  return { app, ada, compass, token, issuer, create, rule, use };
}

const accept = async (app: Pick<TestApp, 'http'>, idToken: string, more: object = {}): Promise<string> => {
  const response = await exchangeIdToken(app, idToken, { ...more });
  expect([response.statusCode, response.body]).toEqual([200, expect.any(String)]);
  return response.json().access_token;
};

const invalidGrant = { error: 'invalid_grant', error_description: expect.any(String) };
const refuse = async (app: Pick<TestApp, 'http'>, idToken: string, more: object = {}): Promise<string> => {
  const response = await exchangeIdToken(app, idToken, { ...more });
  expect([response.statusCode, response.json()]).toEqual([400, invalidGrant]);
  return response.json().error_description;
};
const GENERAL = 'No CI rule of this app accepts the ID token';

eachDatabase('CI rules', (dialect) => {
  test.each(['RS256', 'ES256'] as const)('exchange an ID token signed with %s for a token of the app', async (alg) => {
    const { app, issuer, use, rule, token } = await withRule(dialect, alg);
    const response = await exchangeIdToken(app, await issuer.sign());
    expect([response.statusCode, response.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(response.json()).toEqual({
      access_token: expect.stringMatching(/^moor_c_[0-9A-Za-z]{36}$/),
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'codepush:write releases:write',
    });
    const value: string = response.json().access_token;
    expect(await use(value)).toBe(200);
    const created = await app.call('POST', `${home}/deployments`, { token: value, body: { name: 'Staging' } });
    expect(created.statusCode).toBe(201);
    // Beyond its permissions, and beyond its app.
    expect(await use(value, `${home}/webhooks`)).toBe(403);
    expect((await app.call('PATCH', home, { token: value, body: { display_name: 'X' } })).statusCode).toBe(403);
    await app.call('POST', '/v0.1/apps', {
      token,
      body: { display_name: 'Sextant', name: 'sextant', os: 'iOS', platform: 'Swift' },
    });
    expect(await use(value, '/v0.1/apps/ada/sextant/deployments')).toBe(404);
    expect(await use(value, '/v0.1/user')).toBe(403);
    const { values } = (await app.call('GET', RULES, { token })).json();
    expect(values).toEqual([
      expect.objectContaining({ id: rule.id, created_by: 'ada', last_used_at: expect.any(String) }),
    ]);
    app.advance(15 * MINUTE - SECOND);
    expect(await use(value)).toBe(200);
    app.advance(SECOND);
    expect(await use(value)).toBe(401);
    await sweepCiTokens(app.deps);
    expect(await app.database.query((q) => q.selectFrom('ci_tokens').select('id'))).toEqual([]);
  });

  test('record the issuer, the subject and the run', async () => {
    const { app, issuer, compass } = await withRule(dialect);
    await accept(app, await issuer.sign());
    const [event] = await recorded(app, 'ci_rule.use');
    expect(event).toMatchObject({
      subject: { kind: 'ci_rule', name: 'repo:octo/compass:ref:refs/heads/main' },
      appId: compass.id,
      after: { issuer: issuer.issuer, subject: 'repo:octo/compass:ref:refs/heads/main', run: '4711' },
    });
  });

  test('accept the names of RFC 8693, and refuse incomplete requests', async () => {
    const { app, issuer } = await withRule(dialect);
    const resource = `${app.deps.publicUrl()}/v0.1/apps/ada/compass`;
    await accept(app, await issuer.sign(), { audience: undefined, resource });
    await accept(app, await issuer.sign(), { subject_token_type: 'urn:ietf:params:oauth:token-type:id_token' });
    await accept(app, await issuer.sign(), { audience: 'ADA/Compass' });
    for (const wrong of [
      { subject_token: undefined },
      { subject_token_type: undefined },
      { subject_token_type: 'urn:ietf:params:oauth:token-type:saml2' },
      { requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' },
      { audience: undefined },
      { audience: 'compass' },
      { audience: 'ada/compass/x' },
      { audience: ['ada/compass'] },
      { audience: undefined, resource: 'https://elsewhere.example/v0.1/apps/ada/compass' },
      { subject_token: 'x'.repeat(24_001) },
    ]) {
      const response = await exchangeIdToken(app, await issuer.sign(), wrong);
      expect([response.statusCode, response.json().error]).toEqual([400, 'invalid_request']);
    }
  });

  test.each<[title: string, claims: Record<string, unknown>, reason: string]>([
    ['for another audience', { aud: 'https://elsewhere.example' }, 'audience'],
    ['for several audiences', { aud: ['https://localhost:8443', 'https://elsewhere.example'] }, 'audience'],
    ['without an audience', { aud: undefined }, 'audience'],
    ['without an expiry', { exp: undefined }, 'exp or iat'],
    ['without a time of issue', { iat: undefined }, 'exp or iat'],
    ['with a text as expiry', { exp: '9999999999' }, 'exp or iat'],
    ['of another issuer', { iss: 'https://token.actions.githubusercontent.com' }, GENERAL],
    ['of a longer issuer', { iss: 'http://127.0.0.1' }, GENERAL],
    ['without an issuer', { iss: undefined }, 'issuer'],
    ['of another repository', { repository: 'octo/compass-evil' }, GENERAL],
    ['of another owner', { repository: 'evil/compass' }, GENERAL],
    ['of another branch', { ref: 'refs/heads/main/evil' }, GENERAL],
    ['without a claim of the rule', { ref: undefined }, GENERAL],
    ['with a list as claim', { repository: ['octo/compass'] }, GENERAL],
  ])('refuse an ID token %s', async (_title, claims, reason) => {
    const { app, issuer } = await withRule(dialect);
    expect(await refuse(app, await issuer.sign(claims))).toContain(reason);
    await accept(app, await issuer.sign());
  });

  test('refuse ID tokens that have expired, are not valid yet, or are valid for too long, with 60 seconds of tolerance', async () => {
    const { app, issuer } = await withRule(dialect);
    const now = app.deps.clock.now() / SECOND;
    expect(await refuse(app, await issuer.sign({ exp: now - 60 }))).toContain('expired');
    await accept(app, await issuer.sign({ exp: now - 59 }));
    expect(await refuse(app, await issuer.sign({ nbf: now + 61 }))).toContain('not valid yet');
    await accept(app, await issuer.sign({ nbf: now + 60 }));
    expect(await refuse(app, await issuer.sign({ iat: now + 61 }))).toContain('future');
    await accept(app, await issuer.sign({ iat: now + 60, nbf: undefined }));
    expect(await refuse(app, await issuer.sign({ exp: now + DAY / SECOND + 1 }))).toContain('more than a day');
    await accept(app, await issuer.sign({ exp: now + DAY / SECOND }));
  });

  test('refuse unsigned and forged ID tokens', async () => {
    const { app, issuer } = await withRule(dialect);
    const encode = (value: object | string) =>
      Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
    const genuine = await issuer.sign();
    const [header = '', payload = '', signature = ''] = genuine.split('.');
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString());
    const [jwk] = issuer.keys;
    const key = await importJWK({ ...jwk }, 'RS256', { extractable: true });
    const pem = await exportSPKI(key as Parameters<typeof exportSPKI>[0]);
    const hmacHeader = encode({ alg: 'HS256', kid });
    const hmac = createHmac('sha256', pem).update(`${hmacHeader}.${payload}`).digest('base64url');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const other = await ciIssuer(app);
    const forged = await other.sign({ ...claims, iss: issuer.issuer }, { kid });
    for (const token of [
      `${encode({ alg: 'none', kid })}.${payload}.`,
      `${encode({ alg: 'none', kid })}.${payload}.x`,
      `${hmacHeader}.${payload}.${hmac}`,
      `${header}.${encode({ ...claims, sub: 'x' })}.${signature}`,
      `${header}.${payload}.${encode('forged')}`,
      `${encode({ alg: 'RS256', kid, crit: ['x'], x: 1 })}.${payload}.${signature}`,
      `${encode({ alg: 'RS256', kid, typ: 'logout+jwt' })}.${payload}.${signature}`,
      forged,
      'not a token',
      `${payload}.${payload}.${payload}`,
    ]) {
      await refuse(app, token);
    }
    await accept(app, genuine);
  });

  test('accept an ID token once, also at the same time and on another process', async () => {
    const { app, issuer } = await withRule(dialect);
    const idToken = await issuer.sign();
    const redeem = () => exchangeIdToken(app, idToken);
    const responses = await atOnce(app, [redeem, redeem, redeem], 'ci_rules');
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400, 400]);
    expect(await refuse(await app.another(), idToken)).toContain(GENERAL);
    app.advance(5 * MINUTE);
    expect(await refuse(app, idToken)).toContain(GENERAL);
    // Without an ID, the content counts.
    const unnamed = await issuer.sign({ jti: undefined });
    await accept(app, unnamed);
    await refuse(app, unnamed);
    // The same ID in another token.
    const claims = { jti: 'shared' };
    await accept(app, await issuer.sign(claims));
    await refuse(app, await issuer.sign({ ...claims, run_id: '4712' }));
  });

  test('do not let strangers find apps, or make the server call others', async () => {
    const { app, issuer, ada } = await withRule(dialect);
    await app.addApp(ada, 'private');
    const fetched = () => issuer.requests.length;
    const texts = new Set<string>();
    for (const audience of ['ada/private', 'ada/missing', 'eve/compass']) {
      texts.add(await refuse(app, await issuer.sign(), { audience }));
    }
    texts.add(await refuse(app, await issuer.sign({ repository: 'evil/compass' })));
    expect(texts.size).toBe(1);
    const unknown = await ciIssuer(app);
    const before = fetched();
    texts.add(await refuse(app, await unknown.sign()));
    expect([texts.size, unknown.requests, fetched()]).toEqual([1, [], before]);
  });

  test('slow down a network that sends refused ID tokens, but none that sends valid ones', async () => {
    const { app, issuer } = await withRule(dialect);
    const wrong = await issuer.sign({ repository: 'evil/compass' });
    const statuses = new Set<number>();
    for (let n = 0; n < 40; n += 1) statuses.add((await exchangeIdToken(app, wrong)).statusCode);
    expect([...statuses]).toEqual([400, 429]);
    await accept(app, await issuer.sign());
  });

  test('end their tokens on every process when they are deleted', async () => {
    const { app, issuer, rule, token, use } = await withRule(dialect);
    const value = await accept(app, await issuer.sign());
    const other = await app.another();
    expect([await use(value), await use(value, `${home}/deployments`, other)]).toEqual([200, 200]);
    expect((await app.call('DELETE', `${RULES}/${rule.id}`, { token })).statusCode).toBe(204);
    expect([await use(value), await use(value, `${home}/deployments`, other)]).toEqual([401, 401]);
    await refuse(app, await issuer.sign());
    expect((await app.call('DELETE', `${RULES}/${rule.id}`, { token })).statusCode).toBe(404);
  });

  test.each<[title: string, end: (f: Awaited<ReturnType<typeof withRule>>) => Promise<unknown>]>([
    [
      'loses the permission',
      ({ app, token }) =>
        app.call('PATCH', `${home}/users/grace@example.com`, { token, body: { permissions: ['developer'] } }),
    ],
    ['is removed from the app', ({ app, token }) => app.call('DELETE', `${home}/users/grace@example.com`, { token })],
    [
      'is disabled',
      async ({ app, token }) => {
        const [grace] = await app.database.query((q) =>
          q.selectFrom('owners').select('id').where('name', '=', 'grace'),
        );
        return app.call('PATCH', `/v0.1/admin/users/${grace?.id}`, { token, body: { is_disabled: true } });
      },
    ],
  ])('end when their creator %s', async (_title, end) => {
    const fixture = await withRule(dialect);
    const { app, compass, create, issuer, use, token, rule } = fixture;
    const grace = await app.addUser('grace');
    await app.addMember(compass, grace, 'manager');
    expect((await create({ claims: { repository: 'octo/grace' } }, await app.userToken(grace))).statusCode).toBe(201);
    const hers = await accept(app, await issuer.sign({ repository: 'octo/grace' }));
    const adas = await accept(app, await issuer.sign());
    expect(await end(fixture)).toMatchObject({ statusCode: expect.toSatisfy((status: number) => status < 300) });
    expect([await use(hers), await use(adas)]).toEqual([401, 200]);
    const { values } = (await app.call('GET', RULES, { token })).json();
    expect(values.map(({ id }: { id: string }) => id)).toEqual([rule.id]);
  });

  test('end with the app, and when it gets another owner', async () => {
    const { app, ada, issuer, token, use } = await withRule(dialect);
    const value = await accept(app, await issuer.sign());
    await app.addOrg(ada, 'lighthouse');
    const moved = await app.call('POST', `${home}/transfer/lighthouse`, { token, body: {} });
    expect(moved.statusCode).toBe(200);
    expect(await use(value, '/v0.1/apps/lighthouse/compass/deployments')).toBe(401);
    await refuse(app, await issuer.sign(), { audience: 'lighthouse/compass' });
  });

  test('apply the matching rule with the most permissions', async () => {
    const { app, create, issuer } = await withRule(dialect);
    await create({ claims: { repository: 'octo/*' }, permissions: ['symbols:write'] });
    const permissions = ['releases:distribute', 'releases:write', 'symbols:write'];
    await create({ claims: { repository: 'octo/*', environment: 'store' }, permissions });
    const scope = async (claims: object) => (await exchangeIdToken(app, await issuer.sign({ ...claims }))).json().scope;
    expect(await scope({})).toBe('codepush:write releases:write');
    expect(await scope({ ref: 'refs/heads/topic' })).toBe('symbols:write');
    expect(await scope({ environment: 'store' })).toBe(permissions.join(' '));
  });

  test('issue tokens that create no other tokens and rules', async () => {
    const { app, create, issuer } = await withRule(dialect);
    await create({
      claims: { repository: 'octo/compass' },
      permissions: ['apps:write', 'apps:delete', 'releases:write'],
    });
    const value = await accept(app, await issuer.sign());
    const attempt = async (url: string, body: object) =>
      (await app.call('POST', url, { token: value, body })).statusCode;
    expect(await attempt(`${home}/api_tokens`, { scope: ['releases:write'] })).toBe(403);
    expect(await attempt(`${home}/api_tokens`, { scope: ['viewer'] })).toBe(403);
    expect((await create({}, value)).statusCode).toBe(403);
  });

  test('are for people who manage the app', async () => {
    const { app, ada, compass, create, rule } = await withRule(dialect);
    for (const permission of ['developer', 'viewer'] as const) {
      const user = await app.addUser(permission);
      await app.addMember(compass, user, permission);
      const token = await app.userToken(user);
      expect((await create({}, token)).statusCode).toBe(403);
      expect((await app.call('GET', RULES, { token })).statusCode).toBe(403);
      expect((await app.call('DELETE', `${RULES}/${rule.id}`, { token })).statusCode).toBe(403);
    }
    // A rule outlives the token that creates it, so limited tokens and app tokens create none.
    expect((await create({}, await app.appToken(compass, ada))).statusCode).toBe(403);
    expect((await create({}, await app.userToken(ada, { scope: ['apps:write', 'releases:write'] }))).statusCode).toBe(
      403,
    );
  });

  test.each<[title: string, body: object]>([
    ['no owner', { claims: { ref: 'refs/heads/main' } }],
    ['a pattern for all owners', { claims: { repository: '*/compass' } }],
    ['an empty set of claims', { claims: {} }],
    ['an invalid name of a claim', { claims: { repository: 'octo/compass', 'Ref!': 'x' } }],
    ['a number as pattern', { claims: { repository: 7 } }],
    ['an http issuer', { issuer: 'http://gitlab.example.com' }],
    ['a private address', { issuer: 'https://10.0.0.7' }],
    ['the issuer of the other provider', { issuer: 'https://gitlab.com' }],
    ['a permission of other areas', { permissions: ['admin:write'] }],
    ['no permission', { permissions: [] }],
    ['an unknown provider', { provider: 'bitrise' }],
  ])('are refused with %s', async (_title, body) => {
    const { create } = await withRule(dialect);
    expect((await create(body)).statusCode).toBe(400);
  });

  test('are limited in number', async () => {
    const { create, token, app } = await withRule(dialect);
    for (let n = 1; n < 50; n += 1) expect((await create({ issuer: undefined })).statusCode).toBe(201);
    const responses = await atOnce(app, [() => create(), () => create()], 'ci_rules');
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([409, 409]);
    const { values } = (await app.call('GET', RULES, { token })).json();
    expect([values.length, values.at(-1).issuer]).toEqual([50, 'https://token.actions.githubusercontent.com']);
  });
});

eachDatabase('keys of CI issuers', (dialect) => {
  const status = async (app: TestApp, issuer: CiIssuer) => {
    const response = await exchangeIdToken(app, await issuer.sign());
    return [response.statusCode, response.json().error];
  };
  const down = [400, 'temporarily_unavailable'];
  const invalid = [400, 'invalid_grant'];

  test('are cached, and fetched again for an unknown key, but not more often than every 10 seconds', async () => {
    const { app, issuer } = await withRule(dialect);
    await accept(app, await issuer.sign());
    await accept(app, await issuer.sign());
    expect(issuer.requests).toEqual(['/.well-known/openid-configuration', '/keys']);
    await issuer.rotate();
    expect(await status(app, issuer)).toEqual(invalid);
    expect(issuer.requests).toHaveLength(2);
    app.advance(10 * SECOND);
    await accept(app, await issuer.sign());
    expect(issuer.requests).toHaveLength(4);
    for (let n = 0; n < 5; n += 1) await refuse(app, await issuer.sign({}, { kid: `unknown-${n}` }));
    expect(issuer.requests).toHaveLength(4);
  });

  test('stay valid for a day while the issuer is down', async () => {
    const { app, issuer } = await withRule(dialect);
    await accept(app, await issuer.sign());
    issuer.respond['/keys'] = { status: 503 };
    app.advance(2 * HOUR);
    await accept(app, await issuer.sign());
    app.advance(DAY);
    expect(await status(app, issuer)).toEqual(down);
    delete issuer.respond['/keys'];
    expect(await status(app, issuer)).toEqual(down);
    app.advance(10 * SECOND);
    await accept(app, await issuer.sign());
  });

  const discovery = '/.well-known/openid-configuration';
  test.each<[title: string, change: () => Partial<CiIssuer>]>([
    ['is down', () => ({ respond: { [discovery]: { status: 500 } } })],
    ['redirects', () => ({ respond: { [discovery]: { status: 302, headers: { location: '/elsewhere' } } } })],
    ['redirects to its keys', () => ({ respond: { '/keys': { status: 302, headers: { location: '/elsewhere' } } } })],
    [
      'has a huge key set',
      () => ({ respond: { '/keys': { status: 200, body: `{"keys":[],"x":"${'x'.repeat(300_000)}"}` } } }),
    ],
    ['has too many keys', () => ({ keys: Array.from({ length: 101 }, () => ({ kty: 'RSA' })) })],
    ['has no list of keys', () => ({ respond: { '/keys': { status: 200, body: '{"keys":"none"}' } } })],
    ['has no JSON', () => ({ respond: { '/keys': { status: 200, body: '<html>' } } })],
    ['names another issuer', () => ({ metadata: { issuer: 'https://elsewhere.example' } })],
    ['has keys at an internal address', () => ({ metadata: { jwks_uri: 'http://10.0.0.7/keys' } })],
    ['has keys at a file', () => ({ metadata: { jwks_uri: 'file:///etc/passwd' } })],
    ['has no address of keys', () => ({ metadata: { jwks_uri: 7 } })],
  ])('are unavailable if the issuer %s', async (_title, change) => {
    const { app, issuer } = await withRule(dialect);
    Object.assign(issuer, change());
    expect(await status(app, issuer)).toEqual(down);
    expect(issuer.requests).not.toContain('/elsewhere');
  });

  test('of strange types are not used', async () => {
    const { app, issuer } = await withRule(dialect);
    const [own] = issuer.keys;
    const kid = own?.kid ?? '';
    issuer.keys = [
      { kty: 'oct', k: 'c2VjcmV0', kid, alg: 'HS256' },
      { kty: 'RSA', n: 'AQ', e: 'AQAB', kid },
    ];
    expect(await status(app, issuer)).toEqual(invalid);
  });
});
