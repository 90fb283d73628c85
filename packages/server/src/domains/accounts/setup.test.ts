import { expect, test } from 'vitest';
import { password, testApp } from '../../../test/harness/app.ts';
import { eachDatabase } from '../../../test/harness/databases.ts';
import { systemCtx } from '../../context.ts';
import { prepareFirstAdmin } from './setup.ts';

eachDatabase('first administrator', (dialect) => {
  test('the set-up link makes one administrator, once, and signs them in', async () => {
    const app = await testApp(dialect);
    const setup_token = await prepareFirstAdmin(systemCtx(app.deps));
    const use = (email: string) =>
      app.call('POST', '/v0.1/setup', { body: { setup_token, email, password, display_name: 'Ada' } });
    expect((await app.call('GET', '/v0.1/server')).json().setup_required).toBe(true);
    const answers = await Promise.all(['ada@example.com', 'eve@example.com', 'mallory@example.com'].map(use));
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
});
