import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, type Contestant, median, number, processorSeconds, table } from '../harness.ts';

/** The maximum for an app. */
const WEBHOOKS = 20;
const AIM = 2000;
const TIMEOUT_MS = 300_000;

/** A receiver on this machine that counts messages, and may never respond. */
async function startReceiver(answers: boolean) {
  const times: number[] = [];
  const server = createServer((request, response) => {
    request.resume();
    times.push(performance.now());
    if (answers) response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { times, close, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

const json = { 'content-type': 'application/json' };

async function openApp({ port }: Contestant) {
  const base = `http://127.0.0.1:${port}`;
  const authorization = `Basic ${Buffer.from('admin@example.com:correct horse battery').toString('base64')}`;
  const request = async (path: string, headers: Record<string, string>, body: string) => {
    const answer = await fetch(`${base}${path}`, { method: 'POST', headers: { ...json, ...headers }, body });
    if (!answer.ok) throw new Error(`${path} returned ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const { api_token } = (await request('/v0.1/api_tokens', { authorization }, '{}')) as { api_token: string };
  const token = { 'x-api-token': api_token };
  const made = await request('/v0.1/apps', token, '{"display_name":"Shop","os":"Android","platform":"Java"}');
  const { app_secret, owner, name } = made as { app_secret: string; owner: { name: string }; name: string };
  const addWebhook = (url: string) =>
    request(
      `/v0.1/apps/${owner.name}/${name}/webhooks`,
      token,
      JSON.stringify({ url, event_types: ['newCrashGroupCreated'], format: 'cloudevents' }),
    );
  /** Each crash has its own problem, so each is announced to all webhooks. */
  const crash = async (count: number) => {
    const device = { appVersion: '1.0', osName: 'Android', osVersion: '14', locale: 'en_US', timeZoneOffset: 0 };
    const logs = Array.from({ length: count }, (_, n) => ({
      type: 'managedError',
      id: randomUUID(),
      timestamp: new Date().toISOString(),
      fatal: true,
      exception: {
        type: 'java.lang.IllegalStateException',
        message: 'x',
        frames: [{ className: `org.example.Cart${n}`, methodName: 'pay', fileName: 'Cart.java', lineNumber: 1 }],
      },
      device,
    }));
    const headers = { 'app-secret': app_secret, 'install-id': randomUUID() };
    await request('/logs?api-version=1.0.0', headers, JSON.stringify({ logs }));
  };
  const look = async () => {
    const start = performance.now();
    await (await fetch(`${base}/v0.1/user`, { headers: token })).text();
    return performance.now() - start;
  };
  return { addWebhook, crash, look };
}

/** Many crashes arrive together, and all webhooks receive each; meanwhile a client calls the API. */
async function measure(bench: Bench, name: string, { crashes, silent }: { crashes: number; silent: number }) {
  const databaseUrl = name === 'PostgreSQL' ? await bench.postgresDatabase(`deliveries${silent}`) : undefined;
  const server = await bench.startMooring(name, {
    dataDir: bench.at(`deliveries-${name}-${silent}`),
    ...(databaseUrl ? { databaseUrl } : {}),
    env: { MOORING_OUTBOUND_ALLOW: '127.0.0.0/8' },
  });
  const [receiver, mute] = [await startReceiver(true), await startReceiver(false)];
  const { addWebhook, crash, look } = await openApp(server);
  for (let n = 0; n < WEBHOOKS; n += 1) await addWebhook(n < silent ? mute.url : receiver.url);
  const expected = crashes * (WEBHOOKS - silent);
  const looks: number[] = [];
  const before = processorSeconds(server.process.pid ?? 0);
  await crash(crashes);
  for (const end = performance.now() + TIMEOUT_MS; receiver.times.length < expected && performance.now() < end; ) {
    looks.push(await look());
    await sleep(100);
  }
  const used = processorSeconds(server.process.pid ?? 0) - before;
  server.process.kill();
  receiver.close();
  mute.close();
  const [first = 0, last = 0] = [receiver.times[0], receiver.times.at(-1)];
  const perSecond = (receiver.times.length * 1000) / Math.max(1, last - first);
  const what = `Deliveries on ${name}${silent > 0 ? `, ${silent} of ${WEBHOOKS} receivers silent` : ''}`;
  bench.goal({ what, aim: { atLeast: AIM }, measured: perSecond, unit: '/s' });
  return [
    name,
    String(silent),
    `${number(receiver.times.length)} of ${number(expected)}`,
    number(perSecond),
    `${number((used * 1000) / Math.max(1, receiver.times.length), 2)} ms`,
    `${number(median(looks), 1)} ms`,
  ];
}

export async function measureDeliveries(bench: Bench): Promise<string> {
  const crashes = bench.isQuick ? 100 : 500;
  const rows: string[][] = [];
  for (const name of ['SQLite', 'PostgreSQL']) {
    for (const silent of [0, 2]) rows.push(await measure(bench, name, { crashes, silent }));
  }
  return [
    '## Deliveries of webhooks',
    `${number(crashes)} new crash groups together, each announced to ${WEBHOOKS} webhooks on this machine; some never respond. The processor time includes the crashes. Goal: ${number(AIM)} deliveries per second, without delays for other receivers.`,
    table(
      [
        'database',
        'webhooks that never respond',
        'delivered',
        'deliveries/s',
        'processor time of the server per delivery',
        'concurrent GET /v0.1/user, p50',
      ],
      rows,
    ),
  ].join('\n\n');
}
