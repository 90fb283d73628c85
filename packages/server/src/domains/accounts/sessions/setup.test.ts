import { expect, test } from 'vitest';
import { password, testApp } from '../../../../test/harness/app.ts';
import { changes, recorded } from '../../../../test/harness/audit.ts';
import { atOnce } from '../../../../test/harness/races.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { type Deps, systemCtx } from '../../../context.ts';
import { prepareFirstAdmin } from './setup.ts';

eachDatabase('first administrator', (dialect) => {
  test('is created with the setup link, once, and signed in', async () => {
    const app = await testApp(dialect);
    const setup_token = await prepareFirstAdmin(systemCtx(app.deps));
    const use = (email: string) =>
      app.call('POST', '/v0.1/setup', { body: { setup_token, email, password, display_name: 'Ada' } });
    expect((await app.call('GET', '/v0.1/server')).json().setup_required).toBe(true);
    const people = ['ada@example.com', 'eve@example.com', 'mallory@example.com'];
    const responses = await atOnce(
      app,
      people.map((email) => () => use(email)),
    );
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([201, 403, 403]);
    const winner = responses.find(({ statusCode }) => statusCode === 201);
    expect(winner?.json()).toMatchObject({ is_admin: true, display_name: 'Ada' });
    const headers = { cookie: String(winner?.headers['set-cookie']).split(';')[0] };
    expect((await app.call('GET', '/v0.1/admin/users', { headers })).json().values).toHaveLength(1);
    expect((await app.call('GET', '/v0.1/server')).json().setup_required).toBe(false);
    expect(await prepareFirstAdmin(systemCtx(app.deps))).toBeUndefined();
  });

  test('is not created with a wrong token or the token of an earlier start', async () => {
    const app = await testApp(dialect);
    const old = await prepareFirstAdmin(systemCtx(app.deps));
    await prepareFirstAdmin(systemCtx(app.deps));
    for (const setup_token of [old, 'guess']) {
      const response = await app.call('POST', '/v0.1/setup', {
        body: { setup_token, email: 'a@example.com', password },
      });
      expect(response.statusCode).toBe(403);
    }
  });

  test('can still be created with the link after a failed attempt', async () => {
    const app = await testApp(dialect);
    await app.addUser('ada');
    const setup_token = await prepareFirstAdmin(systemCtx(app.deps));
    const use = (name: string) =>
      app.call('POST', '/v0.1/setup', { body: { setup_token, name, email: 'new@example.com', password } });
    expect((await use('ada')).statusCode).toBe(409);
    expect((await use('grace')).statusCode).toBe(201);
  });

  test('is created from the settings, and no second one', async () => {
    const app = await testApp(dialect, { adminEmail: 'root@example.com', adminPassword: password });
    expect(await prepareFirstAdmin(systemCtx(app.deps))).toBeUndefined();
    expect(await prepareFirstAdmin(systemCtx(app.deps))).toBeUndefined();
    const headers = { authorization: `Basic ${Buffer.from(`root@example.com:${password}`).toString('base64')}` };
    expect((await app.call('GET', '/v0.1/api_tokens', { headers })).statusCode).toBe(200);
    expect(await app.database.query((q) => q.selectFrom('users').select('id'))).toHaveLength(1);
  });

  test('from the settings is created once when several processes start concurrently', async () => {
    const settings = { adminEmail: 'root@example.com', adminPassword: password };
    const app = await testApp(dialect);
    const start = (deps: Deps) => () =>
      prepareFirstAdmin({ ...systemCtx(deps), config: { ...deps.config, ...settings } });
    expect(await atOnce(app, [start(app.deps), start(app.deps)])).toEqual([undefined, undefined]);
    expect(await changes(app, 'user.')).toEqual([
      ['user.create', 'root', undefined, { email: 'root@example.com', is_admin: true, is_email_verified: true }],
    ]);
  });

  test('creates no administrator from an email without a password in the settings, or the reverse', async () => {
    for (const settings of [{ adminEmail: 'root@example.com' }, { adminPassword: password }]) {
      const app = await testApp(dialect, settings);
      expect(await prepareFirstAdmin(systemCtx(app.deps))).toMatch(/^\w{32}$/);
      expect(await app.database.query((q) => q.selectFrom('users').select('id'))).toEqual([]);
    }
  });

  test('is recorded in the audit log, and invalidates other links', async () => {
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

  test('can read the version and limits of the server', async () => {
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
