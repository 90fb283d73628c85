import { expect, test } from 'vitest';
import { password, type TestApp, testApp } from '../../../../test/harness/app.ts';
import { recorded } from '../../../../test/harness/audit.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { takeFromDatabase } from '../../../http/rate-limits/rate-counts.ts';
import { DAY, HOUR, MINUTE } from '../../../kernel/clock.ts';
import { createPasswordReset } from './password-resets.ts';
import { sweepSignIns } from './sessions.ts';

const own = { origin: 'http://localhost:80', host: 'localhost:80' };

const signIn = (app: TestApp, login = 'ada', secret = password) =>
  app.call('POST', '/v0.1/sessions', { body: { login, password: secret } });

const getSessionCookie = (response: Awaited<ReturnType<typeof signIn>>) =>
  String(response.headers['set-cookie']).split(';')[0] ?? '';

eachDatabase('sessions', (dialect) => {
  test.each(['ada', 'ADA', 'ada@example.com', ' Ada@Example.com '])('signs in as %j', async (login) => {
    const app = await testApp(dialect);
    await app.addUser('ada');
    const response = await signIn(app, login);
    expect([response.statusCode, response.json().name]).toEqual([201, 'ada']);
    expect(response.headers['set-cookie']).toMatch(
      /^mooring_session=\w{32}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=/,
    );
    const headers = { cookie: getSessionCookie(response) };
    expect((await app.call('GET', '/v0.1/user', { headers })).json().name).toBe('ada');
  });

  test('store only a hash of the cookie', async () => {
    const app = await testApp(dialect);
    await app.addUser('ada');
    const secret = getSessionCookie(await signIn(app)).split('=')[1] ?? '';
    const rows = await app.database.query((q) => q.selectFrom('sessions').selectAll());
    expect(secret).toHaveLength(32);
    expect(JSON.stringify(rows) + (await app.logged())).not.toContain(secret);
  });

  test('respond the same to an unknown name and a wrong password', async () => {
    const app = await testApp(dialect);
    await app.addUser('ada');
    const [unknown, wrong] = [await signIn(app, 'nobody'), await signIn(app, 'ada', 'not the password')];
    expect([unknown.statusCode, unknown.body]).toEqual([401, wrong.body]);
    expect(wrong.statusCode).toBe(401);
  });

  test('slow an account down after failures, even with the right password, for a limited time', async () => {
    const app = await testApp(dialect);
    await app.addUser('ada');
    await app.addUser('grace');
    const attempts = await Promise.all(Array.from({ length: 15 }, () => signIn(app, 'ada', 'not the password')));
    expect(attempts.filter(({ statusCode }) => statusCode === 401)).toHaveLength(10);
    const slowed = await signIn(app);
    expect(slowed.statusCode).toBe(429);
    expect(Number(slowed.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect((await signIn(app, 'grace')).statusCode).toBe(201);
    app.advance(MINUTE);
    expect((await signIn(app)).statusCode).toBe(201);
    expect((await signIn(app, 'ada', 'not the password')).statusCode).toBe(401);
    expect((await signIn(app)).statusCode).toBe(201);
  });

  test('share one count of failures between the name and the email', async () => {
    const app = await testApp(dialect);
    await app.addUser('ada');
    for (let n = 0; n < 10; n++) await signIn(app, n % 2 ? 'ada' : 'Ada@example.com', 'not the password');
    expect((await signIn(app, 'ada')).statusCode).toBe(429);
    expect((await signIn(app, 'ada@example.com')).statusCode).toBe(429);
    app.advance(MINUTE);
    expect((await signIn(app, 'ada@example.com')).statusCode).toBe(201);
    expect((await signIn(app, 'ada', 'not the password')).statusCode).toBe(401);
  });

  test('slow an address down after failures, for any name', async () => {
    const app = await testApp(dialect);
    await app.addUser('ada');
    for (let n = 0; n < 30; n++) await signIn(app, `guess-${n}`, 'not the password');
    expect((await signIn(app)).statusCode).toBe(429);
    const elsewhere = { body: { login: 'ada', password }, remoteAddress: '192.0.2.7' };
    expect((await app.call('POST', '/v0.1/sessions', elsewhere)).statusCode).toBe(201);
  });

  test('store neither calling addresses nor accounts in the counters', async () => {
    const app = await testApp(dialect, { openSignUp: true, rateLimit: 1000 });
    const [remoteAddress, email] = ['203.0.113.77', 'ada@example.com'];
    const post = (url: string, body: object) => app.call('POST', url, { body, remoteAddress });
    await post('/v0.1/users', { email, password });
    await post('/v0.1/sessions', { login: email, password: 'not the password' });
    await post('/v0.1/sessions', { login: 'nobody@example.com', password });
    await post('/v0.1/password_resets', { email });
    await takeFromDatabase(app.deps)(`address:${remoteAddress}`, 0, 1);
    const counts = [
      ...(await app.database.query((q) => q.selectFrom('sign_in_failures').selectAll())),
      ...(await app.database.query((q) => q.selectFrom('rate_counts').selectAll())),
    ];
    expect(counts.length).toBeGreaterThan(5);
    expect(JSON.stringify(counts)).not.toMatch(/203\.0\.113|@example\.com/);
  });

  test('are not blocked by failures after the clock was set back', async () => {
    const app = await testApp(dialect);
    await app.addUser('ada');
    for (let n = 0; n < 12; n++) await signIn(app, 'ada', 'not the password');
    app.advance(-DAY);
    expect((await signIn(app, 'ada', 'not the password')).statusCode).toBe(401);
    expect((await signIn(app)).statusCode).toBe(429);
    app.advance(MINUTE);
    expect((await signIn(app)).statusCode).toBe(201);
    app.advance(-DAY);
    expect((await signIn(app)).statusCode).toBe(201);
  });

  test('end with signing out, on the very next request', async () => {
    const app = await testApp(dialect);
    await app.addUser('ada');
    const headers = { cookie: getSessionCookie(await signIn(app)), ...own };
    const ended = await app.call('DELETE', '/v0.1/sessions/current', { headers });
    expect([ended.statusCode, String(ended.headers['set-cookie'])]).toEqual([
      204,
      expect.stringContaining('Max-Age=0'),
    ]);
    expect((await app.call('GET', '/v0.1/user', { headers })).statusCode).toBe(401);
  });

  test('replace the previous session of the browser', async () => {
    const app = await testApp(dialect);
    await app.addUser('ada');
    const old = { cookie: getSessionCookie(await signIn(app)), ...own };
    const again = await app.call('POST', '/v0.1/sessions', { headers: old, body: { login: 'ada', password } });
    expect((await app.call('GET', '/v0.1/user', { headers: old })).statusCode).toBe(401);
    expect((await app.call('GET', '/v0.1/user', { headers: { cookie: getSessionCookie(again) } })).statusCode).toBe(
      200,
    );
  });

  test('are listed and ended one by one, only by their own user', async () => {
    const app = await testApp(dialect);
    await app.addUser('ada');
    await app.addUser('grace');
    const first = { cookie: getSessionCookie(await signIn(app)), ...own };
    const second = { cookie: getSessionCookie(await signIn(app)), ...own };
    const stranger = { cookie: getSessionCookie(await signIn(app, 'grace')), ...own };
    const sessions = (await app.call('GET', '/v0.1/sessions', { headers: second })).json();
    expect(sessions.map((session: { is_current: boolean }) => session.is_current).sort()).toEqual([false, true]);
    const { id } = sessions.find((session: { is_current: boolean }) => !session.is_current);
    const end = (headers: object) => app.call('DELETE', `/v0.1/sessions/${id}`, { headers: { ...headers } });
    expect((await end(stranger)).statusCode).toBe(404);
    expect((await end(second)).statusCode).toBe(204);
    expect((await app.call('GET', '/v0.1/user', { headers: first })).statusCode).toBe(401);
    expect((await app.call('GET', '/v0.1/user', { headers: second })).statusCode).toBe(200);
  });

  test.each([
    ['a new password', { password: 'staple the battery' }],
    ['being disabled', { is_disabled: true }],
  ])('all end after %s by an administrator, including cached ones', async (_what, body) => {
    const app = await testApp(dialect);
    const other = await app.another();
    const token = await app.userToken(await app.addUser('root', { isAdmin: true }));
    const ada = await app.addUser('ada');
    const headers = { cookie: getSessionCookie(await signIn(app)), ...own };
    const statuses = async () => [
      (await app.call('GET', '/v0.1/user', { headers })).statusCode,
      (await other.http.inject({ url: '/v0.1/user', headers })).statusCode,
      (await app.call('POST', '/v0.1/api_tokens', { headers, body: {} })).statusCode,
    ];
    expect(await statuses()).toEqual([200, 200, 201]);
    expect((await app.call('PATCH', `/v0.1/admin/users/${ada.id}`, { token, body })).statusCode).toBe(200);
    expect(await statuses()).toEqual([401, 401, 401]);
  });

  test('other than the current one end when the user changes the password, including cached ones', async () => {
    const app = await testApp(dialect);
    await app.addUser('ada');
    const stolen = { cookie: getSessionCookie(await signIn(app)), ...own };
    const mine = { cookie: getSessionCookie(await signIn(app)), ...own };
    const profile = async (headers: object) =>
      (await app.call('GET', '/v0.1/user', { headers: { ...headers } })).statusCode;
    expect([await profile(stolen), await profile(mine)]).toEqual([200, 200]);
    const body = { current_password: password, new_password: 'staple the battery' };
    expect((await app.call('PUT', '/v0.1/user/password', { headers: mine, body })).statusCode).toBe(204);
    expect([await profile(stolen), await profile(mine)]).toEqual([401, 200]);
  });

  test('expire', async () => {
    const app = await testApp(dialect, { sessionDays: 2 });
    await app.addUser('ada');
    const headers = { cookie: getSessionCookie(await signIn(app)) };
    expect((await app.call('GET', '/v0.1/user', { headers })).statusCode).toBe(200);
    app.advance(2 * DAY);
    expect((await app.call('GET', '/v0.1/user', { headers })).statusCode).toBe(401);
  });

  test.each([
    ['another site', { origin: 'https://evil.example' }, 403],
    ['another site that the browser names', { 'sec-fetch-site': 'cross-site', origin: own.origin }, 403],
    ['a neighbour of this site', { 'sec-fetch-site': 'same-site' }, 403],
    ['an unknown page', {}, 403],
    ['a page of this server', own, 200],
    ['a page of this server that the browser names', { 'sec-fetch-site': 'same-origin' }, 200],
  ])('accept changes from the same site only: %s', async (_who, headers, status) => {
    const app = await testApp(dialect);
    await app.addUser('ada');
    const cookie = getSessionCookie(await signIn(app));
    const body = { display_name: 'Ada' };
    const response = await app.call('PATCH', '/v0.1/user', { headers: { cookie, ...headers }, body });
    expect(response.statusCode).toBe(status);
  });

  test('cannot be started by a page of another site', async () => {
    const app = await testApp(dialect);
    await app.addUser('ada');
    const headers = { origin: 'https://evil.example' };
    const response = await app.call('POST', '/v0.1/sessions', { headers, body: { login: 'ada', password } });
    expect(response.statusCode).toBe(403);
  });

  test('are listed newest first with address and expiry, until they expire', async () => {
    const app = await testApp(dialect, { sessionDays: 2 });
    const token = await app.userToken(await app.addUser('ada'));
    const open = (agent: string, remoteAddress: string) =>
      app.call('POST', '/v0.1/sessions', {
        body: { login: 'ada', password },
        headers: { 'user-agent': agent },
        remoteAddress,
      });
    await open('x'.repeat(301), '192.0.2.1');
    app.advance(DAY);
    await open('browser', '192.0.2.2');
    const list = async () => (await app.call('GET', '/v0.1/sessions', { token })).json();
    const id = expect.any(String);
    const [first, second] = ['2026-11-01T09:00:00.000Z', '2026-11-02T09:00:00.000Z'];
    const newest = {
      ...{ id, created_at: second, last_seen_at: second, expires_at: '2026-11-04T09:00:00.000Z' },
      ...{ address: '192.0.2.2', user_agent: 'browser', is_current: false },
    };
    expect(await list()).toEqual([
      newest,
      {
        ...{ id, created_at: first, last_seen_at: first, expires_at: '2026-11-03T09:00:00.000Z' },
        ...{ address: '192.0.2.1', user_agent: 'x'.repeat(300), is_current: false },
      },
    ]);
    app.advance(DAY);
    expect(await list()).toEqual([newest]);
  });

  test('record when they were last seen outside of requests', async () => {
    const app = await testApp(dialect);
    await app.addUser('ada');
    const [headers, other] = [
      { cookie: getSessionCookie(await signIn(app)) },
      { cookie: getSessionCookie(await signIn(app)) },
    ];
    app.advance(MINUTE);
    await app.call('GET', '/v0.1/user', { headers });
    await app.writeUse();
    const sessions = (await app.call('GET', '/v0.1/sessions', { headers: other })).json();
    const seen = (isCurrent: boolean) =>
      sessions.find((session: { is_current: boolean }) => session.is_current === isCurrent).last_seen_at;
    expect([seen(false), seen(true)]).toEqual(['2026-11-01T09:01:00.000Z', '2026-11-01T09:00:00.000Z']);
  });

  test('rejects ending the current session without one, and ending an unknown session', async () => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada'));
    for (const id of ['current', app.deps.newId()]) {
      expect((await app.call('DELETE', `/v0.1/sessions/${id}`, { token })).statusCode).toBe(404);
    }
  });

  test('are recorded in the audit log when they begin and end', async () => {
    const app = await testApp(dialect);
    await app.addUser('ada');
    const headers = { cookie: getSessionCookie(await signIn(app)), ...own };
    const again = await app.call('POST', '/v0.1/sessions', { headers, body: { login: 'ada', password } });
    await app.call('DELETE', '/v0.1/sessions/current', { headers: { cookie: getSessionCookie(again), ...own } });
    const log = await recorded(app, 'session.');
    expect(log.map(({ action, by, subject }) => [action, by, subject.kind, subject.name])).toEqual(
      ['create', 'delete', 'create', 'delete'].map((operation) => [`session.${operation}`, 'ada', 'session', 'ada']),
    );
    const [first, ended, second, last] = log.map(({ subject }) => subject.id);
    expect([ended, last]).toEqual([first, second]);
    expect(first).not.toBe(second);
  });

  test('of two users in one browser are separate, and the first one ends', async () => {
    const app = await testApp(dialect);
    await app.addUser('ada');
    await app.addUser('grace');
    const headers = { cookie: getSessionCookie(await signIn(app)), ...own };
    await app.call('POST', '/v0.1/sessions', { headers, body: { login: 'grace', password } });
    expect((await app.call('GET', '/v0.1/user', { headers })).statusCode).toBe(401);
    const rows = await app.database.query((q) => q.selectFrom('sessions').select('id'));
    expect(rows).toHaveLength(1);
  });

  test('that have expired are deleted, with links and failures that no longer count, and no others', async () => {
    const app = await testApp(dialect, { sessionDays: 1 });
    const [ada, root] = [await app.addUser('ada'), await app.addUser('root', { isAdmin: true })];
    const left = async () =>
      Promise.all([
        app.database.query((q) => q.selectFrom('sessions').select('id')),
        app.database.query((q) => q.selectFrom('password_resets').select('id')),
        app.database.query((q) => q.selectFrom('sign_in_failures').select('subject')),
      ]).then((all) => all.map(({ length }) => length));
    await signIn(app);
    await signIn(app, 'nobody');
    await createPasswordReset(app.as(root), ada.id);
    app.advance(HOUR - 1);
    await sweepSignIns(app.deps);
    expect(await left()).toEqual([1, 1, 3]);
    app.advance(1);
    await sweepSignIns(app.deps);
    expect(await left()).toEqual([1, 0, 3]);
    app.advance(1);
    await sweepSignIns(app.deps);
    // The address that ada signed in from stays familiar for 30 days.
    expect(await left()).toEqual([1, 0, 1]);
    app.advance(DAY - HOUR - 1);
    await sweepSignIns(app.deps);
    expect(await left()).toEqual([0, 0, 1]);
    app.advance(29 * DAY + 1);
    await sweepSignIns(app.deps);
    expect(await left()).toEqual([0, 0, 0]);
  });
});
