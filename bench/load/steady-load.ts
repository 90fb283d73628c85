import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { batchAt, LOGS } from '../fixtures/ingest-batches.ts';

/**
 * Sends unique logs at a steady rate, and polls until single logs are counted. `node steady-load.ts <port> <logs per
 * second> <seconds>`; prints the number of acknowledged logs, and the milliseconds until each polled log was counted.
 */
const [port = '', rate = '20000', seconds = '60'] = process.argv.slice(2);
/** Polling more often would return the same result. */
const LOOK_EVERY = Number(rate) >= 10_000 ? 250 : 1000;
const PROBE_EVERY = 1000;
/** The maximum time: a log that is not counted by then counts as this long. */
const PATIENCE = 60_000;

const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
const basic = `Basic ${Buffer.from('admin@example.com:correct horse battery').toString('base64')}`;
const json = { 'content-type': 'application/json' };

function sendRequest(method: string, path: string, headers: Record<string, string>, body?: Buffer | string) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const options = { port: Number(port), host: '127.0.0.1', method, path, agent, headers: { ...headers, ...length } };
    const request = http.request(options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    request.on('error', reject).end(body);
  });
}

const made = await sendRequest('POST', '/v0.1/api_tokens', { ...json, authorization: basic }, '{}');
const token = { 'x-api-token': JSON.parse(made.text).api_token as string };
const app = JSON.stringify({ display_name: 'Steady', name: 'steady', os: 'Android', platform: 'Java' });
const created = await sendRequest('POST', '/v0.1/apps', { ...json, ...token }, app);
const { app_secret, owner } = JSON.parse(created.text) as { app_secret: string; owner: { name: string } };

let acknowledged = 0;
let refused = 0;
const start = performance.now();
const isOver = () => performance.now() - start >= Number(seconds) * 1000;

function post(body: string, installId: string) {
  const headers = { ...json, 'app-secret': app_secret, 'install-id': installId, 'content-encoding': 'gzip' };
  return sendRequest('POST', '/logs?api-version=1.0.0', headers, gzipSync(body, { level: 1 }));
}

/** Sends all logs that are due; a slow server delays the next ones, and lowers the rate. */
async function sendSteadily(): Promise<void> {
  const flying = new Set<Promise<void>>();
  for (let n = 0; !isOver(); n++) {
    const due = start + (n * LOGS * 1000) / Number(rate);
    const early = due - performance.now();
    if (early > 1) await sleep(early);
    while (flying.size >= 48) await Promise.race(flying);
    const { installId, json: body } = batchAt(n, Date.now());
    const sending: Promise<void> = post(body, installId).then(({ status }) => {
      if (status === 200) acknowledged += LOGS;
      else refused += LOGS;
      flying.delete(sending);
    });
    flying.add(sending);
  }
  await Promise.all(flying);
}

const seen: number[] = [];

/** Polls until one log is counted, and then sends the next: many polls together would measure themselves. */
async function probeSteadily(): Promise<void> {
  for (let n = 0; !isOver(); n++) {
    const { installId, json: body } = batchAt(n, Date.now());
    const name = `probe ${n}`;
    const { logs } = JSON.parse(body) as { logs: { name?: string }[] };
    const [, event] = logs;
    await post(JSON.stringify({ logs: [{ ...event, name }] }), installId);
    const sentAt = performance.now();
    for (let waited = 0, isSeen = false; !isSeen && waited < PATIENCE; ) {
      await sleep(LOOK_EVERY);
      const query = new URLSearchParams({ start: new Date().toISOString(), event_name: name, $top: '1' });
      const { status, text } = await sendRequest(
        'GET',
        `/v0.1/apps/${owner.name}/steady/analytics/events?${query}`,
        token,
      );
      waited = performance.now() - sentAt;
      isSeen = status === 200 && text.includes(name);
      if (isSeen || waited >= PATIENCE) seen.push(Math.round(waited));
    }
    await sleep(PROBE_EVERY);
  }
}

await Promise.all([sendSteadily(), probeSteadily()]);
const took = (performance.now() - start) / 1000;
agent.destroy();
process.stdout.write(JSON.stringify({ logsPerSecond: acknowledged / Math.max(took, Number(seconds)), refused, seen }));
