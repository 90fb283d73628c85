import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { batchAt, LOGS } from './ingest-batches.ts';
import { type PeerName, peers } from './ingest-peers.ts';

/**
 * Sends batches as quickly as they are acknowledged, and reads an account beside that.
 * `node ingest-load.ts <port> <seconds>`; prints logs a second, the p99 of a batch and of a read, and what was not 200.
 * `node ingest-load.ts parse <seconds>`: how many logs of the same bodies one core parses.
 * `node ingest-load.ts <port> <seconds> influxdb|parse`: the same logs for another server, without the reader.
 */
const [where = '', seconds = '5', peer] = process.argv.slice(2);
const CONNECTIONS = 32;
const BODIES = 400;

const batches = Array.from({ length: BODIES }, (_, n) => batchAt(n, Date.now()));
let end = 0;
/** What is sent is made before the time begins. */
const begin = (): number => {
  const start = performance.now();
  end = start + Number(seconds) * 1000;
  return start;
};
const isOver = () => performance.now() >= end;
const p99 = (all: number[]) => all.sort((a, b) => a - b)[Math.floor(all.length * 0.99)] ?? 0;

function parse(): object {
  const bodies = batches.map(({ json }) => Buffer.from(json));
  const start = begin();
  let logs = 0;
  for (let n = 0; !isOver(); n++) {
    logs += (JSON.parse(bodies[n % BODIES]?.toString('utf8') ?? '{}') as { logs: unknown[] }).logs.length;
  }
  return { logsPerSecond: (logs * 1000) / (performance.now() - start) };
}

interface Asking {
  method?: string;
  path: string;
  headers: Record<string, string>;
  body?: Buffer | string;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS + 1 });

function ask({ method = 'GET', path, headers, body }: Asking): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const request = http.request({ port: Number(where), host: '127.0.0.1', method, path, agent });
    for (const [name, value] of Object.entries({ ...headers, ...length })) request.setHeader(name, value);
    request.on('error', reject);
    request.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    request.end(body);
  });
}

async function sendToPeer(peer: PeerName): Promise<object> {
  const bodies = batches.map((batch) => {
    const { path, headers, text } = peers[peer](batch);
    return { path, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(text) };
  });
  let next = 0;
  let acknowledged = 0;
  let bad = 0;
  const times: number[] = [];
  const start = begin();
  const drive = async () => {
    while (!isOver()) {
      const one = bodies[next++ % BODIES];
      if (!one) continue;
      const sentAt = performance.now();
      const { status } = await ask({ method: 'POST', ...one });
      times.push(performance.now() - sentAt);
      if (status < 300) acknowledged += 1;
      else bad += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, drive));
  const took = (performance.now() - start) / 1000;
  agent.destroy();
  return { logsPerSecond: (acknowledged * LOGS) / took, bad, p99: p99(times), readP99: 0 };
}

async function send(): Promise<object> {
  const json = { 'content-type': 'application/json' };
  const basic = `Basic ${Buffer.from('admin@example.com:correct horse battery').toString('base64')}`;
  const made = await ask({
    method: 'POST',
    path: '/v0.1/api_tokens',
    headers: { ...json, authorization: basic },
    body: '{}',
  });
  const token = { 'x-api-token': JSON.parse(made.text).api_token as string };
  const app = JSON.stringify({ display_name: `Shop ${Date.now()}`, os: 'Android', platform: 'Java' });
  const created = await ask({ method: 'POST', path: '/v0.1/apps', headers: { ...json, ...token }, body: app });
  const { app_secret } = JSON.parse(created.text) as { app_secret: string };
  const bodies = batches.map(({ installId, json: text }) => ({
    headers: { ...json, 'app-secret': app_secret, 'install-id': installId, 'content-encoding': 'gzip' },
    body: gzipSync(text),
  }));

  let next = 0;
  let acknowledged = 0;
  let bad = 0;
  const times: number[] = [];
  const reads: number[] = [];
  const start = begin();
  const drive = async () => {
    while (!isOver()) {
      const one = bodies[next++ % BODIES];
      if (!one) continue;
      const sentAt = performance.now();
      const { status } = await ask({ method: 'POST', path: '/logs?api-version=1.0.0', ...one });
      times.push(performance.now() - sentAt);
      if (status === 200) acknowledged += 1;
      else bad += 1;
    }
  };
  const read = async () => {
    while (!isOver()) {
      const sentAt = performance.now();
      await ask({ path: '/v0.1/user', headers: token });
      reads.push(performance.now() - sentAt);
      await sleep(5);
    }
  };
  await Promise.all([read(), ...Array.from({ length: CONNECTIONS }, drive)]);
  const took = (performance.now() - start) / 1000;
  agent.destroy();
  return { logsPerSecond: (acknowledged * LOGS) / took, bad, p99: p99(times), readP99: p99(reads) };
}

const isPeer = (name: string | undefined): name is PeerName => name !== undefined && name in peers;
const figures = where === 'parse' ? parse() : isPeer(peer) ? await sendToPeer(peer) : await send();
process.stdout.write(JSON.stringify(figures));
