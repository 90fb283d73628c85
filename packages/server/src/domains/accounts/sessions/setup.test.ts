import { expect, test } from 'vitest';
import { password, testApp } from '../../../../test/harness/app.ts';
import { changes, recorded } from '../../../../test/harness/audit.ts';
import { eachDatabase } from '../../../../test/harness/databases.ts';
import { atOnce } from '../../../../test/harness/races.ts';
import { type Deps, systemCtx } from '../../../context.ts';
import { prepareFirstAdmin } from './setup.ts';

eachDatabase('first administrator', (dialect) => {
  test('the set-up link makes one administrator, once, and signs them in', async () => {
    const app = await testApp(dialect);
    const setup_token = await prepareFirstAdmin(systemCtx(app.deps));
    const use = (email: string) =>
      app.call('POST', '/v0.1/setup', { body: { setup_token, email, password, display_name: 'Ada' } });
    expect((await app.call('GET', '/v0.1/server')).json().setup_required).toBe(true);
    const people = ['ada@example.com', 'eve@example.com', 'mallory@example.com'];
    const answers = await atOnce(
      app,
      people.map((email) => () => use(email)),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 403, 403]);
    const winner = answers.find(({ statusCode }) => statusCode === 201);
    expect(winner?.json()).toMatchObject({ is_admin: true, display_name: 'Ada' });
    const headers = { cookie: String(winner?.headers['set-cookie']).split(';')[0] };
    expect((await app.call('GET', '/v0.1/admin/users', { headers })).json().values).toHaveLength(1);
    expect((await app.call('GET', '/v0.1/server')).json().setup_required).toBe(false);
    expect(await prepareFirstAdmin(systemCtx(app.deps))).toBeUndefined();
  });

  test('a wrong token, and the token of an earlier start, are refused', async () => {
    const app = await testApp(dialect);
    const old = await prepareFirstAdmin(systemCtx(app.deps));
    await prepareFirstAdmin(systemCtx(app.deps));
    for (const setup_token of [old, 'guess']) {
      const answer = await app.call('POST', '/v0.1/setup', { body: { setup_token, email: 'a@example.com', password } });
      expect(answer.statusCode).toBe(403);
    }
  });

  test('a set-up that fails leaves the link usable', async () => {
    const app = await testApp(dialect);
    await app.addUser('ada');
    const setup_token = await prepareFirstAdmin(systemCtx(app.deps));
    const use = (name: string) =>
      app.call('POST', '/v0.1/setup', { body: { setup_token, name, email: 'new@example.com', password } });
    expect((await use('ada')).statusCode).toBe(409);
    expect((await use('grace')).statusCode).toBe(201);
  });

  test('the settings make the first administrator, and no second one', async () => {
    const app = await testApp(dialect, { adminEmail: 'root@example.com', adminPassword: password });
    expect(await prepareFirstAdmin(systemCtx(app.deps))).toBeUndefined();
    expect(await prepareFirstAdmin(systemCtx(app.deps))).toBeUndefined();
    const headers = { authorization: `Basic ${Buffer.from(`root@example.com:${password}`).toString('base64')}` };
    expect((await app.call('GET', '/v0.1/api_tokens', { headers })).statusCode).toBe(200);
    expect(await app.database.query((q) => q.selectFrom('users').select('id'))).toHaveLength(1);
  });

  test('the settings make one administrator also when several processes start at once', async () => {
    const settings = { adminEmail: 'root@example.com', adminPassword: password };
    const app = await testApp(dialect);
    const start = (deps: Deps) => () =>
      prepareFirstAdmin({ ...systemCtx(deps), config: { ...deps.config, ...settings } });
    expect(await atOnce(app, [start(app.deps), start(app.deps)])).toEqual([undefined, undefined]);
    expect(await changes(app, 'user.')).toEqual([
      ['user.create', 'root', undefined, { email: 'root@example.com', is_admin: true, is_email_verified: true }],
    ]);
  });

  test('an e-mail without a password in the settings, or the other way round, makes nobody', async () => {
    for (const settings of [{ adminEmail: 'root@example.com' }, { adminPassword: password }]) {
      const app = await testApp(dialect, settings);
      expect(await prepareFirstAdmin(systemCtx(app.deps))).toMatch(/^\w{32}$/);
      expect(await app.database.query((q) => q.selectFrom('users').select('id'))).toEqual([]);
    }
  });

  test('the set-up is in the audit log, and a link is worth nothing once there is an administrator', async () => {
    const app = await testApp(dialect);
    const setup_token = await prepareFirstAdmin(systemCtx(app.deps));
    await app.addUser('ada', { isAdmin: true });
    const use = (token: string | undefined) =>
      app.call('POST', '/v0.1/setup', { body: { setup_token: token, email: 'eve@example.com', password } });
    expect((await use(setup_token)).statusCode).toBe(403);
    expect(await recorded(app, 'server.')).toEqual([]);
    const other = await testApp(dialect);
    const token = await prepareFirstAdmin(systemCtx(other.deps));
    const body = { setup_token: token, email: 'eve@example.com', password };
    const { id } = (await other.call('POST', '/v0.1/setup', { body })).json();
    expect(await recorded(other, 'server.')).toMatchObject([
      { action: 'server.set_up', subject: { kind: 'user', id, name: 'eve' } },
    ]);
    expect(await recorded(other, 'user.create')).toMatchObject([
      { after: { is_admin: true, is_email_verified: true } },
    ]);
  });

  test('the server says what it is and what its limits are', async () => {
    const settings = { rateLimit: 7, bodyLimit: 8192, headerLimit: 16_384, requestTimeout: 9, openSignUp: true };
    const app = await testApp(dialect, { ...settings, retirementDate: '2030-01-01' });
    expect((await app.call('GET', '/v0.1/server')).json()).toEqual({
      version: app.deps.program.version,
      setup_required: true,
      open_sign_up: true,
      sends_mail: false,
      retirement_date: '2030-01-01',
      limits: {
        requests_per_minute: 7,
        body_bytes: 8192,
        header_bytes: 16_384,
        request_seconds: 9,
        api_tokens_per_account: 5000,
      },
    });
  });
});
