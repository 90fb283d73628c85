import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { batchAt, LOGS } from '../fixtures/ingest-batches.ts';
import { type PeerName, peers } from './ingest-peers.ts';
import { openConnection, type RawConnection, toBytes } from './raw-connection.ts';

/**
 * Sends batches as fast as they are acknowledged, and reads an account meanwhile. `node ingest-load.ts <port>
 * <seconds>`; prints logs per second, the p99 of a batch and of a read, and responses other than 200. `node
 * ingest-load.ts parse <seconds>`: how many logs of the same bodies one core parses. `node ingest-load.ts <port>
 * <seconds> influxdb|parse`: the same logs for another server, without the reader.
 */
const [where = '', seconds = '5', peer] = process.argv.slice(2);
const CONNECTIONS = 32;
const BODIES = 400;

const batches = Array.from({ length: BODIES }, (_, n) => batchAt(n, Date.now()));
let end = 0;
/** Batches are created before the measurement starts. */
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

/** Sends these repeatedly on all connections, as fast as responses arrive, beside other work. */
async function sendAll(
  requests: readonly Buffer[],
  beside: () => Promise<void> = async () => undefined,
  vary: (request: Buffer, sent: number) => void = () => undefined,
) {
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(Number(where))));
  const times: number[] = [];
  let next = 0;
  let acknowledged = 0;
  let bad = 0;
  const start = begin();
  const drive = async ({ sendRequest, close }: RawConnection) => {
    while (!isOver()) {
      const one = requests[next++ % BODIES];
      if (!one) continue;
      vary(one, next);
      const sentAt = performance.now();
      const { status } = await sendRequest(one);
      times.push(performance.now() - sentAt);
      if (status < 300) acknowledged += 1;
      else bad += 1;
    }
    const took = performance.now() - start;
    close();
    return took;
  };
  const [, ...took] = await Promise.all([beside(), ...connections.map(drive)]);
  return { logsPerSecond: (acknowledged * LOGS * 1000) / Math.max(...took), bad, p99: p99(times) };
}

function sendToPeer(peer: PeerName): Promise<object> {
  const requests = batches.map((batch) => {
    const { path, headers, text } = peers[peer](batch);
    const body = gzipSync(text);
    return toBytes({ method: 'POST', path, headers: { ...headers, 'content-encoding': 'gzip' }, body });
  });
  return sendAll(requests);
}

async function send(): Promise<object> {
  const { sendRequest, close } = await openConnection(Number(where));
  const post = async (path: string, headers: Record<string, string>, body: object) =>
    JSON.parse(
      (
        await sendRequest(
          toBytes({ method: 'POST', path, headers: { ...json, ...headers }, body: JSON.stringify(body) }),
        )
      ).text,
    );
  const json = { 'content-type': 'application/json' };
  const authorization = `Basic ${Buffer.from('admin@example.com:correct horse battery').toString('base64')}`;
  const { api_token } = (await post('/v0.1/api_tokens', { authorization }, {})) as { api_token: string };
  const token = { 'x-api-token': api_token };
  const app = { display_name: `Shop ${Date.now()}`, os: 'Android', platform: 'Java' };
  const { app_secret } = (await post('/v0.1/apps', token, app)) as { app_secret: string };
  const requests = batches.map(({ installId, json: text }) =>
    toBytes({
      method: 'POST',
      path: '/logs?api-version=1.0.0',
      headers: { ...json, 'app-secret': app_secret, 'install-id': installId, 'content-encoding': 'gzip' },
      body: gzipSync(text),
    }),
  );
  // A new install each time, because logs of the same one would be duplicates.
  const ends = new Map(requests.map((request, n) => [request, request.indexOf(batches[n]?.installId ?? '') + 36]));
  const otherInstall = (request: Buffer, sent: number) => {
    const digits = sent.toString(16).padStart(8, '0');
    request.write(digits, (ends.get(request) ?? 0) - digits.length, 'latin1');
  };
  const reads: number[] = [];
  const readUser = toBytes({ path: '/v0.1/user', headers: token });
  const figures = await sendAll(
    requests,
    async () => {
      while (!isOver()) {
        const sentAt = performance.now();
        await sendRequest(readUser);
        reads.push(performance.now() - sentAt);
        await sleep(5);
      }
    },
    otherInstall,
  );
  close();
  return { ...figures, readP99: p99(reads) };
}

const isPeer = (name: string | undefined): name is PeerName => name !== undefined && name in peers;
const figures = where === 'parse' ? parse() : isPeer(peer) ? { ...(await sendToPeer(peer)), readP99: 0 } : await send();
process.stdout.write(JSON.stringify(figures));
