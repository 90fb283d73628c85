import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { receiver } from '../../test-support/webhook-receiver.ts';
import { createToken, send } from '../harness/http.ts';
import { runWarmMooring } from '../harness/mooring.ts';
import { admin, type RunningServer, startServer } from '../harness/server.ts';

const password = 'compilers are patient';
let server: RunningServer;
let scratch: string;
let token: string;

const as = (name: string, args: string[], input?: string) =>
  runWarmMooring(args, { MOORING_CONFIG_DIR: path.join(scratch, name), NODE_EXTRA_CA_CERTS: server.caFile }, input);
const ada = (...args: string[]) => as('ada', args);
/** The printed lines, by column. */
async function listRows(args: string[], { by = 'ada', input = '' } = {}): Promise<string[][]> {
  const { code, stderr, rows } = await as(by, args, input);
  expect([args.join(' '), code, code === 0 ? '' : stderr]).toEqual([args.join(' '), 0, '']);
  return rows;
}
const logIn = (name: string, secret: string) =>
  as(name, ['login', '--server', server.httpsUrl, '--user', name, '--password-stdin'], secret);

/** Logs of a device of the app. */
async function sendLog(log: object): Promise<void> {
  const shown = await send('GET', `${server.httpUrl}/v0.1/apps/ada/buoy`, { token });
  const { app_secret } = shown.json<{ app_secret: string }>();
  const device = { appVersion: '1.0', osName: 'Android', osVersion: '14', locale: 'en_US', timeZoneOffset: 0 };
  const headers = { 'app-secret': app_secret, 'install-id': randomUUID(), 'content-type': 'application/json' };
  const sent = { id: randomUUID(), timestamp: new Date().toISOString(), device, ...log };
  const raw = JSON.stringify({ logs: [sent] });
  expect((await send('POST', `${server.httpUrl}/logs?api-version=1.0.0`, { headers, raw })).status).toBe(200);
}

beforeAll(async () => {
  scratch = mkdtempSync(path.join(tmpdir(), 'mooring-leaving-'));
  server = await startServer({ env: { MOORING_OUTBOUND_ALLOW: '127.0.0.0/8' } });
  token = (await createToken(server)).api_token;
  await logIn('ada', admin.password);
  await as('ada', ['admin', 'users', 'create', 'grace@example.com', '--password-stdin'], password);
  await logIn('grace', password);
  await ada('orgs', 'create', 'Harbour', '--name', 'harbour');
  await ada('apps', 'create', 'Buoy', '--name', 'buoy', '--os', 'Android', '--platform', 'Java');
});
afterAll(async () => {
  await server.stop();
  rmSync(scratch, { recursive: true, force: true });
});

it('exports are created, listed, tested, updated, stopped, resumed and deleted', async () => {
  const hook = await receiver();
  const signing_secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  const input = JSON.stringify({ type: 'http', url: hook.url, signing_secret, backfill: false });
  const [made] = await listRows(['exports', 'create', 'ada/buoy', '-'], { input });
  const id = made?.at(-1) ?? '';
  expect(made?.slice(0, 3)).toEqual(['http', new URL(hook.url).host, 'Pending']);
  expect(await listRows(['exports', 'list', 'ada/buoy'])).toHaveLength(1);
  expect((await listRows(['exports', 'test', 'ada/buoy', id]))[0]).toContain('yes');
  hook.answerWith((response) => response.writeHead(503).end('closed today'));
  const failed = await ada('exports', 'test', 'ada/buoy', id);
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining('closed today')]);
  hook.answerWith((response) => response.writeHead(204).end());
  await listRows(['exports', 'update', 'ada/buoy', id, '-'], { input: '{"export_entities":["crashes"]}' });
  await listRows(['exports', 'disable', 'ada/buoy', id]);
  expect((await listRows(['exports', 'show', 'ada/buoy', id]))[0]?.[2]).toBe('Disabled');
  await listRows(['exports', 'enable', 'ada/buoy', id, '--backfill']);
  expect((await listRows(['exports', 'show', 'ada/buoy', id]))[0]?.[2]).not.toBe('Disabled');
  await listRows(['exports', 'delete', 'ada/buoy', id, '--yes']);
  expect((await ada('exports', 'show', 'ada/buoy', id)).code).toBe(4);
  const wrong = await as('ada', ['exports', 'create', 'ada/buoy', '-'], '{"type":"ftp"}');
  expect([wrong.code, wrong.stderr]).not.toEqual([0, '']);
});

it('alert rules are created, tested, updated and deleted; alerts are listed', async () => {
  const make = ['alerts', 'rules', 'create', 'ada/buoy', 'Silence', '--kind', 'minutes_without_data', '--threshold'];
  expect((await ada(...make, 'many')).code).toBe(2);
  const [[id = '', ...made] = []] = await listRows([...make, '30']);
  expect(made.slice(0, 4)).toEqual(['Silence', 'minutes_without_data', '30', 'unknown']);
  const tried = await ada('alerts', 'test', 'ada/buoy', id);
  expect([tried.code, tried.stderr]).toEqual([0, expect.stringContaining('marked as a test')]);
  await listRows(['alerts', 'rules', 'update', 'ada/buoy', id, '--threshold', '45', '--enabled', 'no']);
  expect((await listRows(['alerts', 'rules', 'list', 'ada/buoy']))[0]?.slice(3, 5)).toEqual(['45', 'disabled']);
  expect(await listRows(['alerts', 'list', 'ada/buoy'])).toEqual([]);
  await listRows(['alerts', 'rules', 'delete', 'ada/buoy', id, '--yes']);
  expect(await listRows(['alerts', 'rules', 'list', 'ada/buoy'])).toEqual([]);
});

it('a user requests an archive of their data and a deletion, and cancels the deletion', async () => {
  const archive = path.join(scratch, 'grace.zip');
  expect(await listRows(['requests', 'export', '--to', archive], { by: 'grace' })).toEqual([[archive]]);
  expect(readFileSync(archive).subarray(0, 2).toString()).toBe('PK');
  expect((statSync(archive).mode & 0o777).toString(8)).toBe('600');
  const requested = await as('grace', ['requests', 'delete-account', '--yes']);
  const [, requestId = ''] = /keep-account (\S+)/.exec(requested.stderr) ?? [];
  expect([requested.code, requestId]).toEqual([0, expect.stringMatching(/\S/)]);
  const listed = await listRows(['requests', 'list'], { by: 'grace' });
  expect(listed.map(([, kind]) => kind).sort()).toEqual(['delete', 'export']);
  await listRows(['requests', 'keep-account', requestId], { by: 'grace' });
  const taken = listed.find(([, kind]) => kind === 'export')?.[0] ?? '';
  await listRows(['requests', 'cancel-export', taken], { by: 'grace' });
  expect((await as('grace', ['orgs', 'list'])).code).toBe(0);
});

it('the data of a user of an app is exported and deleted', async () => {
  await sendLog({ type: 'event', name: 'buy', userId: 'user-mo' });
  const [[id = ''] = []] = await listRows(['requests', 'app', 'export', 'ada/buoy', '--user', 'user-mo']);
  const show = async () => (await listRows(['requests', 'app', 'show', 'ada/buoy', id]))[0] ?? [];
  await vi.waitUntil(async () => (await show())[3] === 'Completed', { timeout: 50_000, interval: 500 });
  const exported = await show();
  expect([exported[2], exported[5]]).toEqual(['user-mo', '1']);
  const { pathname } = new URL(exported.at(-1) ?? '');
  const lines = (await send('GET', server.httpUrl + pathname)).text.trim().split('\n');
  expect([lines.length, lines[0]]).toEqual([1, expect.stringContaining('"buy"')]);
  // The verification takes minutes, so the test does not wait for it.
  const remove = ['requests', 'app', 'delete', 'ada/buoy', '--user', 'user-mo'];
  const [deleting] = await listRows([...remove, '--yes']);
  expect(deleting?.slice(1, 3)).toEqual(['delete', 'user-mo']);
  expect((await ada('requests', 'app', 'delete', 'ada/buoy', '--yes')).code).not.toBe(0);
  const listed = await listRows(['requests', 'app', 'list', 'ada/buoy']);
  expect(listed.map(([, kind]) => kind).sort()).toEqual(['delete', 'export']);
});

it('usage is listed, and quotas are set and shown', async () => {
  for (const which of [[], ['--app', 'ada/buoy'], ['--app', 'ada/buoy', '--period', 'Previous']]) {
    expect((await listRows(['usage', ...which]))[0]).toEqual([
      'ada/buoy',
      ...Array(7).fill(expect.stringMatching(/^\d+$/)),
    ]);
  }
  expect(await listRows(['usage', '--org', 'harbour'])).toEqual([]);
  await listRows(['admin', 'quotas', 'set', 'harbour', '--storage', '1000', '--build-minutes', '7']);
  expect(await listRows(['admin', 'quotas', 'show', 'harbour'])).toEqual([['harbour', '1000', '0', '7', '0']]);
  expect(await listRows(['admin', 'quotas', 'list'])).toHaveLength(1);
  expect((await ada('admin', 'quotas', 'set', 'harbour', '--storage', 'much')).code).toBe(2);
  await listRows(['admin', 'quotas', 'set', 'harbour', '--storage', 'none']);
  expect(await listRows(['admin', 'quotas', 'list'])).toEqual([]);
});

it('emails are configured by event, for all apps and for one, tested and turned off', async () => {
  const listMails = async (event: string, ...of: string[]) =>
    (await listRows(['notifications', 'list', ...of])).find(([name]) => name === event)?.[1];
  const [[event = ''] = []] = await listRows(['notifications', 'list']);
  await listRows(['notifications', 'set', event, 'Daily']);
  await listRows(['notifications', 'set', event, 'Individual', '--app', 'ada/buoy']);
  expect([await listMails(event), await listMails(event, '--app', 'ada/buoy')]).toEqual(['Daily', 'Individual']);
  const tried = await ada('notifications', 'test');
  expect([tried.code, tried.stderr]).toEqual([0, expect.stringContaining('outbox')]);
  await listRows(['notifications', 'off', '--app', 'ada/buoy']);
  expect((await ada('notifications', 'list', '--app', 'ada/buoy')).stderr).toContain('Emails are turned off.');
  await listRows(['notifications', 'on', '--app', 'ada/buoy']);
  expect((await ada('notifications', 'list', '--app', 'ada/buoy')).stderr).toBe('');
});

it.each([
  ['an app', ['--app', 'ada/buoy']],
  ['an organization', ['--org', 'harbour']],
])('webhooks of %s are created, shown, updated, tested, replayed and deleted', async (_, of) => {
  const hook = await receiver();
  const [[id = '', secret = ''] = []] = await listRows([
    'webhooks',
    'create',
    hook.url,
    ...of,
    '--events',
    'newAppReleased',
  ]);
  expect(secret).toMatch(/^whsec_/);
  const [[delivery = ''] = []] = await listRows(['webhooks', 'test', id, ...of]);
  await vi.waitUntil(() => hook.received.length === 1, { timeout: 30_000, interval: 100 });
  await listRows(['webhooks', 'replay', id, delivery, ...of]);
  await vi.waitUntil(() => hook.received.length === 2, { timeout: 30_000, interval: 100 });
  expect(hook.received[1]?.headers['webhook-id']).toBe(hook.received[0]?.headers['webhook-id']);
  expect(await listRows(['webhooks', 'deliveries', id, ...of])).toHaveLength(2);
  const changed = ['--events', 'newCrashGroupCreated,newAppReleased', '--name', 'News', '--filter', "app_name eq 'x'"];
  await listRows(['webhooks', 'update', id, ...of, ...changed, '--enabled', 'no']);
  const shown = (await listRows(['webhooks', 'show', id, ...of]))[0] ?? [];
  expect(shown).toEqual(
    expect.arrayContaining(['News', 'no', 'newCrashGroupCreated,newAppReleased', "app_name eq 'x'"]),
  );
  expect((await listRows(['webhooks', 'rotate', id, ...of]))[0]?.[1]).not.toBe(secret);
  expect(await listRows(['webhooks', 'list', ...of])).toHaveLength(1);
  await listRows(['webhooks', 'delete', id, ...of, '--yes']);
  expect(await listRows(['webhooks', 'list', ...of])).toEqual([]);
});

/** A minimal GitHub for tickets. */
async function startGithub(): Promise<{ url: string; titles: string[] }> {
  const titles: string[] = [];
  const server = createServer(async (request, response) => {
    const answer = (status: number, value: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    const sent = await text(request);
    if (request.headers.authorization !== 'Bearer s3cr3t') return answer(401, { message: 'Bad credentials' });
    const shown = { number: 41, title: titles[0], body: '', state: 'open', html_url: 'https://github.example.com/41' };
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    if (pathname === '/repos/ada/buoy') return answer(200, { id: 7, full_name: 'ada/buoy' });
    if (pathname === '/repos/ada/buoy/issues/41') return answer(200, shown);
    if (request.method === 'GET') return answer(200, []);
    titles.push((JSON.parse(sent) as { title: string }).title);
    return answer(201, { ...shown, title: titles[0] });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, titles };
}

it('a bug tracker is connected and tested, a crash gets its ticket, and both are disconnected', async () => {
  const github = await startGithub();
  const connect = ['trackers', 'connect', 'ada/buoy', 'ada/buoy', '--type', 'github', '--url', github.url];
  const [connected] = await listRows([...connect, '--token-file', '-'], { input: 's3cr3t\n' });
  expect(connected?.slice(0, 2)).toEqual(['github', 'ada/buoy']);
  await listRows(['trackers', 'check', 'ada/buoy']);
  const getState = async (column: number, ...args: string[]) => (await listRows(['trackers', ...args]))[0]?.[column];
  await vi.waitUntil(async () => (await getState(3, 'show', 'ada/buoy')) === 'enabled', { timeout: 30_000 });
  await sendLog({ type: 'managedError', fatal: true, exception: { type: 'Sunk', message: 'no depth', frames: [] } });
  const group = await vi.waitUntil(
    async () => {
      const url = `${server.httpUrl}/v0.1/apps/ada/buoy/crash_groups`;
      const found = (await send('GET', url, { token })).json<{ crash_groups: { crash_group_id: string }[] }>();
      return found.crash_groups[0]?.crash_group_id;
    },
    { timeout: 30_000, interval: 500 },
  );
  await listRows(['trackers', 'ticket', 'create', 'ada/buoy', group]);
  const ticket = ['ticket', 'show', 'ada/buoy', group];
  await vi.waitUntil(async () => (await getState(1, ...ticket)) === 'open', { timeout: 30_000, interval: 500 });
  expect([await getState(2, ...ticket), github.titles]).toEqual([
    'https://github.example.com/41',
    [expect.stringContaining('Sunk: no depth')],
  ]);
  await listRows(['trackers', 'ticket', 'unlink', 'ada/buoy', group]);
  expect((await ada('trackers', ...ticket)).code).toBe(4);
  await listRows(['trackers', 'disconnect', 'ada/buoy', '--yes']);
  expect((await ada('trackers', 'check', 'ada/buoy')).code).not.toBe(0);
});
