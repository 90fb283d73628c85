import { createSign, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createToken, send } from '../harness/http.ts';
import { runMooring } from '../harness/mooring.ts';
import { startServer } from '../harness/server.ts';

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A CI service: publishes its key, and issues ID tokens to jobs that show their request token. */
async function startCi() {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const sign = (claims: object): string => {
    const text = `${encode({ alg: 'RS256', kid: 'k' })}.${encode(claims)}`;
    return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`;
  };
  let jobs = 0;
  const issue = (audience: string | null): string => {
    const now = Math.floor(Date.now() / 1000);
    jobs += 1;
    const times = { iat: now, nbf: now, exp: now + 300 };
    return sign({ iss: issuer, aud: audience, jti: `${jobs}`, sub: 'x', repository: 'octo/compass', ...times });
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', issuer);
    const key = { ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' };
    const isJob = request.headers.authorization === 'Bearer request-token';
    const bodies: Record<string, object> = {
      '/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}/keys` },
      '/keys': { keys: [key] },
      ...(isJob ? { '/job': { value: issue(url.searchParams.get('audience')) } } : {}),
    };
    const body = bodies[url.pathname];
    response.writeHead(body ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { issuer, issue, stop: () => server.close() };
}

test('login --ci signs in a job of GitHub Actions or GitLab for one app, without a stored secret', async () => {
  const ci = await startCi();
  const server = await startServer({ env: { MOORING_OUTBOUND_ALLOW: '127.0.0.1' } });
  const scratch = mkdtempSync(path.join(tmpdir(), 'mooring-ci-'));
  onTestFinished(async () => {
    await server.stop();
    ci.stop();
    rmSync(scratch, { recursive: true, force: true });
  });
  const { api_token: token } = await createToken(server);
  const app = { display_name: 'Compass', name: 'compass', os: 'Android', platform: 'Java' };
  const { owner } = (await send('POST', `${server.httpUrl}/v0.1/apps`, { token, body: app })).json<{
    owner: { name: string };
  }>();
  const name = `${owner.name}/compass`;
  const trust = { NODE_EXTRA_CA_CERTS: server.caFile, MOORING_SERVER: server.httpsUrl };
  const manager = { ...trust, MOORING_CONFIG_DIR: path.join(scratch, 'manager'), MOORING_TOKEN: token };
  const rule = ['--issuer', ci.issuer, '--claims', 'repository=octo/*', '--permissions', 'releases:write'];
  const created = await runMooring(['ci-rules', 'create', name, ...rule, '--json'], manager);
  expect([created.code, created.stderr]).toEqual([0, expect.any(String)]);
  const { id } = JSON.parse(created.stdout);

  const job = { ...trust, MOORING_CONFIG_DIR: path.join(scratch, 'job') };
  const github = {
    ...job,
    ACTIONS_ID_TOKEN_REQUEST_URL: `${ci.issuer}/job?api-version=2.0`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'request-token',
  };
  const login = ['login', '--ci', '--app', name];
  const done = await runMooring(login, github);
  expect([done.code, done.stderr]).toEqual([0, expect.stringContaining(`for ${name} for 15 minutes`)]);
  const { profiles } = JSON.parse(readFileSync(path.join(scratch, 'job/profiles.json'), 'utf8'));
  expect(profiles.default.token).toMatch(/^moor_c_/);
  expect(done.stdout + done.stderr).not.toContain(profiles.default.token);
  expect((await runMooring(['releases', 'list', name], job)).code).toBe(0);
  expect((await runMooring(['webhooks', 'list', name], job)).code).not.toBe(0);

  const gitlab = { ...job, MOORING_ID_TOKEN: ci.issue(server.httpsUrl) };
  expect((await runMooring(login, gitlab)).code).toBe(0);
  const repeated = await runMooring(login, gitlab);
  expect([repeated.code, repeated.stderr]).toEqual([1, expect.stringContaining('No CI rule of this app accepts')]);
  const elsewhere = await runMooring(login, { ...job, MOORING_ID_TOKEN: ci.issue('https://elsewhere.example') });
  expect(elsewhere.stderr).toContain(`its audience is not ${server.httpsUrl}`);
  expect((await runMooring(login, job)).stderr).toContain('This job has no ID token.');
  expect((await runMooring(['login', '--ci'], job)).stderr).toContain('--ci requires --app');

  expect((await runMooring(['ci-rules', 'delete', name, id], manager)).code).toBe(0);
  expect((await runMooring(['releases', 'list', name], job)).code).not.toBe(0);
  expect((await runMooring(login, github)).code).toBe(1);
});
