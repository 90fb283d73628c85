import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, listChildren, number, peakRss, table } from '../harness.ts';
import { sendLogs } from './ingest.ts';

const getSize = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);

/** The speed of turning batches in the database into files, in a separate process. */
export async function measureCompaction(bench: Bench): Promise<string> {
  const dataDir = bench.at('compaction');
  const api = await bench.startMooring('api', { dataDir, env: { MOORING_ROLES: 'api' } });
  await sendLogs(String(api.port), bench.isQuick ? 3 : 20);
  api.process.kill();
  await new Promise((resolve) => api.process.once('exit', resolve));

  const database = new DatabaseSync(path.join(dataDir, 'mooring.db'), { readOnly: true });
  const one = (sql: string): number => Number(Object.values(database.prepare(sql).get() ?? {})[0] ?? 0);
  const logs = one('SELECT sum(log_count) FROM ingest_batches');
  const bytes = one('SELECT sum(length(body)) FROM ingest_batches');
  const isBehind = `SELECT count(*) FROM ingest_apps LEFT JOIN ingest_cursors ON ingest_cursors.app_id = ingest_apps.app_id
    AND consumer = 'analytics' WHERE last_number > coalesce(number, 0)`;
  const hasBegun = `SELECT count(*) FROM analytics_leases`;
  const worker = await bench.startMooring('worker', { dataDir, env: { MOORING_ROLES: 'api,worker' } });
  while (one(hasBegun) === 0 && one(isBehind) > 0) await sleep(1);
  const start = performance.now();
  while (one(isBehind) > 0) await sleep(20);
  const seconds = (performance.now() - start) / 1000;
  const [child] = listChildren(worker.process.pid ?? 0);
  const memory = [peakRss(worker.process.pid), child === undefined ? 0 : peakRss(child)].map(
    (mb) => `${number(mb)} MB`,
  );
  const atRest = getSize(path.join(dataDir, 'blobs'));
  database.close();
  bench.goal({ what: 'Compaction', aim: { atLeast: 100_000 }, measured: logs / seconds, unit: ' logs/s' });
  const most = Math.max(peakRss(worker.process.pid), child === undefined ? 0 : peakRss(child));
  bench.goal({ what: 'Compaction: memory', aim: { atMost: 1000 }, measured: most, unit: ' MB' });
  worker.process.kill();
  return [
    '## From batches to files',
    'One process turns logs in SQLite into files, without duplicates. Limits: 100,000 logs/s, 1 GB.',
    table(
      ['logs', 'logs/s', 'bytes per waiting log', 'files', 'peak memory of the server', 'of the telemetry process'],
      [[number(logs), number(logs / seconds), number(bytes / logs, 1), `${number(atRest / 1e6, 1)} MB`, ...memory]],
    ),
  ].join('\n\n');
}
