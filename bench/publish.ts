import { readFileSync } from 'node:fs';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemCtx } from '../packages/server/src/context.ts';
import { publishEvents } from '../packages/server/src/domains/health/index.ts';
import { eventAt } from './fixtures/health-fixtures.ts';
import { appOver } from './load/in-process-app.ts';

/**
 * Publishes new events at a steady rate, or as fast as possible if that is slower, and prints how many per second.
 * `node publish.ts one-by-one <port> <token file> <rate> <seconds>` over HTTP, on 16 connections; `node publish.ts
 * in-batches <database> - <rate> <seconds>` with the import operation, 100 per transaction.
 */
const [how = '', where = '', tokenFile = '', rate = '1000', seconds = '5'] = process.argv.slice(2);
const BATCH = 100;

let published = 0;
const start = performance.now();
const elapsed = () => (performance.now() - start) / 1000;
const isOver = () => elapsed() >= Number(seconds);
const run = `RUN${Date.now().toString(36)}`;
let last = 0;

/** An unpublished event, updated now. */
function newEvent() {
  const { draft } = eventAt(last++);
  return { trackingId: `${run}-${last}`, draft: { ...draft, lastUpdateTime: new Date().toISOString() } };
}

/** Waits until the next event or batch is due. */
async function due(): Promise<void> {
  const ahead = published / Number(rate) - elapsed();
  if (ahead > 0) await sleep(ahead * 1000);
}

async function oneByOne(): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });
  const token = readFileSync(tokenFile, 'utf8').trim();
  const put = () =>
    new Promise<void>((resolve, reject) => {
      const { trackingId, draft } = newEvent();
      const { lastUpdateTime: _, ...properties } = draft;
      const body = JSON.stringify({ properties });
      const request = http.request({
        port: Number(where),
        host: '127.0.0.1',
        method: 'PUT',
        path: `/providers/Vendor.ResourceHealth/events/${trackingId}?api-version=2024-02-01`,
        agent,
        headers: { 'x-api-token': token, 'content-type': 'application/json', 'content-length': body.length },
      });
      request.on('error', reject);
      request.on('response', (answer) => {
        if (answer.statusCode !== 201) reject(new Error(`answered ${answer.statusCode}`));
        answer.resume().on('end', resolve);
      });
      request.end(body);
    });
  const drive = async () => {
    while (!isOver()) {
      await due();
      published += 1;
      await put();
    }
  };
  await Promise.all(Array.from({ length: 16 }, drive));
  agent.destroy();
}

async function inBatches(): Promise<void> {
  const { deps, stop } = await appOver(where);
  while (!isOver()) {
    await due();
    await publishEvents(systemCtx(deps), Array.from({ length: BATCH }, newEvent));
    published += BATCH;
  }
  await stop();
}

await (how === 'one-by-one' ? oneByOne() : inBatches());
process.stdout.write(JSON.stringify({ perSecond: published / elapsed() }));
