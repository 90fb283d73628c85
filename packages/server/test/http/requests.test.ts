import { expect, test } from 'vitest';
import { SECOND } from '../../src/kernel/clock.ts';
import { testApp } from '../harness/app.ts';
import { eachDatabase } from '../harness/services/databases.ts';

eachDatabase('readiness of the server', (dialect) => {
  test('checks the database once a second at most, and never reports an outdated result', async () => {
    const app = await testApp(dialect);
    const getReadiness = () => app.call('GET', '/readyz');
    const before = await Promise.all(Array.from({ length: 50 }, getReadiness));
    expect(new Set(before.map(({ body }) => body))).toEqual(new Set(['{"status":"ready"}']));
    await app.database.transaction((db) => db.query((q) => q.schema.alterTable('migrations').renameTo('elsewhere')));
    expect((await getReadiness()).statusCode).toBe(200);
    app.advance(SECOND);
    const after = await getReadiness();
    expect([after.statusCode, after.json().reason]).toEqual([503, expect.stringContaining('lacks migrations: 0001-')]);
    await app.database.transaction((db) => db.query((q) => q.schema.alterTable('elsewhere').renameTo('migrations')));
    app.advance(SECOND);
    expect((await getReadiness()).statusCode).toBe(200);
  });

  test('reports why the server is not ready if the disk is nearly full', async () => {
    const app = await testApp(dialect);
    app.deps.blobs.free = async () => 1024 * 1024;
    const full = await app.call('GET', '/readyz');
    expect([full.statusCode, full.json().reason]).toEqual([503, expect.stringContaining('1 MiB free')]);
    app.deps.blobs.free = async () => 100 * 1024 * 1024;
    app.advance(SECOND);
    const low = await app.call('GET', '/readyz');
    expect([low.statusCode, low.json().warning]).toEqual([200, expect.stringContaining('100 MiB free')]);
  });

  test('does not blame the database for an unavailable file storage', async () => {
    const app = await testApp(dialect);
    app.deps.blobs.free = () => Promise.reject(new Error('the folder is not there'));
    const answer = await app.call('GET', '/readyz');
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { status: 'ready', warning: 'The free space of the file storage is unknown.' },
    ]);
  });

  test('does not wait for writers', async () => {
    const app = await testApp(dialect);
    const writing = Promise.withResolvers<void>();
    const done = app.database.transaction(() => writing.promise);
    expect((await app.call('GET', '/readyz')).statusCode).toBe(200);
    writing.resolve();
    await done;
  });
});

const forReaders = ['/feeds/none/events.atom', '/avatars/none.png', '/docs', '/docs/swagger-ui.css', '/openapi.json'];
const nowhere = ['/nothing', '/v0.1/nothing', '/subscriptions/none/nothing', '/feeds'];

test.each([...forReaders, ...nowhere])('%s counts against the limit of readers, not of the API', async (url) => {
  const app = await testApp('sqlite', { rateLimit: 3 });
  const getReadiness = (address: string, remoteAddress = '192.0.2.7') => app.call('GET', address, { remoteAddress });
  for (let remaining = 2; remaining >= 0; remaining -= 1) {
    expect((await getReadiness(url)).headers['ratelimit-remaining']).toBe(String(remaining));
  }
  const refused = await getReadiness(url);
  expect([refused.statusCode, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
  expect((await getReadiness(url, '192.0.2.8')).statusCode).not.toBe(429);
  expect((await getReadiness('/v0.1/server')).statusCode).toBe(200);
});

test('counts unsupported methods like unknown URLs, and never limits data of devices', async () => {
  const app = await testApp('sqlite', { rateLimit: 1 });
  const getReadiness = async (method: string, url: string) => (await app.call(method, url)).statusCode;
  expect([await getReadiness('DELETE', '/v0.1/user'), await getReadiness('DELETE', '/v0.1/user')]).toEqual([405, 429]);
  expect([await getReadiness('GET', '/logs/none'), await getReadiness('GET', '/logs/none')]).toEqual([404, 404]);
});

test("a credential can't use up the limit of an IP address", async () => {
  const app = await testApp('sqlite', { rateLimit: 2, trustedProxies: ['127.0.0.1'] });
  const token = await app.userToken(await app.addUser('ada'));
  const [{ id }] = (await app.call('GET', '/v0.1/api_tokens', { token })).json();
  const headers = { 'x-forwarded-for': id };
  for (let round = 0; round < 3; round += 1) await app.call('GET', '/v0.1/server', { headers });
  expect((await app.call('GET', '/v0.1/user', { token })).statusCode).toBe(200);
});

test("accepts only a valid IP address from a proxy as the client's", async () => {
  const app = await testApp('sqlite', { trustedProxies: ['127.0.0.1'] });
  const token = await app.userToken(await app.addUser('ada', { isAdmin: true }));
  const addressFor = async (header: string) => {
    const headers = { 'x-forwarded-for': header };
    await app.call('PATCH', '/v0.1/user', { token, headers, body: { display_name: header.slice(0, 20) } });
    return (await app.call('GET', '/v0.1/admin/audit?limit=1', { token })).json().values[0].address;
  };
  expect(await addressFor('198.51.100.7')).toBe('198.51.100.7');
  expect(await addressFor('198.51.100.7:5123')).toBe('198.51.100.7');
  expect(await addressFor('[2001:db8::7]:5123')).toBe('2001:db8::7');
  for (const odd of ['unknown', 'x'.repeat(3000), '<b>', '198.51.100.7, x']) {
    expect(await addressFor(odd)).toBe('127.0.0.1');
  }
});

test.each([
  'x-forwarded-for',
  'x-forwarded-host',
  'forwarded',
  'via',
  'x-real-ip',
  'cf-connecting-ip',
  'true-client-ip',
])('a proxy on this machine that sends %s does not expose metrics to its clients', async (name) => {
  const app = await testApp('sqlite');
  expect((await app.call('GET', '/metrics')).statusCode).toBe(200);
  expect((await app.call('GET', '/metrics', { headers: { [name]: '1.1 harbour' } })).statusCode).toBe(401);
});

test('metrics need a token on a server with a built-in runner, whose builds reach the loopback', async () => {
  const closed = await testApp('sqlite', { builtInRunner: 'bubblewrap' });
  const refused = await closed.call('GET', '/metrics');
  expect(refused.statusCode).toBe(401);
  expect(refused.json().error.message).toContain('Set MOORING_METRICS_TOKEN');
  const open = await testApp('sqlite', { builtInRunner: 'bubblewrap', metricsToken: 'let-prometheus-in-please' });
  const headers = { authorization: 'Bearer let-prometheus-in-please' };
  expect((await open.call('GET', '/metrics', { headers })).statusCode).toBe(200);
  expect((await open.call('GET', '/metrics')).statusCode).toBe(401);
});

test('sends HSTS only to browsers that used the public https host', async () => {
  const getNextLink = async (publicUrl: string | undefined, host: string) => {
    const app = await testApp('sqlite', publicUrl ? { publicUrl } : {});
    const answer = await app.call('GET', '/v0.1/server', { headers: { host } });
    return answer.headers['strict-transport-security'];
  };
  expect(await getNextLink('https://mooring.example.com', 'mooring.example.com')).toBe('max-age=31536000');
  expect(await getNextLink('https://mooring.example.com:8443', 'mooring.example.com:8443')).toBe('max-age=31536000');
  expect(await getNextLink('https://mooring.example.com', 'localhost:8443')).toBeUndefined();
  expect(await getNextLink('http://mooring.example.com', 'mooring.example.com')).toBeUndefined();
  expect(await getNextLink('https://localhost:8443', 'localhost:8443')).toBeUndefined();
  expect(await getNextLink('https://192.0.2.7', '192.0.2.7')).toBeUndefined();
  expect(await getNextLink(undefined, 'localhost:8443')).toBeUndefined();
});

test('never mixes up cached grants of an organization and an app with similar names', async () => {
  const app = await testApp('sqlite');
  const ada = await app.addUser('ada');
  const token = await app.userToken(ada);
  await app.addOrg(ada, 'acme');
  await app.addApp(ada, 'compass');
  const status = async (url: string) => (await app.call('GET', url, { token })).statusCode;
  for (let remembered = 0; remembered < 2; remembered += 1) {
    expect(await status('/v0.1/orgs/acme')).toBe(200);
    expect(await status('/v0.1/apps/ada/compass')).toBe(200);
    expect(await status('/v0.1/apps/acme//users')).toBe(404);
    expect(await status('/v0.1/apps/ada%2Fcompass//users')).toBe(404);
    expect(await status('/v0.1/orgs/ada%2Fcompass')).toBe(404);
    expect(await status('/v0.1/orgs/acme%2F')).toBe(404);
  }
});
