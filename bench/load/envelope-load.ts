import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { openConnection, type RawConnection, toBytes } from './raw-connection.ts';

/**
 * Sends envelopes as a Sentry SDK does, as fast as they are acknowledged, and reads an account meanwhile. `node envelope-load.ts
 * <port> <seconds>`; prints envelopes per second, the p99 of an envelope and of a read, and responses other than 200. `node
 * envelope-load.ts parse <seconds>`: how many of the same bodies one core parses. `node envelope-load.ts <port> visible`: how long
 * crashes take, one after the other, until they are in the list.
 */
const [where = '', what = '5'] = process.argv.slice(2);
const CONNECTIONS = 32;
const BODIES = 400;
const VISIBLE = 20;

const hexId = (number: number): string => number.toString(16).padStart(32, '0');
const p99 = (all: number[]): number => all.sort((a, b) => a - b)[Math.floor(all.length * 0.99)] ?? 0;

/** A crash of Android with its session, in the size that SDKs send. */
function linesAt(number: number): string[] {
  const now = new Date().toISOString();
  const frame = (n: number) => ({
    module: `com.example.shop.screens.Screen${n % 7}`,
    function: `onEvent${n}`,
    filename: `Screen${n % 7}.kt`,
    lineno: n,
    in_app: n % 3 === 0,
  });
  const release = 'com.example.shop@1.4.0+140';
  const event = {
    event_id: hexId(number),
    timestamp: now,
    platform: 'java',
    level: 'fatal',
    release,
    user: { id: hexId(number % 1000) },
    tags: { plan: 'pro', flavor: 'play' },
    contexts: { device: { model: 'Pixel 7', manufacturer: 'Google' }, os: { name: 'Android', version: '14' } },
    breadcrumbs: Array.from({ length: 30 }, (_, n) => ({
      timestamp: now,
      category: 'ui.click',
      message: `Button ${n}`,
    })),
    exception: {
      values: [
        {
          type: `Problem${number}`,
          value: 'The cart is empty',
          mechanism: { type: 'UncaughtExceptionHandler', handled: false },
          stacktrace: { frames: Array.from({ length: 30 }, (_, n) => frame(n)) },
        },
      ],
    },
  };
  const session = {
    sid: hexId(number),
    did: hexId(number % 1000),
    started: now,
    status: 'crashed',
    attrs: { release },
  };
  return [{ event_id: hexId(number), sent_at: now }, { type: 'event' }, event, { type: 'session' }, session].map(
    (line) => JSON.stringify(line),
  );
}

function parse(seconds: number): object {
  const bodies = Array.from({ length: BODIES }, (_, n) => linesAt(n + 1).map((line) => Buffer.from(line)));
  const start = performance.now();
  let count = 0;
  for (; performance.now() - start < seconds * 1000; count += 1) {
    for (const line of bodies[count % BODIES] ?? []) JSON.parse(line.toString('utf8'));
  }
  return { envelopesPerSecond: (count * 1000) / (performance.now() - start) };
}

/** An app, and how to send to it. */
async function openApp({ sendRequest }: RawConnection) {
  const json = { 'content-type': 'application/json' };
  const call = async (method: string, path: string, headers: Record<string, string>, body?: object) =>
    JSON.parse(
      (
        await sendRequest(
          toBytes({ method, path, headers: { ...json, ...headers }, ...(body ? { body: JSON.stringify(body) } : {}) }),
        )
      ).text,
    );
  const authorization = `Basic ${Buffer.from('admin@example.com:correct horse battery').toString('base64')}`;
  const { api_token } = await call('POST', '/v0.1/api_tokens', { authorization }, {});
  const token = { 'x-api-token': api_token as string };
  const app = { display_name: `Shop ${Date.now()}`, os: 'Android', platform: 'Java' };
  const { name, owner } = await call('POST', '/v0.1/apps', token, app);
  const home = `/v0.1/apps/${owner.name}/${name}`;
  const { project_id, public_key } = await call('GET', `${home}/sentry`, token);
  const toEnvelope = (number: number): Buffer =>
    toBytes({
      method: 'POST',
      path: `/api/${project_id}/envelope/`,
      headers: {
        'x-sentry-auth': `Sentry sentry_version=7,sentry_client=sentry.java.android/8.53.0,sentry_key=${public_key}`,
        'content-type': 'application/x-sentry-envelope',
        'content-encoding': 'gzip',
      },
      body: gzipSync(linesAt(number).join('\n')),
    });
  return { token, home, toEnvelope, call };
}

async function send(port: number, seconds: number): Promise<object> {
  const reader = await openConnection(port);
  const { token, toEnvelope } = await openApp(reader);
  const requests = Array.from({ length: BODIES }, (_, n) => toEnvelope(n + 1));
  const readUser = toBytes({ path: '/v0.1/user', headers: token });
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(port)));
  const start = performance.now();
  const isOver = () => performance.now() - start >= seconds * 1000;
  const [times, reads]: [number[], number[]] = [[], []];
  let [next, acknowledged, bad] = [0, 0, 0];
  const timed = async (list: number[], connection: RawConnection, request: Buffer) => {
    const sentAt = performance.now();
    const { status } = await connection.sendRequest(request);
    list.push(performance.now() - sentAt);
    return status;
  };
  const drive = async (connection: RawConnection) => {
    while (!isOver()) {
      const request = requests[next++ % BODIES];
      if (request && (await timed(times, connection, request)) === 200) acknowledged += 1;
      else bad += 1;
    }
    connection.close();
  };
  const read = async () => {
    while (!isOver()) {
      await timed(reads, reader, readUser);
      await sleep(5);
    }
    reader.close();
  };
  await Promise.all([read(), ...connections.map(drive)]);
  return {
    envelopesPerSecond: (acknowledged * 1000) / (performance.now() - start),
    bad,
    p99: p99(times),
    readP99: p99(reads),
  };
}

async function measureVisible(port: number): Promise<object> {
  const connection = await openConnection(port);
  const { token, home, toEnvelope, call } = await openApp(connection);
  const seen: number[] = [];
  for (let number = 1; number <= VISIBLE; number += 1) {
    const sentAt = performance.now();
    await connection.sendRequest(toEnvelope(number));
    for (;;) {
      const { values } = await call('GET', `${home}/crash_issues?kind=crash&limit=100`, token);
      if ((values as { exception_type: string }[]).some(({ exception_type }) => exception_type === `Problem${number}`))
        break;
      await sleep(20);
    }
    seen.push(performance.now() - sentAt);
  }
  connection.close();
  return { visibleMs: p99(seen) };
}

const port = Number(where);
const figures =
  where === 'parse'
    ? parse(Number(what))
    : what === 'visible'
      ? await measureVisible(port)
      : await send(port, Number(what));
process.stdout.write(JSON.stringify(figures));
