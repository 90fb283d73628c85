import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { createApp } from '../../packages/server/src/app.ts';
import { systemCtx } from '../../packages/server/src/context.ts';
import { tx } from '../../packages/server/src/db/tx.ts';
import { finishDeletions, tidyParts } from '../../packages/server/src/domains/analytics/parts/compaction.ts';
import { publishParts, storePart } from '../../packages/server/src/domains/analytics/parts/parts.ts';
import { processApp } from '../../packages/server/src/domains/crashes/reports/processing/processing.ts';
import { followSubjectRequests } from '../../packages/server/src/domains/data-requests/subject-requests.ts';
import { sweepBatches } from '../../packages/server/src/domains/ingest/batches/batches.ts';
import { addLogs } from '../../packages/server/src/domains/ingest/index.ts';
import { subjectRecords } from '../../packages/server/src/extensions/subject-records.ts';
import { readConfig } from '../../packages/server/src/settings.ts';
import { fill, multiplyReports, openApp, request, signIn } from '../fixtures/crash-fixtures.ts';
import { shopCrash } from '../fixtures/crash-logs.ts';
import { DAYS, writeDays } from '../fixtures/telemetry-fixtures.ts';
import { type Bench, number, table } from '../harness.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
/** Data of the erased user besides their events. */
const CRASHES = 200;
const MAX_WORK_SECONDS = 300;
/** The schedules run every minute and every ten, and replaced files are deleted after three. */
const TIDIED = 10;
const MAX_MINUTES = 30;

/** The most active user, whose events are in the files of many days. */
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

/** An app with many logs and crashes: the time until no data of a user is left. */
export async function measureDeletion(bench: Bench): Promise<string> {
  const [logsPerDay, few, times] = bench.isQuick ? [2000, 500, 10] : [200_000, 10_000, 100];
  const dataDir = bench.at('deletion');
  const server = await bench.startMooring('deletion', { dataDir });
  const token = await signIn(server);
  const shop = await openApp(server, token, 'Shop');
  await fill(shop, few, (n) => shopCrash(n, few));
  const at = shop.base.lastIndexOf('/');
  const { id: appId } = (await request({ ...shop, base: shop.base.slice(0, at) }, shop.base.slice(at + 1))) as {
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
      if (answer.statusCode >= 300) throw new Error(`The request returned ${answer.statusCode}: ${answer.body}`);
      return answer.json();
    };
    const start = performance.now();
    const { id } = await inject('POST', '', { kind: 'delete', install_id: person.id });
    let minutes = 0;
    let status = '';
    while (status !== 'Completed' && minutes < MAX_MINUTES) {
      minutes += 1;
      ahead += MINUTE;
      while ((await app.runJobs()) > 0) await sleep(0);
      if (minutes % TIDIED === 0) {
        await tidyParts(ctx);
        await sweepBatches(ctx);
      }
      await finishDeletions(ctx);
      await followSubjectRequests(ctx);
      ({ status } = await inject('GET', `/${id}`));
    }
    const seconds = (performance.now() - start) / 1000;
    if (status !== 'Completed') throw new Error(`The deletion is still ${status} after ${minutes} minutes.`);
    for (const { read } of subjectRecords.list(ctx)) {
      for await (const _ of read(ctx, { appId, kind: 'install', value: person.id }))
        throw new Error('Some data of the user was not deleted.');
    }
    bench.goal({
      what: 'Deletion of a user, work',
      aim: { atMost: MAX_WORK_SECONDS },
      measured: seconds,
      unit: ' s',
      digits: 1,
    });
    bench.goal({
      what: 'Deletion of a user, total',
      aim: { atMost: 10 },
      measured: minutes,
      unit: ' min',
    });
    return [
      '## Deletion of the data of a user, on SQLite',
      `An app with ${number(logs)} logs of ${DAYS} days and ${number(few * times)} crash reports. The data of its busiest device is deleted, until the request reports that a search finds nothing, which is verified. The clock advances by a minute between the rounds of the schedules, so the measurement is their work; replaced files are kept for three minutes, because queries may read them. Limits: ${MAX_WORK_SECONDS} s of work, ten minutes.`,
      table(
        ['logs of the device', 'on days', 'its crashes', 'work', 'total, by the clock'],
        [[number(person.logs), number(person.days), number(CRASHES), `${number(seconds, 1)} s`, `${minutes} min`]],
      ),
    ].join('\n\n');
  } finally {
    await app.stop();
  }
}
