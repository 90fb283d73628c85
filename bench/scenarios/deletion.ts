import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { createApp } from '../../packages/server/src/app.ts';
import { readConfig } from '../../packages/server/src/config.ts';
import { systemCtx } from '../../packages/server/src/context.ts';
import { tx } from '../../packages/server/src/db/tx.ts';
import { finishDeletions, tidyParts } from '../../packages/server/src/domains/analytics/parts/compaction.ts';
import { publishParts, storePart } from '../../packages/server/src/domains/analytics/parts/parts.ts';
import { processApp } from '../../packages/server/src/domains/crashes/reports/processing.ts';
import { followSenderRequests } from '../../packages/server/src/domains/data-requests/sender-requests.ts';
import { sweepBatches } from '../../packages/server/src/domains/ingest/batches/batches.ts';
import { addLogs } from '../../packages/server/src/domains/ingest/index.ts';
import { shopCrash } from '../crash-logs.ts';
import { ask, fill, multiplyReports, openApp, signIn } from '../crash-world.ts';
import { type Bench, number, table } from '../harness.ts';
import { DAYS, writeDays } from '../telemetry-world.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
/** Of whoever is deleted, besides what they did. */
const CRASHES = 200;
const LONGEST_WORK = 300;
/** The schedules look every minute and every ten, and files that were replaced wait for three. */
const TIDIED = 10;
const MOST_MINUTES = 30;

/** Whoever did most: what they did is in the files of many days. */
async function busiestDevice(files: readonly string[]): Promise<{ id: string; logs: number; days: number }> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '2', memory_limit: '1500MB' });
  const connection = await instance.connect();
  const list = files.map((file) => `'${file}'`).join();
  const found = await connection.runAndReadAll(`SELECT device::VARCHAR, count(*), count(DISTINCT ts // ${DAY})
    FROM read_parquet([${list}]) GROUP BY device ORDER BY count(*) DESC, device LIMIT 1`);
  const [id, logs, days] = found.getRows()[0] ?? [];
  connection.closeSync();
  instance.closeSync();
  return { id: String(id), logs: Number(logs), days: Number(days) };
}

/** An app with many logs and crashes: how long it takes until nothing of a person is left. */
export async function measureDeletion(bench: Bench): Promise<string> {
  const [logsPerDay, few, times] = bench.isQuick ? [2000, 500, 10] : [200_000, 10_000, 100];
  const dataDir = bench.at('deletion');
  const server = await bench.startMooring('deletion', { dataDir });
  const token = await signIn(server);
  const shop = await openApp(server, token, 'Shop');
  await fill(shop, few, (n) => shopCrash(n, few));
  const at = shop.base.lastIndexOf('/');
  const { id: appId } = (await ask({ ...shop, base: shop.base.slice(0, at) }, shop.base.slice(at + 1))) as {
    id: string;
  };
  const ended = new Promise((resolve) => server.process.once('exit', resolve));
  server.process.kill();
  await ended;
  multiplyReports(dataDir, times);

  let ahead = 0;
  const clock = { now: () => Date.now() + ahead };
  const settings = readConfig({
    MOORING_DATA_DIR: dataDir,
    MOORING_LOG_LEVEL: 'error',
    MOORING_INGEST_THREAD: 'false',
  });
  const app = await createApp({ ...settings, publicUrl: 'https://localhost' }, { clock });
  try {
    const ctx = systemCtx(app.deps);
    const { parts, logs } = await writeDays(bench.at('deletion-days'), logsPerDay, Math.floor(Date.now() / DAY) - 1);
    const person = await busiestDevice(parts.map((part) => part.logs));
    for (const part of parts) {
      const written = { day: part.day, rows: Math.round(logs / DAYS), others: 0, files: part };
      const draft = await storePart(ctx, appId, written, { isSealed: true });
      await tx(ctx, (ctx) => publishParts(ctx, appId, [draft]));
    }
    const crashes = Array.from({ length: CRASHES }, (_, n) => ({ ...shopCrash(n, few), id: randomUUID() }));
    await addLogs(app.deps, { appId, installId: person.id, logs: crashes });
    await processApp(ctx, appId);

    const home = new URL(shop.base).pathname;
    const headers = { 'x-api-token': token, 'content-type': 'application/json' };
    const inject = async (method: 'GET' | 'POST', rest = '', payload?: object) => {
      const answer = await app.http.inject({
        method,
        url: `${home}/data_requests${rest}`,
        headers,
        ...(payload ? { payload } : {}),
      });
      if (answer.statusCode >= 300)
        throw new Error(`The request was answered with ${answer.statusCode}: ${answer.body}`);
      return answer.json();
    };
    const start = performance.now();
    const { id } = await inject('POST', '', { kind: 'delete', install_id: person.id });
    let minutes = 0;
    let status = '';
    while (status !== 'Completed' && minutes < MOST_MINUTES) {
      minutes += 1;
      ahead += MINUTE;
      while ((await app.runJobs()) > 0) await sleep(0);
      if (minutes % TIDIED === 0) {
        await tidyParts(ctx);
        await sweepBatches(ctx);
      }
      await finishDeletions(ctx);
      await followSenderRequests(ctx);
      ({ status } = await inject('GET', `/${id}`));
    }
    const seconds = (performance.now() - start) / 1000;
    if (status !== 'Completed') throw new Error(`The deletion is ${status} after ${minutes} minutes.`);
    for (const { read } of ctx.senderRecords) {
      for await (const _ of read(ctx, { appId, kind: 'install', value: person.id }))
        throw new Error('Something is left.');
    }
    bench.goal({
      what: 'Deletion of a person, work',
      aim: { atMost: LONGEST_WORK },
      measured: seconds,
      unit: ' s',
      digits: 1,
    });
    bench.goal({
      what: 'Deletion of a person, until it ended',
      aim: { atMost: 10 },
      measured: minutes,
      unit: ' min',
    });
    return [
      '## Deletion of what a person sent, on SQLite',
      `An app with ${number(logs)} logs of ${DAYS} days and ${number(few * times)} crash reports; all that its busiest device sent is deleted, until the request says that a search finds nothing, which is looked at once more. The clock is moved on by a minute between the rounds of the schedules, so what is measured is their work; files that were replaced wait for three minutes, as somebody may be reading them. Limits: ${LONGEST_WORK} s of work, ten minutes.`,
      table(
        ['logs of the device', 'on days', 'crashes of it', 'work', 'until it ended, by the clock'],
        [[number(person.logs), number(person.days), number(CRASHES), `${number(seconds, 1)} s`, `${minutes} min`]],
      ),
    ].join('\n\n');
  } finally {
    await app.stop();
  }
}
