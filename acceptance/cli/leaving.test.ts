import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { receiver } from '../../tools/webhook-receiver.ts';
import { createToken, send } from '../harness/http.ts';
import { runWarmMooring } from '../harness/mooring.ts';
import { admin, type RunningServer, startServer } from '../harness/server.ts';

const password = 'compilers are patient';
let server: RunningServer;
let scratch: string;
let token: string;

const as = (name: string, words: string[], input?: string) =>
  runWarmMooring(words, { MOORING_CONFIG_DIR: path.join(scratch, name), NODE_EXTRA_CA_CERTS: server.caFile }, input);
const ada = (...words: string[]) => as('ada', words);
/** The lines that it prints, by their columns. */
async function rowsOf(words: string[], { by = 'ada', input = '' } = {}): Promise<string[][]> {
  const { code, stderr, rows } = await as(by, words, input);
  expect([words.join(' '), code, code === 0 ? '' : stderr]).toEqual([words.join(' '), 0, '']);
  return rows;
}
const logIn = (name: string, secret: string) =>
  as(name, ['login', '--server', server.httpsUrl, '--user', name, '--password-stdin'], secret);

/** What a device of the app sends. */
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

it('exports are made, seen, tried, changed, stopped, begun again and deleted', async () => {
  const hook = await receiver();
  const signing_secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  const input = JSON.stringify({ type: 'http', url: hook.url, signing_secret, backfill: false });
  const [made] = await rowsOf(['exports', 'create', 'ada/buoy', '-'], { input });
  const id = made?.at(-1) ?? '';
  expect(made?.slice(0, 3)).toEqual(['http', new URL(hook.url).host, 'Pending']);
  expect(await rowsOf(['exports', 'list', 'ada/buoy'])).toHaveLength(1);
  expect((await rowsOf(['exports', 'test', 'ada/buoy', id]))[0]).toContain('yes');
  hook.answerWith((response) => response.writeHead(503).end('closed today'));
  const failed = await ada('exports', 'test', 'ada/buoy', id);
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining('closed today')]);
  hook.answerWith((response) => response.writeHead(204).end());
  await rowsOf(['exports', 'update', 'ada/buoy', id, '-'], { input: '{"export_entities":["crashes"]}' });
  await rowsOf(['exports', 'disable', 'ada/buoy', id]);
  expect((await rowsOf(['exports', 'show', 'ada/buoy', id]))[0]?.[2]).toBe('Disabled');
  await rowsOf(['exports', 'enable', 'ada/buoy', id, '--backfill']);
  expect((await rowsOf(['exports', 'show', 'ada/buoy', id]))[0]?.[2]).not.toBe('Disabled');
  await rowsOf(['exports', 'delete', 'ada/buoy', id, '--yes']);
  expect((await ada('exports', 'show', 'ada/buoy', id)).code).toBe(4);
  const wrong = await as('ada', ['exports', 'create', 'ada/buoy', '-'], '{"type":"ftp"}');
  expect([wrong.code, wrong.stderr]).not.toEqual([0, '']);
});

it('alert rules are made, tried, changed and deleted; alerts are listed', async () => {
  const make = ['alerts', 'rules', 'create', 'ada/buoy', 'Silence', '--kind', 'minutes_without_data', '--threshold'];
  expect((await ada(...make, 'many')).code).toBe(2);
  const [[id = '', ...made] = []] = await rowsOf([...make, '30']);
  expect(made.slice(0, 4)).toEqual(['Silence', 'minutes_without_data', '30', 'unknown']);
  const tried = await ada('alerts', 'test', 'ada/buoy', id);
  expect([tried.code, tried.stderr]).toEqual([0, expect.stringContaining('marked as a test')]);
  await rowsOf(['alerts', 'rules', 'update', 'ada/buoy', id, '--threshold', '45', '--enabled', 'no']);
  expect((await rowsOf(['alerts', 'rules', 'list', 'ada/buoy']))[0]?.slice(3, 5)).toEqual(['45', 'disabled']);
  expect(await rowsOf(['alerts', 'list', 'ada/buoy'])).toEqual([]);
  await rowsOf(['alerts', 'rules', 'delete', 'ada/buoy', id, '--yes']);
  expect(await rowsOf(['alerts', 'rules', 'list', 'ada/buoy'])).toEqual([]);
});

it('a person takes out what is kept of them, asks to be deleted, and stays', async () => {
  const archive = path.join(scratch, 'grace.zip');
  expect(await rowsOf(['requests', 'export', '--to', archive], { by: 'grace' })).toEqual([[archive]]);
  expect(readFileSync(archive).subarray(0, 2).toString()).toBe('PK');
  expect((statSync(archive).mode & 0o777).toString(8)).toBe('600');
  const asked = await as('grace', ['requests', 'delete-account', '--yes']);
  const [, kept = ''] = /keep-account (\S+)/.exec(asked.stderr) ?? [];
  expect([asked.code, kept]).toEqual([0, expect.stringMatching(/\S/)]);
  const listed = await rowsOf(['requests', 'list'], { by: 'grace' });
  expect(listed.map(([, kind]) => kind).sort()).toEqual(['delete', 'export']);
  await rowsOf(['requests', 'keep-account', kept], { by: 'grace' });
  const taken = listed.find(([, kind]) => kind === 'export')?.[0] ?? '';
  await rowsOf(['requests', 'cancel-export', taken], { by: 'grace' });
  expect((await as('grace', ['orgs', 'list'])).code).toBe(0);
});

it('what a user of an app sent is taken out and deleted', async () => {
  await sendLog({ type: 'event', name: 'buy', userId: 'user-mo' });
  const [[id = ''] = []] = await rowsOf(['requests', 'app', 'export', 'ada/buoy', '--user', 'user-mo']);
  const show = async () => (await rowsOf(['requests', 'app', 'show', 'ada/buoy', id]))[0] ?? [];
  await vi.waitUntil(async () => (await show())[3] === 'Completed', { timeout: 50_000, interval: 500 });
  const exported = await show();
  expect([exported[2], exported[5]]).toEqual(['user-mo', '1']);
  const { pathname } = new URL(exported.at(-1) ?? '');
  const lines = (await send('GET', server.httpUrl + pathname)).text.trim().split('\n');
  expect([lines.length, lines[0]]).toEqual([1, expect.stringContaining('"buy"')]);
  // It takes some minutes: what it looks for afterwards is not waited for here.
  const remove = ['requests', 'app', 'delete', 'ada/buoy', '--user', 'user-mo'];
  const [deleting] = await rowsOf([...remove, '--yes']);
  expect(deleting?.slice(1, 3)).toEqual(['delete', 'user-mo']);
  expect((await ada('requests', 'app', 'delete', 'ada/buoy', '--yes')).code).not.toBe(0);
  const listed = await rowsOf(['requests', 'app', 'list', 'ada/buoy']);
  expect(listed.map(([, kind]) => kind).sort()).toEqual(['delete', 'export']);
});

it('usage is listed, and quotas are set and seen', async () => {
  for (const which of [[], ['--app', 'ada/buoy'], ['--app', 'ada/buoy', '--period', 'Previous']]) {
    expect((await rowsOf(['usage', ...which]))[0]).toEqual([
      'ada/buoy',
      ...Array(7).fill(expect.stringMatching(/^\d+$/)),
    ]);
  }
  expect(await rowsOf(['usage', '--org', 'harbour'])).toEqual([]);
  await rowsOf(['admin', 'quotas', 'set', 'harbour', '--storage', '1000', '--build-minutes', '7']);
  expect(await rowsOf(['admin', 'quotas', 'show', 'harbour'])).toEqual([['harbour', '1000', '0', '7', '0']]);
  expect(await rowsOf(['admin', 'quotas', 'list'])).toHaveLength(1);
  expect((await ada('admin', 'quotas', 'set', 'harbour', '--storage', 'much')).code).toBe(2);
  await rowsOf(['admin', 'quotas', 'set', 'harbour', '--storage', 'none']);
  expect(await rowsOf(['admin', 'quotas', 'list'])).toEqual([]);
});

it('mails are chosen by event, of all apps and of one, tried and switched off', async () => {
  const mailsOf = async (event: string, ...of: string[]) =>
    (await rowsOf(['notifications', 'list', ...of])).find(([name]) => name === event)?.[1];
  const [[event = ''] = []] = await rowsOf(['notifications', 'list']);
  await rowsOf(['notifications', 'set', event, 'Daily']);
  await rowsOf(['notifications', 'set', event, 'Individual', '--app', 'ada/buoy']);
  expect([await mailsOf(event), await mailsOf(event, '--app', 'ada/buoy')]).toEqual(['Daily', 'Individual']);
  const tried = await ada('notifications', 'test');
  expect([tried.code, tried.stderr]).toEqual([0, expect.stringContaining('outbox')]);
  await rowsOf(['notifications', 'off', '--app', 'ada/buoy']);
  expect((await ada('notifications', 'list', '--app', 'ada/buoy')).stderr).toContain('Mails are off.');
  await rowsOf(['notifications', 'on', '--app', 'ada/buoy']);
  expect((await ada('notifications', 'list', '--app', 'ada/buoy')).stderr).toBe('');
});

it.each([
  ['an app', ['--app', 'ada/buoy']],
  ['an organization', ['--org', 'harbour']],
])('webhooks of %s are made, seen, changed, tried, replayed and deleted', async (_, of) => {
  const hook = await receiver();
  const [[id = '', secret = ''] = []] = await rowsOf([
    'webhooks',
    'create',
    hook.url,
    ...of,
    '--events',
    'newAppReleased',
  ]);
  expect(secret).toMatch(/^whsec_/);
  const [[delivery = ''] = []] = await rowsOf(['webhooks', 'test', id, ...of]);
  await vi.waitUntil(() => hook.received.length === 1, { timeout: 30_000, interval: 100 });
  await rowsOf(['webhooks', 'replay', id, delivery, ...of]);
  await vi.waitUntil(() => hook.received.length === 2, { timeout: 30_000, interval: 100 });
  expect(hook.received[1]?.headers['webhook-id']).toBe(hook.received[0]?.headers['webhook-id']);
  expect(await rowsOf(['webhooks', 'deliveries', id, ...of])).toHaveLength(2);
  const changed = ['--events', 'newCrashGroupCreated,newAppReleased', '--name', 'News', '--filter', "app_name eq 'x'"];
  await rowsOf(['webhooks', 'update', id, ...of, ...changed, '--enabled', 'no']);
  const shown = (await rowsOf(['webhooks', 'show', id, ...of]))[0] ?? [];
  expect(shown).toEqual(
    expect.arrayContaining(['News', 'no', 'newCrashGroupCreated,newAppReleased', "app_name eq 'x'"]),
  );
  expect((await rowsOf(['webhooks', 'rotate', id, ...of]))[0]?.[1]).not.toBe(secret);
  expect(await rowsOf(['webhooks', 'list', ...of])).toHaveLength(1);
  await rowsOf(['webhooks', 'delete', id, ...of, '--yes']);
  expect(await rowsOf(['webhooks', 'list', ...of])).toEqual([]);
});

/** As much of GitHub as a ticket needs. */
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

it('a bug tracker is connected and looked at, a crash gets its ticket, and both are let go', async () => {
  const github = await startGithub();
  const connect = ['trackers', 'connect', 'ada/buoy', 'ada/buoy', '--type', 'github', '--url', github.url];
  const [connected] = await rowsOf([...connect, '--token-file', '-'], { input: 's3cr3t\n' });
  expect(connected?.slice(0, 2)).toEqual(['github', 'ada/buoy']);
  await rowsOf(['trackers', 'check', 'ada/buoy']);
  const stateOf = async (column: number, ...words: string[]) => (await rowsOf(['trackers', ...words]))[0]?.[column];
  await vi.waitUntil(async () => (await stateOf(3, 'show', 'ada/buoy')) === 'enabled', { timeout: 30_000 });
  await sendLog({ type: 'managedError', fatal: true, exception: { type: 'Sunk', message: 'no depth', frames: [] } });
  const group = await vi.waitUntil(
    async () => {
      const url = `${server.httpUrl}/v0.1/apps/ada/buoy/crash_groups`;
      const found = (await send('GET', url, { token })).json<{ crash_groups: { crash_group_id: string }[] }>();
      return found.crash_groups[0]?.crash_group_id;
    },
    { timeout: 30_000, interval: 500 },
  );
  await rowsOf(['trackers', 'ticket', 'create', 'ada/buoy', group]);
  const ticket = ['ticket', 'show', 'ada/buoy', group];
  await vi.waitUntil(async () => (await stateOf(1, ...ticket)) === 'open', { timeout: 30_000, interval: 500 });
  expect([await stateOf(2, ...ticket), github.titles]).toEqual([
    'https://github.example.com/41',
    [expect.stringContaining('Sunk: no depth')],
  ]);
  await rowsOf(['trackers', 'ticket', 'unlink', 'ada/buoy', group]);
  expect((await ada('trackers', ...ticket)).code).toBe(4);
  await rowsOf(['trackers', 'disconnect', 'ada/buoy', '--yes']);
  expect((await ada('trackers', 'check', 'ada/buoy')).code).not.toBe(0);
});
