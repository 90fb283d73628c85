import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launcher, type Result, runMooring, runWarmMooring } from '../harness/mooring.ts';
import { admin, type RunningServer, startServer } from '../harness/server.ts';

let server: RunningServer;
let scratch: string;
let subscription: string;

const password = 'compilers are patient';
const surroundings = (name: string) => ({
  MOORING_CONFIG_DIR: path.join(scratch, name),
  NODE_EXTRA_CA_CERTS: server.caFile,
});

const as = (name: string, args: string[], input?: string): Promise<Result> =>
  runWarmMooring(args, surroundings(name), input);
const ada = (...args: string[]) => as('ada', args);
const getFirstColumn = (result: Result) => result.rows.map(([first]) => first);

const logIn = (name: string, secret: string) =>
  as(name, ['login', '--server', server.httpsUrl, '--user', name, '--password-stdin'], secret);

const region = (impactedRegion: string, more: object = {}) => ({ impactedRegion, ...more });
const createEvent = (name: string, more: object = {}) => ({
  name,
  properties: {
    eventType: 'ServiceIssue',
    eventLevel: 'Error',
    title: `About ${name}`,
    impact: [{ impactedService: 'Mail', impactedRegions: [region('North'), region('South')] }],
    ...more,
  },
});

function write(name: string, content: unknown): string {
  const file = path.join(scratch, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const publish = (name: string, more?: object, ...args: string[]) =>
  as('ada', ['health', 'publish', '-', ...args], JSON.stringify(createEvent(name, more)));

beforeAll(async () => {
  scratch = mkdtempSync(path.join(tmpdir(), 'mooring-health-'));
  server = await startServer({ env: { MOORING_HTTPS_PORT: '0' } });
  await logIn('ada', admin.password);
  await as('ada', ['admin', 'users', 'create', 'grace@example.com', '--password-stdin'], password);
  await logIn('grace', password);
  subscription = (await ada('subscriptions', 'create', 'Harbour', '--owner', 'grace')).stdout.trim();
});
afterAll(async () => {
  await server.stop();
  rmSync(scratch, { recursive: true, force: true });
});

describe('an event', () => {
  it('is published from a file or stdin, and its tracking ID printed', async () => {
    const made = await ada('health', 'publish', write('event.json', createEvent('FILE-1')));
    expect(made).toMatchObject({ code: 0, stdout: 'FILE-1\n', stderr: 'Published FILE-1: Active, priority 2.\n' });
    expect(await publish('OTHER', {}, '--id', 'STDIN-1')).toMatchObject({ code: 0, stdout: 'STDIN-1\n' });
    const json = await publish('STDIN-2', {}, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ name: 'STDIN-2', properties: { title: 'About STDIN-2' } });
  });

  it("can't be replaced by mistake, or over the change of another user", async () => {
    await publish('GUARD-1');
    const again = await publish('GUARD-1', { title: 'Mine' });
    expect(again).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('--if-match ETAG') });
    const etag = (await ada('health', 'show', 'GUARD-1')).rows[0]?.at(-1) ?? '';
    expect(await publish('GUARD-1', { title: 'Mine' }, '--if-match', etag)).toMatchObject({ code: 0 });
    const late = await publish('GUARD-1', { title: 'Yours' }, '--if-match', etag);
    expect(late).toMatchObject({ code: 1, stderr: expect.stringContaining('"mooring health show GUARD-1"') });
    expect(await publish('GUARD-1', { title: 'Ours' }, '--replace')).toMatchObject({ code: 0 });
    const { properties } = JSON.parse((await ada('health', 'show', 'GUARD-1', '--json')).stdout);
    expect(properties.title).toBe('Ours');
    for (const change of [['resolve'], ['withdraw']]) {
      expect((await ada('health', ...change, 'GUARD-1', '--if-match', etag)).code).toBe(1);
    }
  });

  it('is shown, updated in a region, resolved everywhere and withdrawn', async () => {
    await publish('LIFE-1');
    const shown = await ada('health', 'show', 'LIFE-1');
    expect(shown.rows[0]).toEqual([
      ...['LIFE-1', 'Active', 'Error', 'ServiceIssue', expect.any(String), 'Mail', 'North, South', 'About LIFE-1'],
      ...['2', expect.any(String), '', '', expect.stringMatching(/^"\d+\.\d+"$/)],
    ]);
    const impact = ['--service', 'Mail', '--region', 'North'];
    const updated = await ada(
      'health',
      'update',
      'LIFE-1',
      ...impact,
      '--summary',
      'Found it.',
      '--status',
      'Resolved',
    );
    expect(updated).toMatchObject({ code: 0, rows: [['LIFE-1', 'Active', ...Array(6).fill(expect.any(String))]] });
    const updates = await ada('health', 'show', 'LIFE-1', '--updates');
    expect(updates.rows).toEqual([[expect.stringMatching(/Z$/), 'Mail', 'North', 'Found it.']]);
    expect((await ada('health', 'resolve', 'LIFE-1')).rows[0]?.[1]).toBe('Resolved');
    const { properties } = JSON.parse((await ada('health', 'show', 'LIFE-1', '--json')).stdout);
    const statuses = properties.impact[0].impactedRegions.map(({ status }: { status: string }) => status);
    expect(statuses).toEqual(['Resolved', 'Resolved']);
    const withdrawn = await ada('health', 'withdraw', 'LIFE-1', '--yes');
    expect(withdrawn).toMatchObject({ code: 0, stdout: '', stderr: 'Withdrew LIFE-1.\n' });
    expect((await ada('health', 'show', 'LIFE-1')).code).toBe(4);
  });

  it('with missing fields is rejected, with their names', async () => {
    const refused = await as('ada', ['health', 'publish', '-'], '{"name":"X","properties":{}}');
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('eventType is missing') });
    expect((await as('ada', ['health', 'publish', '-'], '[]')).code).toBe(2);
  });

  it('is rejected for users who are not operators, until an administrator appoints them', async () => {
    const args = ['health', 'publish', write('grace.json', createEvent('GRACE-1'))];
    expect(await as('grace', args)).toMatchObject({ code: 1, stderr: expect.stringContaining('operator') });
    expect((await ada('health', 'operators', 'add', 'grace')).code).toBe(0);
    expect(getFirstColumn(await ada('health', 'operators', 'list'))).toEqual(['grace']);
    expect((await as('grace', args)).code).toBe(0);
    expect((await ada('health', 'operators', 'remove', 'grace')).code).toBe(0);
    expect((await as('grace', ['health', 'resolve', 'GRACE-1'])).code).toBe(1);
  });
});

describe('many events', () => {
  const COUNT = 230;
  const many = Array.from({ length: COUNT }, (_, index) =>
    createEvent(`MANY-${index}`, {
      lastUpdateTime: new Date(Date.UTC(2025, 0, 1) + index * 60_000).toISOString(),
      status: index % 2 ? 'Resolved' : 'Active',
      impact: [{ impactedService: `Service ${index % 3}`, impactedRegions: [] }],
    }),
  );

  it('are imported, and a second import changes nothing', async () => {
    const file = write('many.json', { value: many });
    const imported = await ada('health', 'import', file);
    expect(imported).toMatchObject({ code: 0, stderr: '', rows: [[`${COUNT}`, `${COUNT}`, '0', '0', '0']] });
    expect((await ada('health', 'import', file)).rows).toEqual([[`${COUNT}`, '0', '0', `${COUNT}`, '0']]);
    const lines = write('many.ndjson', many.map((event) => JSON.stringify(event)).join('\n'));
    expect((await ada('health', 'import', lines)).rows).toEqual([[`${COUNT}`, '0', '0', `${COUNT}`, '0']]);
  });

  it('are imported without invalid ones, which are reported, with exit code 1', async () => {
    const lines = [
      createEvent('GOOD-1', { lastUpdateTime: '2024-01-01T00:00:00Z' }),
      { name: 'BAD-1', properties: {} },
    ];
    const text = [...lines.map((line) => JSON.stringify(line)), '{'].join('\n');
    const partly = await as('ada', ['health', 'import', '-', '--lines'], text);
    expect(partly).toMatchObject({ code: 1, rows: [['3', '1', '0', '0', '2']] });
    expect(partly.stderr).toContain('Rejected event 2 (BAD-1): properties.eventType is missing.\n');
    expect(partly.stderr).toContain('Rejected event 3: The event is not valid JSON');
    const json = await as('ada', ['health', 'import', '-', '--lines', '--json'], text);
    expect(JSON.parse(json.stdout)).toMatchObject({ refusedCount: 2, refused: [{ index: 1 }, { index: 2 }] });
    expect((await ada('health', 'import', path.join(scratch, 'nowhere'))).code).toBe(2);
    expect((await ada('health', 'import', scratch)).code).toBe(2);
    expect((await as('ada', ['health', 'import', '-'], '7')).code).toBe(1);
    expect((await as('grace', ['health', 'import', '-'], '[]')).code).toBe(1);
  });

  it('are listed over several pages, newest update first, up to a limit', async () => {
    const listed = await ada('health', 'list', '--limit', 'all', '--filter', 'lastUpdateTime lt 2026-01-01');
    expect(listed.code).toBe(0);
    expect(getFirstColumn(listed)).toEqual([...many.map(({ name }) => name).reverse(), 'GOOD-1']);
    const some = await ada('health', 'list', '--limit', '3', '--filter', 'lastUpdateTime lt 2026-01-01');
    expect(getFirstColumn(some)).toEqual(['MANY-229', 'MANY-228', 'MANY-227']);
    expect(some.stderr).toBe('More rows exist. Use --limit to see them.\n');
    const json = await ada('health', 'list', '--limit', '1', '--service', 'Service 1', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ value: [{ name: 'MANY-229' }] });
  });

  it('are filtered by all options together', async () => {
    const args = ['--service', 'Service 0', '--status', 'Resolved', '--since', '2025-01-01T03:40:00Z'];
    const listed = await ada('health', 'list', ...args, '--filter', "name eq 'MANY-3' or name ne 'MANY-225'");
    expect(getFirstColumn(listed)).toEqual([]);
    expect(getFirstColumn(await ada('health', 'list', ...args))).toEqual(['MANY-225']);
    expect((await ada('health', 'list', '--filter', 'nonsense')).code).toBe(1);
    expect((await ada('health', 'list', '--status', 'Over')).code).toBe(2);
  });

  it('are listed as a subscription sees them', async () => {
    const impact = [
      { impactedService: 'Own', impactedRegions: [region('North', { impactedSubscriptions: [subscription] })] },
    ];
    await publish('OWN-1', { impact });
    const other = (await ada('subscriptions', 'create', 'Pier', '--owner', 'ada')).stdout.trim();
    const own = ['health', 'list', '--service', 'Own', '--subscription'];
    expect(getFirstColumn(await as('grace', [...own, subscription]))).toEqual(['OWN-1']);
    expect(getFirstColumn(await ada(...own, other))).toEqual([]);
    expect((await as('grace', [...own, other])).code).toBe(1);
    expect((await as('grace', ['health', 'show', 'OWN-1', '--subscription', subscription])).code).toBe(0);
    expect((await ada('health', 'show', 'OWN-1', '--subscription', other)).code).toBe(4);
  });
});

describe('watching', () => {
  function startWatch(...args: string[]) {
    const child = spawn(process.execPath, [launcher, 'health', 'watch', '--interval', '1', ...args], {
      env: { PATH: process.env.PATH, ...surroundings('ada') },
    });
    const printed = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => {
      printed.stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      printed.stderr += chunk;
    });
    const prints = (stream: keyof typeof printed, text: string) =>
      expect.poll(() => printed[stream], { timeout: 30_000 }).toContain(text);
    const ended = once(child, 'close');
    return { child, printed, prints, ended };
  }

  it('prints events as they are published and changed, and exits cleanly', async () => {
    await publish('BEFORE-1');
    const { child, printed, prints, ended } = startWatch('--json', '--service', 'Mail');
    await prints('stderr', 'Press Ctrl-C to stop');
    await publish('NOW-1', { title: 'one\ntwo' });
    await publish('NOT-1', { impact: [] });
    await prints('stdout', '"NOW-1"');
    await ada('health', 'resolve', 'NOW-1');
    await prints('stdout', '"Resolved"');
    child.kill('SIGINT');
    await ended;
    expect(child.exitCode).toBe(0);
    const updated = printed.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(updated.map(({ name, properties }) => [name, properties.status])).toEqual([
      ['NOW-1', 'Active'],
      ['NOW-1', 'Resolved'],
    ]);
  });

  it('starts with events that were updated since a time', async () => {
    await publish('SINCE-1');
    const { child, printed, prints, ended } = startWatch('--since', '1h', '--filter', "trackingId eq 'SINCE-1'");
    await prints('stdout', 'SINCE-1\tActive');
    child.kill('SIGTERM');
    await ended;
    expect([child.exitCode, printed.stdout.split('\n').length]).toEqual([0, 2]);
  });

  it('survives a restart of the server, and reports it', async () => {
    const { child, prints, ended } = startWatch('--service', 'Mail');
    await prints('stderr', 'Press Ctrl-C to stop');
    await server.stop({ keepData: true });
    await prints('stderr', 'Retrying until the server responds.');
    const env = { MOORING_HTTPS_PORT: new URL(server.httpsUrl).port };
    server = await startServer({ dataDir: server.dataDir, env });
    await publish('AGAIN-1');
    await prints('stderr', 'is reachable again.');
    await prints('stdout', 'AGAIN-1');
    child.kill('SIGINT');
    await ended;
    expect(child.exitCode).toBe(0);
  });

  it("fails immediately if it can't start, and when it loses access", async () => {
    expect((await ada('health', 'watch', '--interval', '0')).code).toBe(2);
    expect((await ada('health', 'watch', '--interval', 'soon')).code).toBe(2);
    expect((await ada('health', 'watch', '--filter', 'nonsense')).code).toBe(1);
    const env = { MOORING_SERVER: 'http://127.0.0.1:1', MOORING_TOKEN: 'moor_u_x' };
    expect(await runMooring(['health', 'watch'], env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Can't reach"),
    });
    const { api_token, id } = JSON.parse((await ada('tokens', 'create', '--json')).stdout);
    const child = spawn(process.execPath, [launcher, 'health', 'watch', '--interval', '1'], {
      env: { ...env, ...surroundings('nobody'), MOORING_SERVER: server.httpsUrl, MOORING_TOKEN: api_token },
    });
    const ended = once(child, 'close');
    await once(child.stderr, 'data');
    await ada('tokens', 'delete', id);
    await ended;
    expect(child.exitCode).toBe(3);
  });
});

describe('resources of a subscription', () => {
  it('are listed, shown, updated, shared and deleted', async () => {
    const made = await ada('subscriptions', 'create', 'Quay', '--owner', 'ada', '--json');
    const { subscriptionId, tenantId } = JSON.parse(made.stdout);
    expect((await ada('subscriptions', 'show', subscriptionId)).rows).toEqual([
      [subscriptionId, 'Quay', 'ada', tenantId],
    ]);
    const changed = await ada('subscriptions', 'update', subscriptionId, '--name', 'Old quay');
    expect(changed.rows).toEqual([[subscriptionId, 'Old quay', 'ada', tenantId]]);
    expect((await ada('subscriptions', 'readers', 'add', subscriptionId, 'grace')).code).toBe(0);
    expect(getFirstColumn(await ada('subscriptions', 'readers', 'list', subscriptionId))).toEqual(['grace']);
    expect(getFirstColumn(await as('grace', ['subscriptions', 'list']))).toContain(subscriptionId);
    expect((await ada('subscriptions', 'readers', 'remove', subscriptionId, 'grace')).code).toBe(0);
    expect(getFirstColumn(await as('grace', ['subscriptions', 'list']))).not.toContain(subscriptionId);
    expect((await ada('subscriptions', 'delete', subscriptionId, '--yes')).code).toBe(0);
    expect((await ada('subscriptions', 'show', subscriptionId)).code).toBe(4);
  });

  it('include webhooks: created with a secret, tested, with deliveries, updated and deleted', async () => {
    const of = [subscription];
    const made = await as('grace', [
      'webhooks',
      'create',
      ...of,
      'https://hooks.invalid/x',
      '--filter',
      "service eq 'Mail'",
    ]);
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('shown only once') });
    const [id = '', secret] = made.rows[0] ?? [];
    expect(secret).toMatch(/^whsec_/);
    const listed = await as('grace', ['webhooks', 'list', ...of]);
    expect(listed.rows[0]?.slice(0, 5)).toEqual([id, 'https://hooks.invalid/x', 'yes', "service eq 'Mail'", 'grace']);
    expect((await as('grace', ['webhooks', 'test', ...of, id])).rows[0]?.[3]).toBe('test');
    expect((await as('grace', ['webhooks', 'deliveries', ...of, id])).rows).toHaveLength(1);
    const off = await as('grace', ['webhooks', 'update', ...of, id, '--enabled', 'no', '--filter', '']);
    expect(off.rows[0]?.slice(2, 4)).toEqual(['no', '']);
    expect((await as('grace', ['webhooks', 'show', ...of, id])).rows[0]?.[2]).toBe('no');
    expect((await as('grace', ['webhooks', 'rotate', ...of, id])).rows[0]?.[1]).not.toBe(secret);
    expect((await as('grace', ['webhooks', 'delete', ...of, id, '--yes'])).code).toBe(0);
    expect((await as('grace', ['webhooks', 'show', ...of, id])).code).toBe(4);
    expect((await as('grace', ['webhooks', 'list'])).code).toBe(2);
  });

  it('include feeds: URLs that work until they are deleted', async () => {
    const of = [subscription];
    const [id = '', atom = ''] = (await as('grace', ['feeds', 'create', ...of])).rows[0] ?? [];
    const address = atom.replace(/^https:..[^/]+/, server.httpUrl);
    const getStatus = async () => (await fetch(address)).status;
    expect(await getStatus()).toBe(200);
    expect(getFirstColumn(await as('grace', ['feeds', 'list', ...of]))).toEqual([id]);
    expect((await as('grace', ['feeds', 'delete', ...of, id])).code).toBe(0);
    expect(await getStatus()).toBe(404);
  });
});
