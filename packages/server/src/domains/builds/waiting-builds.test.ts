import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testApp } from '../../../test/harness/app.ts';
import { eachDatabase } from '../../../test/harness/services/databases.ts';
import { gitHost } from '../../../test/harness/services/git.ts';
import { systemCtx } from '../../context.ts';
import type { DialectName } from '../../db/drivers/connection.ts';
import { localCertificate } from '../../http/network/tls.ts';
import { HOUR } from '../../kernel/clock.ts';
import { expireBuilds } from './expiring.ts';

const sha = 'a'.repeat(40);
const xcode = { trigger: 'manual', toolsets: { xcode: { projectOrWorkspacePath: 'a.xcodeproj', scheme: 'a' } } };
const custom = { trigger: 'manual', toolsets: { custom: { commands: ['make'] } } };

async function withApp(dialect: DialectName, settings = {}) {
  const app = await testApp(dialect, { outboundAllow: ['127.0.0.0/8'], ...settings });
  const ada = await app.addUser('ada', { isAdmin: true });
  await app.addApp(ada, 'compass');
  const token = await app.userToken(ada);
  const send = async (method: string, rest: string, body?: unknown) => {
    const response = await app.call(method, `/v0.1/apps/ada/compass/${rest}`, { token, ...(body ? { body } : {}) });
    return { status: response.statusCode, body: response.body ? response.json() : undefined };
  };
  const addRunner = async (name: string, declared: object = {}) => {
    const { body } = await send('POST', 'runners/codes', {});
    const made = (await app.call('POST', '/v0.1/runners', { body: { code: body.code, name } })).json();
    const headers = { 'x-runner-token': made.token };
    const declaration = { protocol: 1, version: '1', labels: [], tools: [], slots: 1, ...declared };
    expect((await app.call('PUT', '/v0.1/runner', { headers, body: declaration })).statusCode).toBe(200);
    return { take: () => app.call('POST', '/v0.1/runner/jobs?wait=0', { headers, body: {} }) };
  };
  const waiting = async (id = 1) => (await send('GET', `builds/${id}`)).body.waiting;
  return { app, token, send, addRunner, waiting };
}

eachDatabase('queued builds', (dialect) => {
  test('show what is missing, depending on the registered runners', async () => {
    const { app, send, addRunner, waiting } = await withApp(dialect);
    await send('POST', 'repo_config', { repo_url: 'https://git.example.com/a.git' });
    await send('POST', 'branches/main/config', xcode);
    const queued = await send('POST', 'branches/main/builds', { sourceVersion: sha });
    expect(queued.body).toMatchObject({
      status: 'notStarted',
      waiting: expect.stringContaining('No runner is registered'),
    });
    await addRunner('linux-1', { labels: ['android'], tools: [{ name: 'node', version: '26' }] });
    expect(await waiting()).toBe('No runner has xcode. Registered: linux-1 (android, node).');
    expect((await send('GET', 'branches/main/builds')).body[0].waiting).toContain('No runner has xcode');
    expect((await send('GET', 'builds')).body.values[0].waiting).toContain('No runner has xcode');
    const mac = { tools: [{ name: 'xcode', version: '16' }] };
    const { take } = await addRunner('mac-1', mac);
    expect(await waiting()).toBe('mac-1 will run it next.');
    app.advance(HOUR);
    expect(await waiting()).toBe('No runner that has xcode is online: mac-1. Start it with `mooring runner start`.');
    expect((await take()).statusCode).toBe(200);
    expect(await waiting()).toBeUndefined();
    await send('POST', 'branches/main/builds', { sourceVersion: sha });
    expect(await waiting(2)).toBe('Every suitable runner is busy: mac-1 (1 of 1).');
    await addRunner('mac-2', { ...mac, trouble: 'The disk is full.' });
    expect(await waiting(2)).toContain('busy: mac-1');
  });

  test('fail after the time limit if no runner takes them, with the reason in the log', async () => {
    const { app, send, addRunner } = await withApp(dialect, { buildWaitHours: 2 });
    const ctx = systemCtx(app.deps);
    await send('POST', 'repo_config', { repo_url: 'https://git.example.com/a.git' });
    await send('POST', 'branches/main/config', xcode);
    await send('POST', 'branches/main/builds', { sourceVersion: sha });
    app.advance(HOUR);
    await expireBuilds(ctx);
    expect((await send('GET', 'builds/1')).body.status).toBe('notStarted');
    app.advance(HOUR + 1);
    await addRunner('linux-1');
    await expireBuilds(ctx);
    const reason = 'No runner took this build within 2 hours. No runner has xcode. Registered: linux-1.';
    const { body } = await send('GET', 'builds/1');
    expect(body).toMatchObject({ status: 'completed', result: 'failed', failure: reason });
    expect(body.waiting).toBeUndefined();
    expect((await send('GET', 'builds/1/logs')).body.value).toContain(`## ${reason}`);
    await expireBuilds(ctx);
  });

  test('lists every runner with its app or organization for administrators only', async () => {
    const { app, token, addRunner } = await withApp(dialect);
    await addRunner('box');
    const { code } = (await app.call('POST', '/v0.1/admin/runners/codes', { token, body: {} })).json();
    await app.call('POST', '/v0.1/runners', { body: { code, name: 'shared' } });
    const list = async (query: string, as = token) => app.call('GET', `/v0.1/admin/runners${query}`, { token: as });
    expect((await list('?all=true')).json()).toMatchObject([
      { name: 'box', serves: 'app', serves_name: 'ada/compass' },
      { name: 'shared', serves: 'server' },
    ]);
    expect((await list('')).json()).toMatchObject([{ name: 'shared' }]);
    const bob = await app.userToken(await app.addUser('bob'));
    expect((await list('?all=true', bob)).statusCode).toBe(403);
  });

  test('require a readable repository: a check fails without saving anything', async () => {
    const { send } = await withApp(dialect);
    const host = await gitHost({ password: 'correct-horse' });
    host.push('main', {});
    const connect = (repo_url: string, more = {}) => send('POST', 'repo_config', { repo_url, check: true, ...more });
    const refused = await connect(host.url, { username: 'ada', password: 'wrong' });
    expect(refused).toMatchObject({ status: 400 });
    expect(JSON.stringify(refused.body)).toMatch(/Can't connect .*\. The repository rejected the credentials/);
    expect(JSON.stringify((await connect(host.movedUrl)).body)).toMatch(/Can't connect .*\. The repository has moved/);
    expect((await send('GET', 'repo_config')).body).toEqual([]);
    expect(await connect(host.url, { username: 'ada', password: 'correct-horse' })).toMatchObject({ status: 200 });
    // The saved password is used as long as the address is the same.
    expect(await connect(host.url)).toMatchObject({ status: 200 });
    expect(await send('POST', 'repo_config', { repo_url: 'https://git.example.invalid/a.git' })).toMatchObject({
      status: 200,
    });
    const ssh = await connect('git@git.example.com:ada/compass.git');
    expect(ssh.body.message).toMatch(/Add this deploy key with read access at its host: ssh-/);
  });

  test('can be triggered by a post-receive line that trusts the local authority of this server', async () => {
    const { app, send } = await withApp(dialect);
    await send('POST', 'repo_config', { repo_url: 'https://git.example.com/a.git' });
    await send('POST', 'branches/main/config', custom);
    const { dataDir } = app.deps.config;
    mkdirSync(dataDir, { recursive: true });
    const { cert, key } = await localCertificate(dataDir, ['localhost'], Date.now());
    const heard: string[] = [];
    const server = createServer({ cert, key }, (request, response) => {
      request.setEncoding('utf8').on('data', (text) => heard.push(`${request.headers['x-mooring-token']} ${text}`));
      request.on('end', () => response.end('{}'));
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { git_hook, secret } = (await send('POST', 'repo_config/push_hook', {})).body;
    const origin = `https://localhost:${(server.address() as AddressInfo).port}`;
    const script = path.join(dataDir, 'post-receive');
    writeFileSync(script, `#!/bin/sh\n${git_hook.replace(/https:\/\/[^/\s]+/, origin)}\n`, { mode: 0o755 });
    const code = await new Promise((resolve) => {
      const child = execFile(script, (error) => resolve(error?.code ?? 0));
      child.stdin?.end('old new refs/heads/main\n');
    });
    expect(code).toBe(0);
    expect(heard).toEqual([`${secret} old new refs/heads/main\n`]);
  });
});
