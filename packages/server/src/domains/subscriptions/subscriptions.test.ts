import { expect, test } from 'vitest';
import { testApp } from '../../../test/harness/app.ts';
import { eachDatabase } from '../../../test/harness/databases.ts';
import type { DialectName } from '../../db/connection.ts';

const id = '11111111-1111-4111-8111-111111111111';
const other = '22222222-2222-4222-8222-222222222222';
const tenantId = '33333333-3333-4333-8333-333333333333';
const version = '?api-version=2024-02-01';
const url = (subscriptionId = id, more = '') => `/subscriptions/${subscriptionId}${more}${version}`;
const events = url(id, '/providers/Vendor.ResourceHealth/events');

async function world(dialect: DialectName) {
  const app = await testApp(dialect);
  const ada = await app.addUser('ada', { isAdmin: true });
  const grace = await app.addUser('grace');
  return { app, ada, grace, token: await app.userToken(ada), graces: await app.userToken(grace) };
}

eachDatabase('subscriptions', (dialect) => {
  test('are created, changed, listed and removed by administrators', async () => {
    const { app, token } = await world(dialect);
    const body = { displayName: 'Harbour', tenantId: tenantId.toUpperCase(), owner: 'Grace' };
    const made = await app.call('PUT', url(id.toUpperCase()), { token, body });
    const expected = {
      id: `/subscriptions/${id}`,
      subscriptionId: id,
      tenantId,
      displayName: 'Harbour',
      state: 'Enabled',
      owner: 'grace',
    };
    expect([made.statusCode, made.json()]).toEqual([201, expected]);
    const changed = await app.call('PUT', url(), { token, body: { ...body, displayName: 'Pier', owner: 'ada' } });
    expect([changed.statusCode, changed.json()]).toEqual([200, { ...expected, displayName: 'Pier', owner: 'ada' }]);
    const list = await app.call('GET', `/subscriptions${version}`, { token });
    expect(list.json()).toEqual({ value: [changed.json()] });
    expect((await app.call('DELETE', url(), { token })).statusCode).toBe(204);
    const gone = await app.call('GET', url(), { token });
    expect([gone.statusCode, gone.json().code]).toEqual([404, 'SubscriptionNotFound']);
    expect((await app.call('DELETE', url(), { token })).json().code).toBe('SubscriptionNotFound');
  });

  test('need an owner that exists and an id that is a GUID', async () => {
    const { app, token } = await world(dialect);
    const body = { displayName: 'Harbour', tenantId, owner: 'nobody' };
    const unknown = await app.call('PUT', url(), { token, body });
    expect([unknown.statusCode, unknown.json().code]).toEqual([404, 'ResourceNotFound']);
    for (const method of ['PUT', 'GET', 'DELETE']) {
      const answer = await app.call(method, url('harbour'), { token, ...(method === 'PUT' ? { body } : {}) });
      expect([method, answer.statusCode, answer.json().code]).toEqual([method, 400, 'InvalidSubscriptionId']);
    }
  });

  test('are read by the owner, by every member of the organization, and by whom it was given, until it ends', async () => {
    const { app, ada, grace, token, graces } = await world(dialect);
    await app.addSubscription(id, 'ada');
    const seen = async () => (await app.call('GET', events, { token: graces })).statusCode;
    expect(await seen()).toBe(403);
    await app.addSubscription(id, 'grace');
    expect(await seen()).toBe(200);
    const org = await app.addOrg(ada, 'lighthouse');
    await app.addSubscription(id, 'lighthouse');
    expect(await seen()).toBe(403);
    await app.addToOrg(org, grace, 'member');
    expect(await seen()).toBe(200);
    expect((await app.call('GET', `/subscriptions${version}`, { token: graces })).json().value.length).toBe(1);
    await app.call('DELETE', '/v0.1/orgs/lighthouse/users/grace', { token });
    expect(await seen()).toBe(403);
    expect((await app.call('PUT', url(id, '/readers/grace'), { token, body: {} })).statusCode).toBe(204);
    expect(await seen()).toBe(200);
    const readers = await app.call('GET', url(id, '/readers'), { token });
    expect(readers.json().value).toMatchObject([{ name: 'grace', email: 'grace@example.com' }]);
    expect((await app.call('DELETE', url(id, '/readers/grace'), { token })).statusCode).toBe(204);
    expect(await seen()).toBe(403);
    expect((await app.call('DELETE', url(id, '/readers/grace'), { token })).statusCode).toBe(404);
  });

  test('tell those who may not read them apart from those that do not exist', async () => {
    const { app, graces } = await world(dialect);
    await app.addSubscription(id, 'ada');
    const code = async (subscriptionId: string) => {
      const answer = await app.call('GET', url(subscriptionId, '/providers/Vendor.ResourceHealth/events'), {
        token: graces,
      });
      return [answer.statusCode, answer.json().code];
    };
    expect(await code(id)).toEqual([403, 'AuthorizationFailed']);
    expect(await code(other)).toEqual([404, 'SubscriptionNotFound']);
    expect(await code('x')).toEqual([400, 'InvalidSubscriptionId']);
  });

  test('are linked to apps by managers who may read them, and shown with the app', async () => {
    const { app, grace, graces } = await world(dialect);
    const compass = await app.addApp(grace, 'compass');
    await app.addSubscription(id, 'grace', tenantId);
    await app.addSubscription(other, 'ada', tenantId);
    const links = '/v0.1/apps/grace/compass/azure_subscriptions';
    const link = async (subscription_id: string, token = graces) =>
      (await app.call('POST', links, { token, body: { subscription_id } })).statusCode;
    const shown = { subscription_id: id, tenant_id: tenantId, subscription_name: 'Harbour' };
    expect(await link(other)).toBe(404);
    expect([await link(id), await link(id)]).toEqual([204, 204]);
    expect((await app.call('GET', links, { token: graces })).json()).toEqual([shown]);
    expect((await app.call('GET', '/v0.1/apps/grace/compass', { token: graces })).json().azure_subscription).toEqual(
      shown,
    );
    expect((await app.call('GET', '/v0.1/azure_subscriptions', { token: graces })).json()).toEqual([shown]);
    expect((await app.call('DELETE', `${links}/${id}`, { token: graces })).statusCode).toBe(204);
    expect((await app.call('DELETE', `${links}/${id}`, { token: graces })).statusCode).toBe(404);
    const appToken = await app.appToken(compass, grace);
    expect([await link(id, appToken), await link(other, appToken)]).toEqual([204, 404]);
  });

  test('of an organization are listed for its members', async () => {
    const { app, ada, token } = await world(dialect);
    await app.addOrg(ada, 'lighthouse');
    await app.addSubscription(id, 'lighthouse', tenantId);
    const list = await app.call('GET', '/v0.1/orgs/lighthouse/azure_subscriptions', { token });
    expect(list.json()).toEqual([{ subscription_id: id, tenant_id: tenantId, subscription_name: 'Harbour' }]);
  });
});
