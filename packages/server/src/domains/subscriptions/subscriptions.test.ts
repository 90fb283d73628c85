import { expect, test } from 'vitest';
import { testApp } from '../../../test/harness/app.ts';
import { recorded } from '../../../test/harness/audit.ts';
import { atOnce } from '../../../test/harness/races.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import type { DialectName } from '../../db/drivers/connection.ts';
import { findSubscriptionFor } from './subscriptions.ts';

const id = 'aaaaaaaa-1111-4111-8111-111111111111';
const other = 'bbbbbbbb-2222-4222-8222-222222222222';
const tenantId = 'cccccccc-3333-4333-8333-333333333333';
const version = '?api-version=2024-02-01';
const url = (subscriptionId = id, more = '') => `/subscriptions/${subscriptionId}${more}${version}`;
const events = url(id, '/providers/Vendor.ResourceHealth/events');

async function createFixtures(dialect: DialectName) {
  const app = await testApp(dialect);
  const ada = await app.addUser('ada', { isAdmin: true });
  const grace = await app.addUser('grace');
  return { app, ada, grace, token: await app.userToken(ada), graces: await app.userToken(grace) };
}

eachDatabase('subscriptions', (dialect) => {
  test('are created, changed, listed and removed by administrators', async () => {
    const { app, token } = await createFixtures(dialect);
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

  test('need an existing owner and a GUID as ID', async () => {
    const { app, token } = await createFixtures(dialect);
    const body = { displayName: 'Harbour', tenantId, owner: 'nobody' };
    const unknown = await app.call('PUT', url(), { token, body });
    expect([unknown.statusCode, unknown.json().code]).toEqual([404, 'ResourceNotFound']);
    for (const method of ['PUT', 'GET', 'DELETE']) {
      const response = await app.call(method, url('harbour'), { token, ...(method === 'PUT' ? { body } : {}) });
      expect([method, response.statusCode, response.json().code]).toEqual([method, 400, 'InvalidSubscriptionId']);
    }
  });

  test('are read by the owner, every member of the organization, and users with read access, until it ends', async () => {
    const { app, ada, grace, token, graces } = await createFixtures(dialect);
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

  test('distinguish unreadable subscriptions from missing ones', async () => {
    const { app, graces } = await createFixtures(dialect);
    await app.addSubscription(id, 'ada');
    const code = async (subscriptionId: string) => {
      const response = await app.call('GET', url(subscriptionId, '/providers/Vendor.ResourceHealth/events'), {
        token: graces,
      });
      return [response.statusCode, response.json().code];
    };
    expect(await code(id)).toEqual([403, 'AuthorizationFailed']);
    expect(await code(other)).toEqual([404, 'SubscriptionNotFound']);
    expect(await code('x')).toEqual([400, 'InvalidSubscriptionId']);
  });

  test('are linked to apps by managers who may read them, and shown with the app', async () => {
    const { app, grace, graces } = await createFixtures(dialect);
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
    const { app, ada, token } = await createFixtures(dialect);
    await app.addOrg(ada, 'lighthouse');
    await app.addSubscription(id, 'lighthouse', tenantId);
    const list = await app.call('GET', '/v0.1/orgs/lighthouse/azure_subscriptions', { token });
    expect(list.json()).toEqual([{ subscription_id: id, tenant_id: tenantId, subscription_name: 'Harbour' }]);
  });

  test('are listed by name, then by ID, in every list', async () => {
    const { app, ada, token, graces } = await createFixtures(dialect);
    const third = '55555555-5555-4555-8555-555555555555';
    await app.addOrg(ada, 'lighthouse');
    const save = (subscriptionId: string, displayName: string, owner: string) =>
      app.call('PUT', url(subscriptionId), { token, body: { displayName, tenantId, owner } });
    const names = async (path: string, caller = token) => {
      const list = (await app.call('GET', path, { token: caller })).json();
      return (list.value ?? list).map((one: Record<string, string>) => one.subscriptionId ?? one.subscription_id);
    };
    for (const owner of ['grace', 'lighthouse']) {
      await save(third, 'Anchor', owner);
      await save(other, 'Pier', owner);
      await save(id, 'Pier', owner);
      const expected = [third, id, other];
      expect(await names(`/subscriptions${version}`)).toEqual(expected);
      if (owner === 'grace') expect(await names('/v0.1/azure_subscriptions', graces)).toEqual(expected);
      else expect(await names('/v0.1/orgs/lighthouse/azure_subscriptions')).toEqual(expected);
    }
    await app.addApp(ada, 'compass');
    const links = '/v0.1/apps/ada/compass/azure_subscriptions';
    for (const subscription_id of [other, id.toUpperCase(), third])
      await app.call('POST', links, { token, body: { subscription_id } });
    expect(await names(links)).toEqual([third, id, other]);
  });

  test('of one owner or app do not appear for another', async () => {
    const { app, ada, grace, token, graces } = await createFixtures(dialect);
    await app.addOrg(ada, 'lighthouse');
    await app.addOrg(ada, 'elsewhere');
    await app.addSubscription(id, 'lighthouse');
    await app.addSubscription(other, 'grace');
    const [compass, sextant] = ['/v0.1/apps/grace/compass', '/v0.1/apps/grace/sextant'];
    await app.addApp(grace, 'compass');
    await app.addApp(grace, 'sextant');
    await app.call('POST', `${compass}/azure_subscriptions`, { token: graces, body: { subscription_id: other } });
    const listed = async (path: string, caller: string) =>
      (await app.call('GET', `${path}/azure_subscriptions`, { token: caller })).json().length;
    expect([await listed('/v0.1/orgs/lighthouse', token), await listed('/v0.1/orgs/elsewhere', token)]).toEqual([1, 0]);
    expect([await listed(compass, graces), await listed(sextant, graces)]).toEqual([1, 0]);
    expect((await app.call('DELETE', `${sextant}/azure_subscriptions/${other}`, { token: graces })).statusCode).toBe(
      404,
    );
    expect((await app.call('DELETE', url(id), { token })).statusCode).toBe(204);
    expect(await listed(compass, graces)).toBe(1);
    const address = `${compass}/azure_subscriptions/${other.toUpperCase()}`;
    expect((await app.call('DELETE', address, { token: graces })).statusCode).toBe(204);
  });

  test('have readers that are listed by name, with the time; removing one does not affect others', async () => {
    const { app, token } = await createFixtures(dialect);
    await app.addUser('Linus');
    await app.addSubscription(id, 'ada');
    await app.addSubscription(other, 'ada');
    const readers = (subscriptionId: string, name = '') => url(subscriptionId, `/readers${name && `/${name}`}`);
    const add = async (subscriptionId: string, name: string) =>
      (await app.call('PUT', readers(subscriptionId, name), { token, body: {} })).statusCode;
    const list = async (subscriptionId = id) =>
      (await app.call('GET', readers(subscriptionId), { token })).json().value;
    const at = '2026-11-01T09:00:00.000Z';
    expect([await add(id, 'LINUS'), await add(id.toUpperCase(), 'grace'), await add(other, 'grace')]).toEqual([
      204, 204, 204,
    ]);
    app.advance(1000);
    expect(await add(id, 'grace')).toBe(204);
    expect(await list()).toEqual([
      { name: 'grace', displayName: 'grace', email: 'grace@example.com', since: at },
      { name: 'Linus', displayName: 'Linus', email: 'Linus@example.com', since: at },
    ]);
    expect((await app.call('DELETE', readers(id, 'grace'), { token })).statusCode).toBe(204);
    expect([(await list()).length, (await list(other)).length]).toEqual([1, 1]);
    expect([await add(id, 'nobody'), (await app.call('DELETE', readers(id, 'nobody'), { token })).statusCode]).toEqual([
      404, 404,
    ]);
  });

  test('that do not exist have no readers, and readers cannot be added or removed', async () => {
    const { app, token } = await createFixtures(dialect);
    for (const [method, more] of [
      ['GET', ''],
      ['PUT', '/grace'],
      ['DELETE', '/grace'],
    ] as const) {
      const call = (subscriptionId: string) =>
        app.call(method, url(subscriptionId, `/readers${more}`), { token, ...(method === 'PUT' ? { body: {} } : {}) });
      const [unknown, wrong] = [await call(id), await call('harbour')];
      expect([method, unknown.statusCode, unknown.json().code]).toEqual([method, 404, 'SubscriptionNotFound']);
      expect([method, wrong.statusCode, wrong.json().code]).toEqual([method, 400, 'InvalidSubscriptionId']);
    }
  });

  test('with an ID that is not a GUID are refused with its first hundred characters', async () => {
    const { app, graces } = await createFixtures(dialect);
    const response = await app.call('GET', url('x'.repeat(101), '/providers/Vendor.ResourceHealth/events'), {
      token: graces,
    });
    expect(response.json().message).toContain(`'${'x'.repeat(100)}'`);
  });

  test('are audited with values before and after, and so are their readers and links', async () => {
    const { app, ada, token } = await createFixtures(dialect);
    const compass = await app.addApp(ada, 'compass');
    const body = { displayName: 'Harbour', tenantId, owner: 'grace' };
    const links = '/v0.1/apps/ada/compass/azure_subscriptions';
    await app.call('PUT', url(), { token, body });
    await app.call('PUT', url(), { token, body: { ...body, displayName: 'Pier', owner: 'ada', tenantId: other } });
    await app.call('PUT', url(id, '/readers/grace'), { token, body: {} });
    await app.call('DELETE', url(id, '/readers/grace'), { token });
    await app.call('POST', links, { token, body: { subscription_id: id } });
    await app.call('DELETE', `${links}/${id}`, { token });
    await app.call('DELETE', url(), { token });
    const [harbour, pier] = [
      { name: 'Harbour', tenant: tenantId, owner: 'grace' },
      { name: 'Pier', tenant: other, owner: 'ada' },
    ];
    const all = await recorded(app, 'subscription.');
    expect(all.map(({ action, before, after }) => [action, before, after])).toEqual([
      ['subscription.create', undefined, harbour],
      ['subscription.update', harbour, pier],
      ['subscription.add_reader', undefined, { user: 'grace' }],
      ['subscription.remove_reader', { user: 'grace' }, undefined],
      ['subscription.delete', { name: 'Pier' }, undefined],
    ]);
    expect(all.map(({ subject }) => subject)).toEqual(
      ['Harbour', 'Pier', 'Pier', 'Pier', 'Pier'].map((name) => ({ kind: 'subscription', id, name })),
    );
    const linked = await recorded(app, 'app.');
    expect(linked.slice(1)).toMatchObject([
      { action: 'app.link_subscription', appId: compass.id, after: { subscription: id } },
      { action: 'app.unlink_subscription', appId: compass.id, before: { subscription: id } },
    ]);
  });

  test('that are first saved twice concurrently are created once and changed once', async () => {
    const { app, token } = await createFixtures(dialect);
    const save = (displayName: string) => async () =>
      (await app.call('PUT', url(), { token, body: { displayName, tenantId, owner: 'grace' } })).statusCode;
    expect((await atOnce(app, [save('Harbour'), save('Pier')])).sort()).toEqual([200, 201]);
    const log = await recorded(app, 'subscription.');
    expect(log.map(({ action }) => action).sort()).toEqual(['subscription.create', 'subscription.update']);
  });

  test('that are changed twice concurrently are audited one after the other', async () => {
    const { app, token } = await createFixtures(dialect);
    await app.addSubscription(id, 'grace', tenantId);
    const save = (displayName: string) => async () =>
      (await app.call('PUT', url(), { token, body: { displayName, tenantId, owner: 'grace' } })).statusCode;
    expect(await atOnce(app, [save('Pier'), save('Mole')])).toEqual([200, 200]);
    const names = (await recorded(app, 'subscription.update')).map(({ before, after }) => [before?.name, after?.name]);
    expect(names).toEqual([
      ['Harbour', 'Pier'],
      ['Pier', 'Mole'],
    ]);
  });

  test('are found for an absent user only while the user may read them', async () => {
    const { app, ada, grace, token } = await createFixtures(dialect);
    await app.addSubscription(id, 'grace');
    const found = async (userId: string, subscriptionId = id) =>
      (await findSubscriptionFor(app.deps, userId, subscriptionId))?.user.name;
    const linus = await app.addUser('linus');
    expect([await found(grace.id), await found(ada.id), await found(linus.id)]).toEqual(['grace', 'ada', undefined]);
    expect([await found('nobody'), await found(grace.id, other)]).toEqual([undefined, undefined]);
    await app.call('PATCH', `/v0.1/admin/users/${grace.id}`, { token, body: { is_disabled: true } });
    expect(await found(grace.id)).toBeUndefined();
  });

  test('block deletion of their owner, with the names of the first five', async () => {
    const { app, ada, token } = await createFixtures(dialect);
    for (const name of ['lighthouse', 'elsewhere']) await app.addOrg(ada, name);
    const remove = (org: string) => app.call('DELETE', `/v0.1/orgs/${org}`, { token });
    for (const [n, displayName] of ['F', 'B', 'D', 'A', 'C', 'E'].entries()) {
      const subscriptionId = id.replace(/1$/, String(n));
      await app.call('PUT', url(subscriptionId), { token, body: { displayName, tenantId, owner: 'lighthouse' } });
    }
    const refused = await remove('lighthouse');
    expect([refused.statusCode, refused.json().error.message]).toEqual([
      409,
      expect.stringContaining('subscriptions (A, B, C, D, E, …)'),
    ]);
    expect((await remove('elsewhere')).statusCode).toBe(204);
  });
});
