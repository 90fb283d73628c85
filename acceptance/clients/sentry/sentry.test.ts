import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { EndpointOutput, feedback_get, ingestion_get } from '@mooring/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { png } from '../../../tools/samples/images.ts';
import { createToken, send } from '../../harness/http.ts';
import { type RunningServer, startServer } from '../../harness/server.ts';
import { createRandom, mutate } from './mutations.ts';

const home = '/v0.1/apps/ada/Shop';
let server: RunningServer;
let token: string;
let dsn: string;

beforeAll(async () => {
  server = await startServer({ env: { MOORING_RATE_LIMIT: '0' } });
  token = (await createToken(server)).api_token;
  const body = { display_name: 'Shop', name: 'Shop', os: 'Linux', platform: 'Electron' };
  const made = await send('POST', `${server.httpUrl}/v0.1/apps`, { token, body });
  expect(made.status, made.text).toBe(201);
  const { public_key, project_id } = await get<{ public_key: string; project_id: number }>('sentry');
  // The DSN has the public address, with a certificate that the SDK does not know.
  dsn = `http://${public_key}@${new URL(server.httpUrl).host}/${project_id}`;
});
afterAll(() => server.stop());

async function get<T>(rest: string): Promise<T> {
  const answer = await send('GET', `${server.httpUrl}${home}/${rest}`, { token });
  expect(answer.status, answer.text).toBe(200);
  return answer.json<T>();
}

/** Runs the app with the SDK; resolves to its exit code and output. */
async function run(what: string, userId: string): Promise<{ code: number; output: string }> {
  const app = spawn(process.execPath, [path.join(import.meta.dirname, 'app.mjs'), what, userId], {
    env: { PATH: process.env.PATH, SENTRY_DSN: dsn, SCREENSHOT: png(4, 8).toString('base64') },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  app.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  const [code] = (await once(app, 'close')) as [number];
  return { code, output: output.trim() };
}

interface Overview {
  crash_count: number;
  error_count: number;
  crash_free_sessions: number;
  days: { sessions: number }[];
}

test('exceptions, messages, attachments and sessions of the unmodified SDK arrive once', async () => {
  const handled = await run('handled', 'linus');
  expect([handled.code, handled.output]).toEqual([0, expect.stringMatching(/^[0-9a-f]{32}$/)]);
  expect((await run('unhandled', 'grace')).code).not.toBe(0);
  expect((await run('quiet', 'linus')).code).toBe(0);

  const day = new Date().toISOString().slice(0, 10);
  const overview = () => get<Overview>(`crash_overview?start=${day}&end=${day}`);
  await expect.poll(async () => (await overview()).crash_count, { timeout: 30_000 }).toBe(1);
  await expect.poll(async () => (await overview()).days[0]?.sessions, { timeout: 30_000 }).toBe(3);
  const { error_count, crash_free_sessions } = await overview();
  expect([error_count, Math.round(crash_free_sessions)]).toEqual([2, 67]);

  const crashes = await get<{ values: { title: string; message: string }[] }>('crash_issues?kind=crash');
  expect(JSON.stringify(crashes)).toContain('The cart is empty');
  const errors = JSON.stringify(await get('crash_issues?kind=error'));
  expect(errors).toContain('Shop opened');

  const attachments = await get<{ display_name?: string; filename?: string; size: number }[]>(
    `crashes/${handled.output}/attachments`,
  );
  expect(JSON.stringify(attachments)).toContain('cart.json');

  // The SDK sends an attachment of a scope with each event of it.
  const ingestion = await get<EndpointOutput<typeof ingestion_get>>('ingestion');
  const { items } = ingestion;
  const counted = Object.fromEntries(
    items.map(({ item, outcome, reason, count }) => [`${item} ${outcome} ${reason}`, count]),
  );
  expect(counted).toMatchObject({ 'event stored ': 3, 'attachment stored ': 2 });
  expect(counted['session stored ']).toBeGreaterThanOrEqual(3);
  expect(items.some(({ item, outcome }) => item === 'span' && outcome === 'dropped')).toBe(true);
  expect(ingestion.senders).toMatchObject([{ sdk: 'sentry.javascript.node', sdk_version: '11.11.0' }]);
});

test('feedback of the unmodified SDK arrives with its screenshot, its crash and the version', async () => {
  const sent = await run('feedback', 'grace');
  expect([sent.code, sent.output]).toEqual([0, expect.stringMatching(/^[0-9a-f]{32}$/)]);
  const list = () => get<{ values: { id: string; text: string }[] }>('feedback');
  await expect.poll(async () => (await list()).values.length, { timeout: 30_000 }).toBe(1);
  const [message] = (await list()).values;
  const read = () =>
    get<EndpointOutput<typeof feedback_get>>(`feedback/${message?.id}`).then(({ pictures, crash, ...rest }) => ({
      ...rest,
      states: pictures.map(({ state }) => state),
      hasIssue: crash?.issue_id !== undefined,
    }));
  await expect.poll(read, { timeout: 30_000 }).toMatchObject({
    text: 'Paying fails',
    name: 'Grace',
    email: 'grace@example.org',
    url: 'shop://cart',
    version: '1.4.0',
    app_build: '140',
    states: ['ready'],
    hasIssue: true,
  });
});

test('no mutated envelope causes an internal error, and none keeps the next one waiting', async () => {
  const { project_id, public_key } = await get<{ project_id: number; public_key: string }>('sentry');
  const url = `${server.httpUrl}/api/${project_id}/envelope/?sentry_key=${public_key}`;
  const event = {
    event_id: '9ec79c33ec9942ab8353589fcb2e04dc',
    timestamp: Date.now() / 1000,
    platform: 'native',
    release: 'shop@1.0+1',
    tags: [['plan', 'pro']],
    fingerprint: ['{{ default }}', 'x'],
    exception: {
      values: [
        {
          type: 'SIGSEGV',
          mechanism: {
            type: 'signalhandler',
            handled: false,
            exception_id: 0,
            meta: { signal: { number: 11, name: 'SIGSEGV' } },
          },
          stacktrace: {
            frames: [
              { instruction_addr: '0x1010', function: 'main', package: '/app' },
              { module: 'a.B', function: 'c', lineno: 1 },
            ],
          },
        },
      ],
    },
    debug_meta: {
      images: [
        { type: 'elf', image_addr: '0x1000', image_size: 4096, debug_id: '2979beff-ad1b-b8cd-307a-0102030405ff' },
      ],
    },
    threads: { values: [{ id: 1, crashed: true, stacktrace: { frames: [] } }] },
    contexts: { device: { model: 'x' }, os: { name: 'Android' } },
  };
  const session = {
    sid: '5b7c1f0e3a534d0c9a610b4e9a0f2d11',
    did: 'd',
    started: new Date().toISOString(),
    status: 'crashed',
    attrs: { release: 'shop@1.0+1' },
  };
  const original = Buffer.from(
    [
      { event_id: event.event_id, sent_at: new Date().toISOString() },
      { type: 'event' },
      event,
      { type: 'session' },
      session,
      { type: 'sessions' },
      { attrs: { release: 'shop@1.0' }, aggregates: [{ started: new Date().toISOString(), exited: 3, crashed: 1 }] },
      { type: 'client_report' },
      { discarded_events: [{ reason: 'r', category: 'c', quantity: 1 }] },
      { type: 'attachment', filename: 'a', length: 5 },
    ]
      .map((line) => JSON.stringify(line))
      .join('\n')
      .concat('\nhello\n'),
  );
  const random = createRandom(4711);
  const statuses = new Map<number, number>();
  for (let sent = 0; sent < 3000; sent += 25) {
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => send('POST', url, { raw: mutate(original, random) })),
    );
    for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect([...statuses.keys()].filter((status) => ![200, 400, 403, 413].includes(status))).toEqual([]);
  expect(statuses.get(200)).toBeGreaterThan(100);
  expect(statuses.get(400)).toBeGreaterThan(100);
  expect((await send('POST', url, { raw: original })).status).toBe(200);
  // Everything that was accepted is processed, and nothing remains in the queue.
  const waiting = async () =>
    (await get<{ consumers: { waiting: number }[] }>('ingestion')).consumers.reduce(
      (sum, each) => sum + each.waiting,
      0,
    );
  await expect.poll(waiting, { timeout: 50_000 }).toBe(0);
  expect(server.output()).not.toMatch(/"level":(50|"error")/);
});
