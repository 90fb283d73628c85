import { expect, test } from 'vitest';
import { testApp } from '../../../test/harness/app.ts';
import { recorded } from '../../../test/harness/audit.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import type { DialectName } from '../../db/drivers/connection.ts';

const url = '/v0.1/admin/health_operators';

async function office(dialect: DialectName) {
  const app = await testApp(dialect);
  const ada = await app.addUser('ada', { isAdmin: true });
  const [grace, linus] = [await app.addUser('Grace'), await app.addUser('linus')];
  const token = await app.userToken(ada);
  return {
    app,
    grace,
    linus,
    token,
    add: async (user_name: string) => (await app.call('POST', url, { token, body: { user_name } })).statusCode,
    remove: async (name: string) => (await app.call('DELETE', `${url}/${name}`, { token })).statusCode,
    names: async () => (await app.call('GET', url, { token })).json().map(({ name }: { name: string }) => name),
  };
}

eachDatabase('operators', (dialect) => {
  test('are appointed by administrators and listed by name, with the time', async () => {
    const { app, token, add, names } = await office(dialect);
    expect(await names()).toEqual([]);
    expect(await add('linus')).toBe(204);
    app.advance(1000);
    expect(await add('GRACE')).toBe(204);
    expect((await app.call('GET', url, { token })).json()).toEqual([
      { name: 'Grace', display_name: 'Grace', email: 'Grace@example.com', since: '2026-11-01T09:00:01.000Z' },
      { name: 'linus', display_name: 'linus', email: 'linus@example.com', since: '2026-11-01T09:00:00.000Z' },
    ]);
  });

  test('appointed twice are listed once, with the first time', async () => {
    const { app, token, add } = await office(dialect);
    await add('linus');
    app.advance(1000);
    expect(await add('linus')).toBe(204);
    expect((await app.call('GET', url, { token })).json()).toMatchObject([{ since: '2026-11-01T09:00:00.000Z' }]);
  });

  test('are removed one by one; a user who is none, or an unknown user, is rejected', async () => {
    const { add, remove, names } = await office(dialect);
    await add('grace');
    await add('linus');
    expect(await remove('grace')).toBe(204);
    expect(await names()).toEqual(['linus']);
    expect([await remove('grace'), await remove('nobody'), await add('nobody')]).toEqual([404, 404, 404]);
    expect(await names()).toEqual(['linus']);
  });

  test('may see events of every owner; administrators may without an appointment', async () => {
    const { app, grace, linus, token, add } = await office(dialect);
    const [graces, others] = [await app.userToken(grace), await app.userToken(linus)];
    const rights = async (caller: string) =>
      (await app.call('GET', '/v0.1/user/health_rights', { token: caller })).json().is_operator;
    const put = '/providers/Vendor.ResourceHealth/events/ONE?api-version=2024-02-01';
    const body = { properties: { eventType: 'ServiceIssue', title: 'Broken' } };
    const publish = async (caller: string) => (await app.call('PUT', put, { token: caller, body })).statusCode;
    await add('grace');
    expect([await rights(token), await rights(graces), await rights(others)]).toEqual([true, true, false]);
    expect([await publish(graces), await publish(others), await publish(token)]).toEqual([201, 403, 200]);
  });

  test('are audited when they are appointed and removed', async () => {
    const { app, grace, add, remove } = await office(dialect);
    await add('grace');
    await remove('grace');
    await remove('grace');
    const subject = { kind: 'user', id: grace.id, name: 'Grace' };
    expect(await recorded(app, 'health_operator.')).toMatchObject([
      { action: 'health_operator.add', subject, by: 'ada' },
      { action: 'health_operator.remove', subject, by: 'ada' },
    ]);
  });
});
