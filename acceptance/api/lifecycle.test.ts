import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type PostgresServer, runSql, startPostgres } from '../../test-support/postgres.ts';
import { type Answer, type Call, createToken, expectError, getPort, readAnswer, send } from '../harness/http.ts';
import { admin, compileCache, type RunningServer, type ServerSettings, startServer } from '../harness/server.ts';

const main = path.join(import.meta.dirname, '../../packages/server/src/main.ts');

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-life-'));
  cleanUp.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A server for one test, with a new folder. */
async function start(settings: ServerSettings & { dataDir: string }): Promise<RunningServer> {
  const server = await startServer(settings);
  cleanUp.push(() => server.stop({ keepData: true }));
  return server;
}

/** Starts the server with settings that it must reject. */
async function startInVain(env: Record<string, string>): Promise<{ code: number | null; printed: string }> {
  const ports = { MOORING_HTTP_PORT: '0', MOORING_HTTPS_PORT: '0', MOORING_DATA_DIR: temporaryFolder() };
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, ...compileCache, ...ports, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  cleanUp.push(() => child.kill('SIGKILL'));
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  child.stderr.on('data', (chunk) => {
    printed += chunk;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, printed };
}

/** A port that another program uses. */
async function takePort(): Promise<number> {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  cleanUp.push(() => other.close());
  return (other.address() as AddressInfo).port;
}

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.stop());

async function createDatabase(name: string): Promise<string> {
  await runSql(postgres.url('postgres'), `CREATE DATABASE ${name}`);
  return postgres.url(name);
}

const trusted = (server: RunningServer): string => readFileSync(server.caFile, 'utf8');
const getMode = (file: string): string => (statSync(file).mode & 0o777).toString(8);
const works = async (server: RunningServer, token: string): Promise<boolean> =>
  (await send('GET', `${server.httpUrl}/v0.1/user`, { token })).status === 200;

async function ended(server: RunningServer): Promise<{ code: number | null; signal: string | null }> {
  const { process: child } = server;
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return { code: child.exitCode, signal: child.signalCode };
}

/** Sends a request whose body stops halfway; the test can send the rest later. */
function halfRequest(socket: Socket, token: string) {
  const body = JSON.stringify({ description: 'was running' });
  const answer = readAnswer(socket);
  socket.write(
    `POST /v0.1/api_tokens HTTP/1.1\r\nHost: localhost\r\nX-API-Token: ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  return {
    finish: () => {
      socket.write(body.slice(5));
      return answer;
    },
    answer,
  };
}

const connects = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

describe("a start that can't succeed", () => {
  test('exits with 2 for wrong settings, lists all problems and changes nothing', async () => {
    const dataDir = path.join(temporaryFolder(), 'never-made');
    const { code, printed } = await startInVain({
      MOORING_DATA_DIR: dataDir,
      MOORING_HTTP_PORT: 'eighty',
      MOORING_PUBLIC_URL: 'mooring',
      MOORING_RETIREMENT_DATE: 'soon',
      MOORING_DATABASE_URL: 'mysql://root:hunter2@db/x',
      MOORING_ADMIN_EMAIL: 'ada@example.com',
    });
    expect(code).toBe(2);
    for (const named of [
      'MOORING_HTTP_PORT must be',
      'MOORING_PUBLIC_URL must be',
      'MOORING_RETIREMENT_DATE must be',
      'MOORING_DATABASE_URL must be',
      'MOORING_ADMIN_EMAIL and MOORING_ADMIN_PASSWORD must be set together',
      'docs/configuration.md',
    ]) {
      expect(printed).toContain(named);
    }
    expect(printed).not.toContain('hunter2');
    expect(existsSync(dataDir)).toBe(false);
  });

  test('exits with 2 for an unreadable list of proxies, and names the setting', async () => {
    const { code, printed } = await startInVain({ MOORING_TRUSTED_PROXIES: 'my-proxy' });
    expect(printed).toContain('MOORING_TRUSTED_PROXIES');
    expect(code).toBe(2);
  });

  test.each(['MOORING_HTTP_PORT', 'MOORING_HTTPS_PORT'])(
    'exits with 1 if the port of %s is in use, and says what to do',
    async (variable) => {
      const port = await takePort();
      const { code, printed } = await startInVain({ [variable]: String(port) });
      expect(code).toBe(1);
      expect(printed).toContain(`Port ${port} is in use`);
      expect(printed).toContain(variable);
      expect(printed).not.toContain('    at ');
    },
  );

  test('exits with 1 if the database does not respond, names the setting and hides its password', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    const url = `postgres://mooring:hunter2@127.0.0.1:${port}/mooring`;
    const { code, printed } = await startInVain({ MOORING_DATABASE_URL: url });
    expect(code).toBe(1);
    expect(printed).toContain('MOORING_DATABASE_URL');
    expect(printed).not.toContain('hunter2');
  });
});

describe('a running server', () => {
  let server: RunningServer;
  let outer: string;
  let dataDir: string;
  const call = (address: string, options?: Call): Promise<Answer> => send('GET', server.httpUrl + address, options);

  beforeAll(async () => {
    outer = mkdtempSync(path.join(tmpdir(), 'mooring-life-'));
    dataDir = path.join(outer, 'deep', 'data');
    server = await startServer({ dataDir, env: { MOORING_HTPP_PORT: '80' } });
  });
  afterAll(async () => {
    await server?.stop({ keepData: true });
    rmSync(outer, { recursive: true, force: true });
  });

  test('prints its URLs, and misspelled settings', () => {
    const printed = server.output();
    for (const line of ['Console', 'API', 'API reference', 'Data', 'Trust', 'Sign in']) expect(printed).toContain(line);
    expect(printed).toContain(`${server.httpUrl}/docs`);
    expect(printed).toContain(dataDir);
    expect(printed).toContain('MOORING_HTPP_PORT');
    expect(printed).not.toContain(admin.password);
  });

  test('serves https with a certificate of the authority that it names, and only with that', async () => {
    const ca = trusted(server);
    for (const host of ['localhost', '127.0.0.1']) {
      const url = `${server.httpsUrl.replace('localhost', host)}/healthz`;
      expect((await send('GET', url, { ca })).status).toBe(200);
    }
    await expect(send('GET', `${server.httpsUrl}/healthz`)).rejects.toThrow(/certificate|self.signed/i);
  });

  test('serves the API over https as over http, including errors', async () => {
    const ca = trusted(server);
    const { api_token } = await createToken(server);
    const https = (method: string, address: string, options: Call = {}) =>
      send(method, server.httpsUrl + address, { ca, ...options });
    expect((await https('GET', '/v0.1/user', { token: api_token })).json()).toMatchObject({ name: 'ada' });
    expectError(await https('GET', '/v0.1/user'), 'Unauthorized');
    expectError(await https('POST', '/v0.1/api_tokens', { raw: '' }), 'LengthRequired');
    expectError(await https('GET', '/v0.1/nope'), 'NotFound');

    const socket = connectTls({ port: Number(new URL(server.httpsUrl).port), host: '127.0.0.1', ca });
    const answer = readAnswer(socket);
    socket.write(`GET /v0.1/user HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`);
    expectError(await answer, 'HeadersTooLarge', 'unaddressed');
  });

  test('protects its keys and its data', () => {
    expect(getMode(dataDir)).toBe('700');
    for (const key of ['ca.key', 'server.key']) expect(getMode(path.join(dataDir, 'tls', key))).toBe('600');
  });

  test('is alive and ready', async () => {
    expect((await call('/healthz')).json()).toEqual({ status: 'ok' });
    expect((await call('/readyz')).json()).toEqual({ status: 'ready' });
  });

  test('shows its metrics only to direct connections of this machine', async () => {
    const { api_token } = await createToken(server);
    await call('/v0.1/user', { token: api_token });
    await call('/v0.1/user');
    const metrics = await call('/metrics');
    expect(metrics.status).toBe(200);
    expect(metrics.headers['content-type']).toMatch(/^text\/plain/);
    for (const figure of [
      /^mooring_http_requests_total\{operation="users_get",status="200"\} [1-9]/m,
      /^mooring_http_requests_total\{operation="users_get",status="401"\} [1-9]/m,
      /^mooring_http_request_duration_seconds_bucket\{.*operation="users_get".*\} /m,
      /^mooring_database_query_duration_seconds_count [1-9]/m,
      /^nodejs_eventloop_lag_seconds /m,
    ]) {
      expect(metrics.text).toMatch(figure);
    }
    expect(metrics.text).not.toContain(api_token);
    for (const headers of [
      { 'x-forwarded-for': '203.0.113.9' },
      { 'x-forwarded-for': '127.0.0.1' },
      { forwarded: 'for=203.0.113.9' },
      { via: '1.1 harbour' },
      { 'x-real-ip': '203.0.113.9' },
    ] as Record<string, string>[]) {
      expectError(await call('/metrics', { headers }), 'Unauthorized');
    }
  });

  test('does not announce a retirement if none is set', async () => {
    const answer = await call('/v0.1/server');
    expect(answer.headers).not.toHaveProperty('sunset');
    expect(answer.headers).not.toHaveProperty('deprecation');
    expect(answer.json()).not.toHaveProperty('retirement_date');
    expect((await call('/openapi.json')).text).not.toContain('shuts down on');
  });

  test('publishes its limits', async () => {
    expect((await call('/v0.1/server')).json()).toMatchObject({
      limits: {
        requests_per_minute: 3000,
        body_bytes: 1_048_576,
        header_bytes: 16_384,
        request_seconds: 30,
        api_tokens_per_account: 5000,
      },
    });
  });
});

describe('a server with a future retirement date, a token for its metrics and its own certificate', () => {
  let server: RunningServer;
  let token: string;
  let folder: string;
  let certFile: string;
  const metricsToken = 'let-prometheus-in-please';
  let ca: string;
  const call = (address: string, options?: Call): Promise<Answer> => send('GET', server.httpUrl + address, options);

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'mooring-life-'));
    certFile = path.join(folder, 'first', 'tls', 'server.crt');
    const first = await startServer({ dataDir: path.join(folder, 'first') });
    ca = trusted(first);
    await first.stop({ keepData: true });
    server = await startServer({
      dataDir: path.join(folder, 'second'),
      env: {
        MOORING_RETIREMENT_DATE: '2099-03-31',
        MOORING_METRICS_TOKEN: metricsToken,
        MOORING_TLS_CERT_FILE: certFile,
        MOORING_TLS_KEY_FILE: path.join(folder, 'first', 'tls', 'server.key'),
      },
    });
    token = (await createToken(server)).api_token;
  });
  afterAll(async () => {
    await server?.stop({ keepData: true });
    rmSync(folder, { recursive: true, force: true });
  });

  test('announces the date in all responses of the API, including errors, and nowhere else', async () => {
    const answers = [
      await call('/v0.1/user', { token }),
      await call('/v0.1/user'),
      await call('/v0.1/nope'),
      await send('POST', `${server.httpUrl}/v0.1/api_tokens`, { raw: '' }),
      await send('DELETE', `${server.httpUrl}/v0.1/user`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 404, 411, 405]);
    for (const { headers } of answers) {
      expect(headers.sunset).toBe('Tue, 31 Mar 2099 00:00:00 GMT');
      expect(headers.deprecation).toBe(`@${Date.UTC(2099, 2, 31) / 1000}`);
    }
    expect((await call('/healthz')).headers).not.toHaveProperty('sunset');
  });

  test('announces the date in the API reference and in its description of itself', async () => {
    const document = (await call('/openapi.json')).json<{ info: { description: string } }>();
    expect(document.info.description).toContain('shuts down on 2099-03-31');
    expect((await call('/v0.1/server')).json()).toMatchObject({ retirement_date: '2099-03-31' });
  });

  test('shows its metrics to clients with the token, from anywhere, and to no others', async () => {
    const getMetrics = (headers: Record<string, string>) => call('/metrics', { headers });
    expectError(await getMetrics({}), 'Unauthorized');
    expectError(await getMetrics({ authorization: 'Bearer wrong' }), 'Unauthorized');
    expectError(await getMetrics({ authorization: `Bearer ${metricsToken}x` }), 'Unauthorized');
    expectError(await getMetrics({ 'x-api-token': token }), 'Unauthorized');
    expectError(await getMetrics({ authorization: `Bearer ${token}` }), 'Unauthorized');
    const right = { authorization: `Bearer ${metricsToken}` };
    expect((await getMetrics(right)).status).toBe(200);
    expect((await getMetrics({ ...right, 'x-forwarded-for': '203.0.113.9' })).status).toBe(200);
  });

  test('serves that certificate and creates none', async () => {
    const socket = connectTls({ port: Number(new URL(server.httpsUrl).port), host: '127.0.0.1', ca });
    await once(socket, 'secureConnect');
    const served = socket.getPeerX509Certificate();
    socket.destroy();
    expect(served?.fingerprint256).toBe(new X509Certificate(readFileSync(certFile)).fingerprint256);
    expect(server.caFile).toBe('');
    expect(existsSync(path.join(server.dataDir, 'tls'))).toBe(false);
  });
});

test('after its retirement date, the API responds with 410 and the date; the server itself stays healthy', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const server = await start({ dataDir: temporaryFolder(), env: { MOORING_RETIREMENT_DATE: today } });
  const call = (method: string, address: string, options?: Call) => send(method, server.httpUrl + address, options);
  const answers = [
    await call('GET', '/v0.1/user'),
    await call('GET', '/v0.1/server'),
    await call('POST', '/v0.1/sessions', { body: { login: 'ada', password: admin.password } }),
    await call('DELETE', '/v0.1/api_tokens/x'),
  ];
  for (const answer of answers) {
    expectError(answer, 'Gone');
    expect(answer.text).toContain(today);
    expect(answer.headers).toHaveProperty('sunset');
    expect(answer.headers).not.toHaveProperty('set-cookie');
  }
  expect((await call('GET', '/healthz')).status).toBe(200);
  expect((await call('GET', '/readyz')).status).toBe(200);
  expect((await call('GET', '/openapi.json')).text).toContain(`shuts down on ${today}`);
});

describe('stopping', () => {
  test('on SIGTERM rejects new connections, finishes running requests, exits with 0 and keeps all data', async () => {
    const dataDir = temporaryFolder();
    // With such a long grace period, only a complete stop ends the process within the test.
    const env = { MOORING_SHUTDOWN_TIMEOUT: '600' };
    const first = await start({ dataDir, env });
    const { api_token } = await createToken(first);
    const ca = trusted(first);
    const authority = new X509Certificate(ca).fingerprint256;
    const httpsPort = Number(new URL(first.httpsUrl).port);

    const idle = [connect(getPort(first), '127.0.0.1'), connectTls({ port: httpsPort, host: '127.0.0.1', ca })];
    for (const socket of idle) {
      socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await once(socket, 'data');
      socket.on('error', () => undefined);
    }
    const tlsSocket = connectTls({ port: httpsPort, host: '127.0.0.1', ca });
    await once(tlsSocket, 'secureConnect');
    const running = [halfRequest(connect(getPort(first), '127.0.0.1'), api_token), halfRequest(tlsSocket, api_token)];
    // Once later requests are answered, the server has received the earlier ones.
    for (let round = 0; round < 3; round += 1) {
      expect(await works(first, api_token)).toBe(true);
      await send('GET', `${first.httpsUrl}/healthz`, { ca });
    }

    first.process.kill('SIGTERM');
    await vi.waitFor(async () => expect(await connects(getPort(first))).toBe(false), { timeout: 20_000 });
    await vi.waitFor(async () => expect(await connects(httpsPort)).toBe(false), { timeout: 20_000 });
    expect(first.process.exitCode).toBeNull();
    const answers = await Promise.all(running.map(({ finish }) => finish()));
    for (const answer of answers) expect(answer.status, answer.text).toBe(201);
    expect(await ended(first)).toEqual({ code: 0, signal: null });

    const second = await start({ dataDir, env });
    for (const answer of answers) {
      expect(await works(second, answer.json<{ api_token: string }>().api_token)).toBe(true);
    }
    expect(new X509Certificate(trusted(second)).fingerprint256).toBe(authority);
    const listed = await send('GET', `${second.httpUrl}/v0.1/api_tokens`, { token: api_token });
    expect(listed.json<Record<string, unknown>[]>().at(-1)).toHaveProperty('last_used_at');
    expect(second.setupLink).toBeUndefined();
  });

  test('on SIGINT waits for an endless request only as long as configured', async () => {
    const server = await start({ dataDir: temporaryFolder(), env: { MOORING_SHUTDOWN_TIMEOUT: '1' } });
    const { api_token } = await createToken(server);
    const { answer } = halfRequest(connect(getPort(server), '127.0.0.1'), api_token);
    answer.catch(() => undefined);
    expect(await works(server, api_token)).toBe(true);
    server.process.kill('SIGINT');
    expect(await ended(server)).toEqual({ code: 0, signal: null });
  });

  test('on kill -9 loses no acknowledged change', async () => {
    const dataDir = temporaryFolder();
    const acknowledged: string[] = [];
    let server = await start({ dataDir });
    const { api_token: keeper } = await createToken(server);
    for (let round = 0; round < 4; round += 1) {
      const running = server;
      let acknowledgedNow = 0;
      const create = async () => {
        const made = await createToken(running, {}, { 'x-api-token': keeper });
        acknowledged.push(made.api_token);
        acknowledgedNow += 1;
        if (acknowledgedNow === 1 + round * 3) running.process.kill('SIGKILL');
      };
      await Promise.allSettled(Array.from({ length: 20 }, create));
      expect(await ended(running)).toEqual({ code: null, signal: 'SIGKILL' });
      server = await start({ dataDir });
      expect(acknowledged.length).toBeGreaterThan(round);
      for (const token of [keeper, ...acknowledged]) expect(await works(server, token)).toBe(true);
    }
  });
});

describe('two processes that start simultaneously on an empty folder or database', () => {
  /** Both must start, agree on the administrator and be trusted by the same authority. */
  async function expectBothToWork(servers: RunningServer[]): Promise<void> {
    const [one, other] = servers as [RunningServer, RunningServer];
    const { api_token } = await createToken(one);
    expect(await works(other, api_token)).toBe(true);
    const users = await send('GET', `${other.httpUrl}/v0.1/admin/users`, { token: api_token });
    expect(users.json()).toMatchObject({ values: [{ name: 'ada', is_admin: true }] });
    for (const server of servers) {
      const answer = await send('GET', `${server.httpsUrl}/healthz`, { ca: trusted(server) });
      expect(answer.status).toBe(200);
    }
  }

  test('share a SQLite data folder', async () => {
    const dataDir = temporaryFolder();
    await expectBothToWork(await Promise.all([start({ dataDir }), start({ dataDir })]));
  });

  test('share a PostgreSQL database', async () => {
    const env = { MOORING_DATABASE_URL: await createDatabase('shared') };
    const servers = [start({ dataDir: temporaryFolder(), env }), start({ dataDir: temporaryFolder(), env })];
    await expectBothToWork(await Promise.all(servers));
  });
});

/** A TCP connection to the database that tests can cut and restore. */
async function lineTo(database: string) {
  const target = new URL(database);
  const open = new Set<Socket>();
  const line = createServer((from) => {
    const to = connect(Number(target.port), target.hostname);
    for (const [end, other] of [
      [from, to],
      [to, from],
    ] as const) {
      open.add(end);
      end.on('error', () => other.destroy());
      end.on('close', () => other.destroy());
      end.pipe(other);
    }
  });
  const listen = async (port: number) => {
    line.listen(port, '127.0.0.1');
    await once(line, 'listening');
  };
  await listen(0);
  const { port } = line.address() as AddressInfo;
  const cut = async () => {
    const closed = new Promise((resolve) => line.close(resolve));
    for (const socket of open) socket.destroy();
    await closed;
  };
  cleanUp.push(() => line.listening && cut());
  const url = new URL(database);
  url.port = String(port);
  return { url: url.href, cut, restore: () => listen(port) };
}

test('without its database, a server is alive but not ready and says so; it recovers when the database is back', async () => {
  const line = await lineTo(await createDatabase('away'));
  const server = await start({ dataDir: temporaryFolder(), env: { MOORING_DATABASE_URL: line.url } });
  const { api_token } = await createToken(server);
  expect(await works(server, api_token)).toBe(true);

  await line.cut();
  expect((await send('GET', `${server.httpUrl}/healthz`)).status).toBe(200);
  expect((await send('GET', `${server.httpUrl}/readyz`)).status).toBe(503);
  for (const credential of [{ token: api_token }, { headers: { cookie: `mooring_session=${'a'.repeat(32)}` } }]) {
    const refused = await send('GET', `${server.httpUrl}/v0.1/user`, credential);
    expectError(refused, 'ServiceUnavailable');
    expect(refused.headers).toHaveProperty('retry-after');
  }

  await line.restore();
  await vi.waitFor(async () => expect((await send('GET', `${server.httpUrl}/readyz`)).status).toBe(200), {
    timeout: 20_000,
  });
  expect(await works(server, api_token)).toBe(true);
  expect(await server.stop({ keepData: true })).toBe(0);
});
