import { expect, test } from 'vitest';
import { password, testApp } from '../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';

const id = '11111111-1111-4111-8111-111111111111';
const list = `/subscriptions/${id}/providers/Vendor.ResourceHealth/events?api-version=2024-02-01`;
const one = '/providers/Vendor.ResourceHealth/events/ONE?api-version=2024-02-01';

eachDatabase('the health API', (dialect) => {
  test('takes a user token in either header, and the session of the console', async () => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada'));
    await app.addSubscription(id, 'ada');
    const signedIn = await app.call('POST', '/v0.1/sessions', { body: { login: 'ada', password } });
    const cookie = String(signedIn.headers['set-cookie']).split(';')[0];
    for (const headers of [{ 'x-api-token': token }, { authorization: `bearer ${token}` }, { cookie }]) {
      const response = await app.call('GET', list, { headers });
      expect([response.statusCode, response.body]).toEqual([200, '{"value":[]}']);
    }
  });

  test('says 429 with Retry-After in its own shape', async () => {
    const app = await testApp(dialect, { rateLimit: 2 });
    const token = await app.userToken(await app.addUser('ada'));
    await app.addSubscription(id, 'ada');
    const left = async () => (await app.call('GET', list, { token })).headers;
    expect((await left())['x-ms-ratelimit-remaining-subscription-reads']).toBe('1');
    await left();
    const refused = await app.call('GET', list, { token });
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'TooManyRequests']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('responds with 500, the request ID and no other details', async () => {
    const app = await testApp(dialect);
    const token = await app.userToken(await app.addUser('ada'));
    await app.addSubscription(id, 'ada');
    await app.database.transaction((db) => db.query((q) => q.schema.dropTable('health_index') as never));
    const response = await app.call('GET', list, { token });
    expect([response.statusCode, response.json().code]).toEqual([500, 'InternalServerError']);
    expect(response.json().details).toContain(response.headers['x-ms-request-id']);
    expect(response.body).not.toContain('health_index');
  });

  test.each([
    ['no body', undefined, {}, 411, 'LengthRequired'],
    ['no JSON', '{', { 'content-type': 'application/json' }, 400, 'BadRequest'],
    ['another type', 'x', { 'content-type': 'text/plain' }, 415, 'UnsupportedMediaType'],
    ['too much', `{"a":"${'x'.repeat(2000)}"}`, { 'content-type': 'application/json' }, 413, 'PayloadTooLarge'],
  ])('refuses %s in its own shape', async (_, body, headers, status, code) => {
    const app = await testApp(dialect, { bodyLimit: 1024 });
    const token = await app.userToken(await app.addUser('ada', { isAdmin: true }));
    const response = await app.call('PUT', one, { token, body, headers });
    expect([response.statusCode, response.json()]).toEqual([
      status,
      { code, message: expect.any(String), details: expect.any(String) },
    ]);
  });

  test('lists what changed in the default window unless the caller names a start', async () => {
    const app = await testApp(dialect, { healthDefaultWindow: 3_600_000 });
    const token = await app.userToken(await app.addUser('ada'));
    await app.addSubscription(id, 'ada');
    await app.publish('OLD', {});
    app.advance(3_660_000);
    await app.publish('NEW', {});
    const names = async (more = '') =>
      (await app.call('GET', `${list}${more}`, { token })).json().value.map(({ name }: { name: string }) => name);
    expect(await names()).toEqual(['NEW']);
    expect(await names('&queryStartTime=1/1/2020')).toEqual(['NEW', 'OLD']);
  });
});
