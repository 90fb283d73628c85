import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type EndpointSpec, endpoints as everyEndpoint, healthSurface, needsCredential } from '@mooring/contract';
import { getExample } from '@mooring/contract/examples';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type PostgresServer, runSql, startPostgres } from '../../test-support/postgres.ts';
import {
  type Answer,
  basic,
  type Call,
  createToken,
  createUser,
  expectError,
  password,
  send,
} from '../harness/http.ts';
import { admin, type RunningServer, startServer } from '../harness/server.ts';

/** The health API has another error format; see `health.test.ts`. */
const endpoints = everyEndpoint.filter((spec) => spec.surface !== healthSurface);

const env = { MOORING_RATE_LIMIT: '0' };
const dataDirs: string[] = [];
let postgres: PostgresServer;
/** Two processes of one server, for each database. */
const pairs: Record<'sqlite' | 'postgres', RunningServer[]> = { sqlite: [], postgres: [] };

const server = (database: 'sqlite' | 'postgres', process: 0 | 1): RunningServer => {
  const running = pairs[database][process];
  if (!running) throw new Error('The server was not started.');
  return running;
};
const call = (method: string, address: string, options?: Call): Promise<Answer> =>
  send(method, server('sqlite', 0).httpUrl + address, options);
const makeToken = (body?: Record<string, unknown>) => createToken(server('sqlite', 0), body);
const listTokens = async (token: string) =>
  (await call('GET', '/v0.1/api_tokens', { token })).json<Record<string, unknown>[]>();

beforeAll(async () => {
  const folder = () => {
    const made = mkdtempSync(path.join(tmpdir(), 'mooring-tokens-'));
    dataDirs.push(made);
    return made;
  };
  const shared = folder();
  const startPostgresPair = async () => {
    postgres = await startPostgres();
    await runSql(postgres.url('postgres'), 'CREATE DATABASE mooring');
    const settings = { ...env, MOORING_DATABASE_URL: postgres.url('mooring') };
    pairs.postgres.push(await startServer({ env: settings, dataDir: folder() }));
    pairs.postgres.push(await startServer({ env: settings, dataDir: folder() }));
  };
  const startSqlitePair = async () => {
    pairs.sqlite.push(await startServer({ env, dataDir: shared }));
    pairs.sqlite.push(await startServer({ env, dataDir: shared }));
  };
  // Awaits both even if one fails, so that each started process is stopped.
  const outcomes = await Promise.allSettled([startPostgresPair(), startSqlitePair()]);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
});

afterAll(async () => {
  await Promise.all([...pairs.sqlite, ...pairs.postgres].map((running) => running.stop({ keepData: true })));
  await postgres?.stop();
  for (const folder of dataDirs) rmSync(folder, { recursive: true, force: true });
});

describe('a first token, created with HTTP Basic', () => {
  test.each(['ada', 'ADA', 'ada@example.com', 'Ada@Example.COM'])('signed in as %s, belongs to ada', async (login) => {
    const headers = basic(login, admin.password);
    const made = await call('POST', '/v0.1/api_tokens', { headers, body: { description: 'first' } });
    expect(made.status).toBe(201);
    const { api_token } = made.json<{ api_token: string }>();
    const me = await call('GET', '/v0.1/user', { token: api_token });
    expect(me.status).toBe(200);
    expect(me.json()).toMatchObject({ name: 'ada', email: 'ada@example.com', is_admin: true });
  });

  test('can be listed and deleted with HTTP Basic too', async () => {
    const { id } = await makeToken();
    const headers = basic('ada', admin.password);
    const list = (await call('GET', '/v0.1/api_tokens', { headers })).json<{ id: string }[]>();
    expect(list.map((token) => token.id)).toContain(id);
    expect((await call('DELETE', `/v0.1/api_tokens/${id}`, { headers })).status).toBe(204);
  });

  test.each([
    ['a wrong password', basic('ada', 'wrong horse battery')],
    ['an unknown name', basic('nobody', admin.password)],
    ['no colon', { authorization: `Basic ${Buffer.from('ada').toString('base64')}` }],
    ['no base64', { authorization: 'Basic ???' }],
  ])('is rejected with %s', async (_, headers) => {
    expectError(await call('POST', '/v0.1/api_tokens', { headers, body: {} }), 'Unauthorized');
  });

  const withoutBasic = endpoints.filter((spec) => !spec.basic && needsCredential(spec));
  test.each(withoutBasic.map((spec) => [spec.id, spec] as const))(
    'rejects a correct password for %s, which does not support HTTP Basic',
    async (_, spec) => {
      const answer = await callExample(spec, { headers: basic('ada', admin.password) });
      // A response to HEAD has no body with the error code.
      if (spec.method === 'HEAD') expect(answer.status).toBe(401);
      else expectError(answer, 'Unauthorized', getErrorShape(spec));
    },
  );
});

function getErrorShape({ errorShape, surface }: EndpointSpec): Parameters<typeof expectError>[2] {
  return surface?.name === 'scim' || surface?.name === 'sentry-cli' ? surface.name : errorShape;
}

/** Calls an operation with its example. */
function callExample(spec: EndpointSpec, options: Call): Promise<Answer> {
  const address = spec.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(getExample(spec).params?.[name] ?? ''),
  );
  const { request } = spec;
  const sent = !request ? {} : request.kind === 'json' ? { body: getExample(spec).body } : { raw: 'a file' };
  return call(spec.method, address, { ...options, ...sent });
}

describe('a token', () => {
  test('works in X-API-Token and as a bearer token, in any letter case of the scheme', async () => {
    const { api_token } = await makeToken();
    const ways: Record<string, string>[] = [
      { 'x-api-token': api_token },
      { authorization: `Bearer ${api_token}` },
      { authorization: `bearer ${api_token}` },
    ];
    for (const headers of ways) {
      expect((await call('GET', '/v0.1/user', { headers })).status).toBe(200);
    }
  });

  test('has a value that secret scanners recognize, and Full Access by default', async () => {
    const token = await makeToken({ description: 'nightly build' });
    expect(token).toEqual({
      id: expect.any(String),
      api_token: expect.stringMatching(/^moor_u_[0-9A-Za-z]{36}$/),
      description: 'nightly build',
      scope: ['all'],
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  test.each([
    [['all'], ['all']],
    [['viewer'], ['viewer']],
    [['viewer', 'all'], ['all']],
  ])('requested with scope %j has scope %j', async (requested, granted) => {
    expect((await makeToken({ scope: requested })).scope).toEqual(granted);
  });

  test('shows its value once: never in the list, the audit log or the output of the server', async () => {
    const token = await makeToken({ description: 'only once' });
    const value = token.api_token;
    const listed = await call('GET', '/v0.1/api_tokens', { token: value });
    const audit = await call('GET', '/v0.1/admin/audit?limit=200', { token: value });
    await call('GET', `/v0.1/user?token=${value}`, { token: value });
    await call('DELETE', `/v0.1/api_tokens/${token.id}`, { token: value });
    const refused = await call('GET', '/v0.1/user', {
      headers: { authorization: `Bearer ${value}`, 'x-request-id': 'only-once-last' },
    });
    expect(refused.status).toBe(401);

    const { id } = token;
    const entry = listed.json<{ id: string }[]>().find((token) => token.id === id);
    expect(entry).toMatchObject({
      description: 'only once',
      scope: ['all'],
      last_four: value.slice(-4),
      created_by: 'ada',
    });
    expect(entry).not.toHaveProperty('api_token');
    expect(audit.text).toContain(id);
    const { output } = server('sqlite', 0);
    await vi.waitFor(() => expect(output()).toContain('only-once-last'), { timeout: 10_000 });
    expect(output()).toContain(id);
    for (const text of [listed.text, audit.text, refused.text, output()]) {
      expect(text).not.toContain(value);
      expect(text).not.toContain(value.slice(7, -4));
    }
  });

  test('is listed newest first', async () => {
    const older = await makeToken();
    const newer = await makeToken();
    const ids = (await listTokens(newer.api_token)).map(({ id }) => id);
    expect(ids.indexOf(newer.id)).toBeGreaterThanOrEqual(0);
    expect(ids.indexOf(newer.id)).toBeLessThan(ids.indexOf(older.id));
  });

  test("of another user is invisible and can't be deleted, even by an administrator", async () => {
    const { api_token: adminToken } = await makeToken();
    await createUser(server('sqlite', 0), adminToken, 'tom');
    const toms = await createToken(server('sqlite', 0), {}, basic('tom', password));
    expect((await listTokens(adminToken)).map(({ id }) => id)).not.toContain(toms.id);
    expect((await listTokens(toms.api_token)).map(({ id }) => id)).toEqual([toms.id]);
    expectError(await call('DELETE', `/v0.1/api_tokens/${toms.id}`, { token: adminToken }), 'NotFound');
    expect((await call('GET', '/v0.1/user', { token: toms.api_token })).json()).toMatchObject({ name: 'tom' });
  });

  test("can't be deleted twice", async () => {
    const { api_token } = await makeToken();
    const { id } = await makeToken();
    expect((await call('DELETE', `/v0.1/api_tokens/${id}`, { token: api_token })).status).toBe(204);
    expectError(await call('DELETE', `/v0.1/api_tokens/${id}`, { token: api_token }), 'NotFound');
  });

  test('appears in the audit log when it is created and deleted', async () => {
    const keeper = await makeToken();
    const made = await call('POST', '/v0.1/api_tokens', {
      token: keeper.api_token,
      headers: { 'x-request-id': 'audit-make' },
      body: { description: 'traced', scope: ['viewer'] },
    });
    const { id } = made.json<{ id: string }>();
    await call('DELETE', `/v0.1/api_tokens/${id}`, {
      token: keeper.api_token,
      headers: { 'x-request-id': 'audit-delete' },
    });
    const audit = await call('GET', '/v0.1/admin/audit?limit=200', { token: keeper.api_token });
    const about = audit
      .json<{ values: { action: string; request_id?: string; subject: { id: string } }[] }>()
      .values.filter(({ subject }) => subject.id === id);
    const who = { kind: 'user', name: 'ada', token_id: keeper.id };
    expect(about).toMatchObject([
      { action: 'api_token.delete', request_id: 'audit-delete', actor: who, address: '127.0.0.1' },
      { action: 'api_token.create', request_id: 'audit-make', actor: who, after: { scope: 'viewer' } },
    ]);
  });

  test.each(['2020-01-01T00:00:00Z', 'tomorrow', '2030-12-31T23:59:60Z', '2030-01-01T00:00:00+01', 5])(
    "can't be created to expire at %j",
    async (expires_at) => {
      const { api_token } = await makeToken();
      const before = (await listTokens(api_token)).length;
      expectError(await call('POST', '/v0.1/api_tokens', { token: api_token, body: { expires_at } }), 'BadRequest');
      expect((await listTokens(api_token)).length).toBe(before);
    },
  );
});

describe('an invalid token', () => {
  const missing = () => call('GET', '/v0.1/user');

  async function expectSameRefusal(headers: Record<string, string>) {
    const [refused, unnamed] = [await call('GET', '/v0.1/user', { headers }), await missing()];
    expectError(refused, 'Unauthorized');
    expect(refused.text).toBe(unnamed.text);
    expect(refused.headers['www-authenticate']).toBe(unnamed.headers['www-authenticate']);
  }

  test.each([
    '',
    ' ',
    'x',
    'moor_u_',
    `moor_u_${'a'.repeat(36)}`,
    `moor_x_${'a'.repeat(36)}`,
    'moor_u_'.padEnd(8000, 'a'),
    "' OR 1=1 --",
    'é',
  ])('because it is malformed, such as %j, is rejected like a missing one', async (value) => {
    await expectSameRefusal({ 'x-api-token': value });
    await expectSameRefusal({ authorization: `Bearer ${value}` });
  });

  test('because one character is wrong, is rejected like a missing one', async () => {
    const { api_token } = await makeToken();
    const typo = api_token.slice(0, 12) + (api_token[12] === 'a' ? 'b' : 'a') + api_token.slice(13);
    await expectSameRefusal({ 'x-api-token': typo });
    await expectSameRefusal({ 'x-api-token': api_token.toLowerCase() });
  });

  test('because it belongs to another server, is rejected like a missing one', async () => {
    const { api_token } = await createToken(server('postgres', 0));
    await expectSameRefusal({ 'x-api-token': api_token });
  });

  test('because it was revoked, is rejected like a missing one in the very next request', async () => {
    const { api_token, id } = await makeToken();
    expect((await call('GET', '/v0.1/user', { token: api_token })).status).toBe(200);
    expect((await call('DELETE', `/v0.1/api_tokens/${id}`, { token: api_token })).status).toBe(204);
    await expectSameRefusal({ 'x-api-token': api_token });
  });

  test('because it has expired, is rejected like a missing one', async () => {
    const expires_at = new Date(Date.now() + 1500).toISOString();
    const { api_token } = await makeToken({ expires_at });
    const lasting = await makeToken({ expires_at: new Date(Date.now() + 3_600_000).toISOString() });
    await vi.waitFor(async () => expect((await call('GET', '/v0.1/user', { token: api_token })).status).toBe(401), {
      timeout: 20_000,
      interval: 100,
    });
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expires_at));
    await expectSameRefusal({ 'x-api-token': api_token });
    expect((await call('GET', '/v0.1/user', { token: lasting.api_token })).status).toBe(200);
  });

  test('is rejected even with a forged session cookie', async () => {
    await expectSameRefusal({ cookie: 'mooring_session=abc' });
  });
});

describe('a Read-Only token', () => {
  test('reads what its user reads', async () => {
    const { api_token } = await makeToken({ scope: ['viewer'] });
    for (const address of ['/v0.1/user', '/v0.1/api_tokens', '/v0.1/sessions', '/v0.1/admin/users']) {
      expect((await call('GET', address, { token: api_token })).status).toBe(200);
    }
  });

  const changes = endpoints.filter(({ effect, access }) => effect !== 'read' && /^(user|admin)$/.test(access));
  test.each(changes.map((spec) => [spec.id, spec] as const))("can't call %s", async (_, spec) => {
    const { api_token } = await makeToken({ scope: ['viewer'] });
    const before = await listTokens(api_token);
    expectError(await callExample(spec, { token: api_token }), 'Forbidden', spec.errorShape);
    expect((await listTokens(api_token)).length).toBe(before.length);
    expect((await call('GET', '/v0.1/user', { token: api_token })).json()).toMatchObject({ display_name: 'ada' });
  });

  test("can't even delete itself", async () => {
    const { api_token, id } = await makeToken({ scope: ['viewer'] });
    expectError(await call('DELETE', `/v0.1/api_tokens/${id}`, { token: api_token }), 'Forbidden');
    expect((await call('GET', '/v0.1/user', { token: api_token })).status).toBe(200);
  });
});

test("an app that the caller can't see is indistinguishable from one that does not exist", async () => {
  const { api_token } = await makeToken();
  const address = '/v0.1/apps/ada/compass/api_tokens';
  expectError(await call('GET', address, { token: api_token }), 'NotFound');
  expectError(await call('POST', address, { token: api_token, body: {} }), 'NotFound');
  expectError(await call('GET', address), 'Unauthorized');
});

describe.each(['sqlite', 'postgres'] as const)('two processes on one %s database', (database) => {
  const request = (process: 0 | 1, method: string, address: string, options?: Call) =>
    send(method, server(database, process).httpUrl + address, options);

  test('agree immediately on all created and revoked tokens', async () => {
    const keeper = await createToken(server(database, 0));
    for (let round = 0; round < 30; round += 1) {
      const { api_token, id } = await createToken(server(database, 0), {}, { 'x-api-token': keeper.api_token });
      const used = await request(1, 'GET', '/v0.1/user', { token: api_token });
      expect(used.status, `round ${round}, use`).toBe(200);
      const deleted = await request(0, 'DELETE', `/v0.1/api_tokens/${id}`, { token: keeper.api_token });
      expect(deleted.status, `round ${round}, deletion`).toBe(204);
      const refused = await request(1, 'GET', '/v0.1/user', { token: api_token });
      expect(refused.status, `round ${round}, after deletion`).toBe(401);
    }
  });

  test('reject a revoked token even while the other process uses it heavily', async () => {
    const keeper = await createToken(server(database, 0));
    for (let round = 0; round < 5; round += 1) {
      const { api_token, id } = await createToken(server(database, 0), {}, { 'x-api-token': keeper.api_token });
      let revoked = false;
      const late: number[] = [];
      const use = async () => {
        for (;;) {
          const requested = revoked;
          const { status } = await request(1, 'GET', '/v0.1/user', { token: api_token });
          if (requested) {
            late.push(status);
            return;
          }
        }
      };
      const users = Array.from({ length: 8 }, use);
      await request(0, 'DELETE', `/v0.1/api_tokens/${id}`, { token: keeper.api_token });
      revoked = true;
      await Promise.all(users);
      expect(late).toEqual(Array(8).fill(401));
    }
  });

  test('agree immediately on disabled users and administrators', async () => {
    const keeper = await createToken(server(database, 0));
    const eve = await createUser(server(database, 0), keeper.api_token, 'eve', { is_admin: true });
    const token = (await createToken(server(database, 0), {}, basic('eve', password))).api_token;
    const change = (body: Record<string, unknown>) =>
      request(0, 'PATCH', `/v0.1/admin/users/${eve.id}`, { token: keeper.api_token, body });
    const requestUsers = async () => (await request(1, 'GET', '/v0.1/admin/users', { token })).status;

    expect(await requestUsers()).toBe(200);
    await change({ is_admin: false });
    expect(await requestUsers()).toBe(403);
    await change({ is_disabled: true });
    expect(await requestUsers()).toBe(401);
    await change({ is_disabled: false, is_admin: true });
    expect(await requestUsers()).toBe(401);
  });

  test('reject a name with a NUL character in HTTP Basic like any unknown name', async () => {
    const answer = await request(0, 'GET', '/v0.1/api_tokens', { headers: basic('ada\0', admin.password) });
    expectError(answer, 'Unauthorized');
  });

  test.each([
    ['/v0.1/admin/users', ['a\0']],
    ['/v0.1/admin/audit', [1.5, 'a']],
    ['/v0.1/admin/audit', [1e30, 'a']],
    ['/v0.1/admin/audit', [1, 'a\0']],
  ])('reject a forged cursor at %s with %j as a bad request', async (address, position) => {
    const { api_token: token } = await createToken(server(database, 0));
    const cursor = Buffer.from(JSON.stringify(position)).toString('base64url');
    expectError(await request(0, 'GET', `${address}?cursor=${cursor}`, { token }), 'BadRequest');
  });

  test('are both ready', async () => {
    for (const process of [0, 1] as const) expect((await request(process, 'GET', '/readyz')).status).toBe(200);
  });
});
