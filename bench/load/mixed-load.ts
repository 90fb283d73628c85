import { readFileSync } from 'node:fs';
import http from 'node:http';

/**
 * Eight reads to two writes on 64 connections, at a steady rate, or as fast as responses arrive if it is 0. `node
 * mixed-load.ts <port> <tokens file> <rate> <seconds>`
 */
const [port = '', tokensFile = '', rate = '0', seconds = '10'] = process.argv.slice(2);
const CONNECTIONS = 64;
const VERSION = 'api-version=2024-02-01';
const SUBSCRIPTION = '5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b11';
const readers = readFileSync(tokensFile, 'utf8').trim().split('\n');
const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });

interface Answer {
  status: number;
  text: string;
}

function sendRequest(method: string, path: string, headers: Record<string, string>, body?: object): Promise<Answer> {
  const payload = body && JSON.stringify(body);
  const typed = payload ? { 'content-type': 'application/json', 'content-length': String(payload.length) } : {};
  return new Promise((resolve, reject) => {
    const request = http.request({ port, host: '127.0.0.1', method, path, agent, headers: { ...headers, ...typed } });
    request.on('error', reject);
    request.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    request.end(payload);
  });
}

const basic = { authorization: `Basic ${Buffer.from('admin@example.com:correct horse battery').toString('base64')}` };
const made = JSON.parse((await sendRequest('POST', '/v0.1/api_tokens', basic, {})).text) as { api_token: string };
const admin = { 'x-api-token': made.api_token };
const health = `/providers/Vendor.ResourceHealth/events`;
const event = (n: number) => ({
  properties: {
    title: `Mail is late, number ${n}`,
    eventType: 'ServiceIssue',
    impact: [{ impactedService: `Service ${n % 20}`, impactedRegions: [{ impactedRegion: `Region ${n % 6}` }] }],
  },
});
await sendRequest('PUT', `/subscriptions/${SUBSCRIPTION}?${VERSION}`, admin, {
  displayName: 'Harbour',
  tenantId: SUBSCRIPTION,
  owner: 'admin',
});
for (let n = 0; n < CONNECTIONS; n++) {
  await sendRequest('POST', '/v0.1/apps', admin, {
    name: `app-${n}`,
    display_name: `App ${n}`,
    os: 'Linux',
    platform: 'Electron',
  });
  await sendRequest('PUT', `${health}/LOAD-${n}?${VERSION}`, admin, event(n));
}

let requests = 0;
const spare: string[] = [];

async function read(n: number): Promise<Answer> {
  if (n % 8 === 5) return sendRequest('GET', '/v0.1/apps?$top=30', admin);
  if (n % 8 === 6) return sendRequest('GET', `/subscriptions/${SUBSCRIPTION}${health}?${VERSION}`, admin);
  return sendRequest('GET', '/v0.1/user', { 'x-api-token': readers[n % readers.length] ?? '' });
}

async function write(n: number, worker: number): Promise<Answer> {
  if (n % 4 === 0) {
    const answer = await sendRequest('POST', '/v0.1/api_tokens', admin, { description: 'load' });
    spare.push((JSON.parse(answer.text) as { id: string }).id);
    return answer;
  }
  const old = n % 4 === 1 ? spare.shift() : undefined;
  if (old) return sendRequest('DELETE', `/v0.1/api_tokens/${old}`, admin);
  if (n % 4 === 2) return sendRequest('PATCH', `/v0.1/apps/admin/app-${worker}`, admin, { description: `change ${n}` });
  return sendRequest('PUT', `${health}/LOAD-${worker}?${VERSION}`, admin, event(n));
}

const reads: number[] = [];
const writes: number[] = [];
let bad = 0;
const start = performance.now();
const elapsed = () => performance.now() - start;
const end = Number(seconds) * 1000;

async function drive(worker: number): Promise<void> {
  while (elapsed() < end) {
    const n = requests++;
    const due = Number(rate) > 0 ? (n * 1000) / Number(rate) : elapsed();
    if (due > end) return;
    if (due > elapsed()) await new Promise((resolve) => setTimeout(resolve, due - elapsed()));
    const isWrite = n % 5 === 4;
    const { status } = await (isWrite ? write(Math.floor(n / 5), worker) : read(n));
    if (status < 200 || status > 299) bad += 1;
    (isWrite ? writes : reads).push(elapsed() - due);
  }
}
await Promise.all(Array.from({ length: CONNECTIONS }, (_, worker) => drive(worker)));

const at = (figures: number[], share: number) => figures.sort((a, b) => a - b)[Math.floor(figures.length * share)] ?? 0;
const all = [...reads, ...writes];
const perSecond = (all.length * 1000) / elapsed();
process.stdout.write(
  JSON.stringify({ perSecond, bad, p50: at(all, 0.5), p99: at(all, 0.99), p99Writes: at(writes, 0.99) }),
);
agent.destroy();
