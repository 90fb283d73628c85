import { API_TOKENS_PER_ACCOUNT } from '@mooring/contract';
import { expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../test/harness/app.ts';
import { atOnce } from '../../../test/harness/races.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import type { User } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { DAY } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/crypto/crypto.ts';
import { insertToken } from './api-tokens.store.ts';
import { findTokenActor } from './api-tokens.ts';
import { mintToken } from './token-value.ts';

const json = (body: object) => ({ body });

/** Fills an account with tokens, without the cost of creating them through the API. */
const fillAccount = (app: TestApp, user: User, upTo: number, appId: string | null = null) =>
  tx(app.deps, async ({ db, newId, clock }) => {
    for (let n = 0; n < upTo; n++) {
      const { hash, lastFour } = mintToken('user');
      await insertToken.run(db, {
        hash,
        id: newId(),
        app_id: appId,
        created_by: user.id,
        description: null,
        scope: 'all',
        last_four: lastFour,
        created_at: clock.now(),
        expires_at: null,
      });
    }
  });

eachDatabase('API tokens', (dialect) => {
  test('a created token works, and its value is never shown again', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada', { isAdmin: true });
    const first = await app.userToken(ada);

    const created = await app.call('POST', '/v0.1/api_tokens', { token: first, ...json({ description: 'nightly' }) });
    expect(created.statusCode).toBe(201);
    const { api_token: value, id, ...rest } = created.json();
    expect(rest).toEqual({ description: 'nightly', scope: ['all'], created_at: '2026-11-01T09:00:00.000Z' });
    expect((await app.call('GET', '/v0.1/user', { token: value })).json().name).toBe('ada');

    const listed = await app.call('GET', '/v0.1/api_tokens', { token: value });
    expect(listed.json()).toHaveLength(2);
    expect(listed.json().find((token: { id: string }) => token.id === id)).toMatchObject({
      description: 'nightly',
      last_four: value.slice(-4),
      created_by: 'ada',
    });
    const audit = await app.call('GET', '/v0.1/admin/audit', { token: value });
    const stored = await app.database.query((q) => q.selectFrom('api_tokens').selectAll());
    for (const text of [listed.body, audit.body, JSON.stringify(stored), await app.logged()]) {
      expect(text).not.toContain(value);
    }
    expect(await app.logged()).toContain('"operation":"userApiTokens_create"');
    expect(stored.map(({ hash }) => hash)).toContain(sha256(value));
  });

  test.each([
    [undefined, ['all']],
    [['all'], ['all']],
    [['viewer'], ['viewer']],
    [['viewer', 'all'], ['all']],
  ])('creating a token with scope %j results in scope %j', async (scope, made) => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada'));
    const response = await app.call('POST', '/v0.1/api_tokens', { token, ...json({ scope }) });
    expect(response.json().scope).toEqual(made);
  });

  test.each([
    ['an unknown scope', { scope: ['admin'] }, expect.stringMatching(/^scope\.0 must be one of all, viewer, /)],
    ['no scope at all', { scope: [] }, 'scope must have at least 1 entry.'],
    ['a name that is too long', { description: 'x'.repeat(201) }, 'description must have at most 200 characters.'],
    [
      'an expiry that is no time',
      { expires_at: 'tomorrow' },
      'expires_at must be a time such as 2027-03-31T12:00:00Z.',
    ],
    ['an expiry in the past', { expires_at: '2026-10-31T09:00:00Z' }, 'expires_at must be in the future.'],
    ['an expiry that is now', { expires_at: '2026-11-01T09:00:00Z' }, 'expires_at must be in the future.'],
  ])('refuses %s and creates nothing', async (_what, body, message) => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada'));
    const response = await app.call('POST', '/v0.1/api_tokens', { token, ...json(body) });
    expect([response.statusCode, response.json()]).toEqual([400, { error: { code: 'BadRequest', message } }]);
    expect((await app.call('GET', '/v0.1/api_tokens', { token })).json()).toHaveLength(1);
  });

  test('a deleted token is refused on the next request, like any invalid token', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const otherToken = await app.userToken(ada);
    const gone = await app.userToken(ada);
    const { id } = (await app.call('GET', '/v0.1/api_tokens', { token: gone }))
      .json()
      .find((token: { last_four: string }) => token.last_four === gone.slice(-4));

    expect((await app.call('DELETE', `/v0.1/api_tokens/${id}`, { token: otherToken })).statusCode).toBe(204);
    const revoked = await app.call('GET', '/v0.1/user', { token: gone });
    expect(revoked.statusCode).toBe(401);
    const others = [undefined, 'nonsense', mintToken('user').value, `${otherToken.slice(0, -1)}!`];
    for (const token of others) {
      const response = await app.call('GET', '/v0.1/user', { token });
      expect([response.statusCode, response.body]).toEqual([401, revoked.body]);
    }
    expect((await app.call('DELETE', `/v0.1/api_tokens/${id}`, { token: otherToken })).statusCode).toBe(404);
  });

  test('refuses an expired token even if it was cached, and still lists it', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const otherToken = await app.userToken(ada);
    const short = await app.userToken(ada, { expiresAt: app.deps.clock.now() + DAY });
    expect((await app.call('GET', '/v0.1/user', { token: short })).statusCode).toBe(200);
    app.advance(DAY);
    expect((await app.call('GET', '/v0.1/user', { token: short })).statusCode).toBe(401);
    // A process without a cached token reads the database.
    expect(await findTokenActor(app.deps, short)).toBeUndefined();
    expect((await app.call('GET', '/v0.1/api_tokens', { token: otherToken })).json()).toHaveLength(2);
  });

  test('a token of another user cannot be read or deleted', async () => {
    const app = await testApp(dialect);
    const mallory = await app.userToken(await app.addUser('mallory'));
    const ada = await app.userToken(await app.addUser('ada'));
    const [{ id }] = (await app.call('GET', '/v0.1/api_tokens', { token: ada })).json();
    expect((await app.call('DELETE', `/v0.1/api_tokens/${id}`, { token: mallory })).statusCode).toBe(404);
    expect((await app.call('GET', '/v0.1/user', { token: ada })).statusCode).toBe(200);
  });

  test('a read-only user token can only read', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada', { isAdmin: true });
    const token = await app.userToken(ada, { scope: ['viewer'] });
    expect((await app.call('GET', '/v0.1/user', { token })).statusCode).toBe(200);
    expect((await app.call('GET', '/v0.1/api_tokens', { token })).statusCode).toBe(200);
    const [{ id }] = (await app.call('GET', '/v0.1/api_tokens', { token })).json();
    const changes = [
      app.call('PATCH', '/v0.1/user', { token, ...json({ display_name: 'X' }) }),
      app.call('POST', '/v0.1/api_tokens', { token, ...json({ scope: ['viewer'] }) }),
      app.call('DELETE', `/v0.1/api_tokens/${id}`, { token }),
      app.call('POST', '/v0.1/admin/users', { token, ...json({ email: 'x@example.com', password: 'long enough 1' }) }),
    ];
    for (const response of await Promise.all(changes)) expect(response.statusCode).toBe(403);
    expect((await app.call('GET', '/v0.1/user', { token })).json().display_name).toBe('ada');
  });

  test('an app token is valid for its app only', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada', { isAdmin: true });
    const compass = await app.addApp(ada, 'compass');
    await app.addApp(ada, 'sextant');
    const token = await app.appToken(compass, ada);
    expect((await app.call('GET', '/v0.1/apps/ada/compass/api_tokens', { token })).statusCode).toBe(200);
    expect((await app.call('GET', '/v0.1/apps/ada/sextant/api_tokens', { token })).statusCode).toBe(404);
    for (const path of ['/v0.1/user', '/v0.1/api_tokens', '/v0.1/sessions', '/v0.1/admin/users']) {
      expect((await app.call('GET', path, { token })).statusCode).toBe(403);
    }
  });

  /** The rules for creating app tokens. */
  test.each([
    ['manager', 'all', 201],
    ['manager', 'viewer', 201],
    ['developer', 'all', 403],
    ['developer', 'viewer', 201],
    ['viewer', 'all', 403],
    ['viewer', 'viewer', 403],
    ['tester', 'viewer', 403],
    ['nobody', 'viewer', 404],
  ] as const)('a %s who creates an app token with scope %s gets %i', async (role, scope, status) => {
    const app = await testApp(dialect);
    const compass = await app.addApp(await app.addUser('ada'), 'compass');
    const grace = await app.addUser('grace');
    if (role !== 'nobody') await app.addMember(compass, grace, role);
    const token = await app.userToken(grace);
    const response = await app.call('POST', '/v0.1/apps/ada/compass/api_tokens', {
      token,
      ...json({ scope: [scope] }),
    });
    expect(response.statusCode).toBe(status);
    if (status === 201) expect(response.json().api_token).toMatch(/^moor_a_/);
  });

  test('an app token is limited by its scope: read-only ones create no tokens, full ones do', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const compass = await app.addApp(ada, 'compass');
    const create = (token: string) => app.call('POST', '/v0.1/apps/ada/compass/api_tokens', { token, ...json({}) });
    expect((await create(await app.appToken(compass, ada, { scope: ['viewer'] }))).statusCode).toBe(403);
    expect((await create(await app.appToken(compass, ada, { scope: ['all'] }))).statusCode).toBe(201);
  });

  test('a user token has the permissions of its user at the time of the request', async () => {
    const app = await testApp(dialect);
    const compass = await app.addApp(await app.addUser('ada'), 'compass');
    const grace = await app.addUser('grace');
    const token = await app.userToken(grace);
    const list = () => app.call('GET', '/v0.1/apps/ada/compass/api_tokens', { token });
    expect((await list()).statusCode).toBe(404);
    await app.addMember(compass, grace, 'developer');
    expect((await list()).statusCode).toBe(200);
    await app.addMember(compass, grace, 'viewer');
    expect((await list()).statusCode).toBe(403);
  });

  test('a read-only user token of a manager is a viewer of the app', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    await app.addApp(ada, 'compass');
    const token = await app.userToken(ada, { scope: ['viewer'] });
    const response = await app.call('GET', '/v0.1/apps/ada/compass/api_tokens', { token });
    expect([response.statusCode, response.json().error.message]).toEqual([
      403,
      'This requires developer permission on ada/compass; you have viewer.',
    ]);
  });

  test('managers delete any token of the app, developers only their own', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const compass = await app.addApp(ada, 'compass');
    const grace = await app.addUser('grace');
    await app.addMember(compass, grace, 'developer');
    const url = '/v0.1/apps/ada/compass/api_tokens';
    const [adas, graces] = [await app.userToken(ada), await app.userToken(grace)];
    const make = async (token: string) =>
      (await app.call('POST', url, { token, ...json({ scope: ['viewer'] }) })).json().id;
    const [ofAda, ofGrace, another] = [await make(adas), await make(graces), await make(graces)];
    expect((await app.call('DELETE', `${url}/${ofAda}`, { token: graces })).statusCode).toBe(403);
    expect((await app.call('DELETE', `${url}/${ofGrace}`, { token: graces })).statusCode).toBe(204);
    expect((await app.call('DELETE', `${url}/${another}`, { token: adas })).statusCode).toBe(204);
    expect((await app.call('DELETE', `/v0.1/api_tokens/${ofAda}`, { token: adas })).statusCode).toBe(404);
  });

  test('paths of an app ignore case', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    await app.addApp(ada, 'Compass');
    const token = await app.userToken(ada);
    expect((await app.call('GET', '/v0.1/apps/ADA/compass/api_tokens', { token })).statusCode).toBe(200);
  });

  test('the 5001st token is refused, counting both kinds, also under concurrent creation', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const compass = await app.addApp(ada, 'compass');
    const token = await app.userToken(ada);
    await fillAccount(app, ada, 2000);
    await fillAccount(app, ada, API_TOKENS_PER_ACCOUNT - 2000 - 1 - 1, compass.id);
    const urls = ['/v0.1/api_tokens', '/v0.1/apps/ada/compass/api_tokens', '/v0.1/api_tokens'];
    const [made, ...refused] = await atOnce(
      app,
      urls.map((url) => () => app.call('POST', url, { token, ...json({}) })),
    );
    expect([made?.statusCode, refused.length]).toEqual([201, 2]);
    for (const response of refused) {
      expect([response.statusCode, response.json().error.code]).toEqual([409, 'Conflict']);
      expect(response.json().error.message).toContain('5000 API tokens');
    }
  });

  test('stores the last use of a token later, outside of the request', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const token = await app.userToken(ada);
    const lastUsed = async () => (await app.call('GET', '/v0.1/api_tokens', { token })).json()[0].last_used_at;
    expect(await lastUsed()).toBeUndefined();
    await app.writeUse();
    expect(await lastUsed()).toBe('2026-11-01T09:00:00.000Z');
  });

  test('administrators list and revoke the tokens of a user, of both kinds, one or all', async () => {
    const app = await testApp(dialect);
    const root = await app.userToken(await app.addUser('root', { isAdmin: true }));
    const grace = await app.addUser('grace');
    const compass = await app.addApp(grace, 'compass');
    const [own, forApp] = [await app.userToken(grace), await app.appToken(compass, grace)];
    const url = `/v0.1/admin/users/${grace.id}/api_tokens`;
    const list = async () => (await app.call('GET', url, { token: root })).json();
    const use = async (token: string, path = '/v0.1/user') => (await app.call('GET', path, { token })).statusCode;
    const seen = await list();
    expect(seen.map(({ app, created_by }: Record<string, string>) => [app, created_by])).toEqual([
      ['grace/compass', 'grace'],
      [undefined, 'grace'],
    ]);
    expect(JSON.stringify(seen)).not.toContain(own);
    const mine = seen.find((token: { app?: string }) => token.app === undefined);
    expect((await app.call('DELETE', `${url}/${mine.id}`, { token: root })).statusCode).toBe(204);
    expect((await app.call('DELETE', `${url}/${mine.id}`, { token: root })).statusCode).toBe(404);
    expect([await use(own), await use(forApp, '/v0.1/apps/grace/compass')]).toEqual([401, 200]);
    const again = await app.userToken(grace);
    expect((await app.call('DELETE', url, { token: root })).statusCode).toBe(204);
    expect([await use(again), await use(forApp, '/v0.1/apps/grace/compass')]).toEqual([401, 401]);
    expect([await list(), await use(root)]).toEqual([[], 200]);
    const others = (await app.call('GET', '/v0.1/api_tokens', { token: root })).json();
    expect((await app.call('DELETE', `${url}/${others[0].id}`, { token: root })).statusCode).toBe(404);
    const unknownUserPath = '/v0.1/admin/users/00000000-0000-4000-8000-000000000000/api_tokens';
    expect((await app.call('GET', unknownUserPath, { token: root })).statusCode).toBe(404);
    expect((await app.call('DELETE', unknownUserPath, { token: root })).statusCode).toBe(404);
  });
});
