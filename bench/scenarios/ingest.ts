import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '../../tools/programs.mjs';
import { ensureClientInstalled } from '../../tools/setup.mjs';
import { LOGS } from '../fixtures/ingest-batches.ts';
import { type Bench, type Contestant, median, number, rss, table } from '../harness.ts';
import type { PeerName } from '../load/ingest-peers.ts';

interface Figures {
  logsPerSecond: number;
  bad: number;
  p99: number;
  readP99: number;
}

const script = path.join(import.meta.dirname, '../load/ingest-load.ts');

/** Sends as fast as logs are acknowledged; `parse` only parses. */
export async function sendLogs(where: string, seconds: number, peer?: PeerName): Promise<Figures> {
  const args = [script, where, String(seconds), ...(peer ? [peer] : [])];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Figures;
}

type Entry = Contestant & { peer?: PeerName };

/** Alternative servers for such logs, if they are available here. */
async function startPeers(bench: Bench): Promise<Entry[]> {
  const file = (name: string, content: string) => {
    writeFileSync(bench.at(name), content);
    return bench.at(name);
  };
  const at = (name: string) => path.join(import.meta.dirname, '../peers', name);
  ensureClientInstalled('bench/peers/parse');
  const parse = file('ingest-parse.json', await bench.postgresDatabase('ingest_parse'));
  const entries: Entry[] = [
    { ...(await bench.startScript('parse-server 9.10.0 on PostgreSQL', at('parse/server.cjs'), parse)), peer: 'parse' },
  ];
  const influxd = findProgram('InfluxDB');
  if (influxd === undefined) return entries;
  const influxdb = await bench.startScript('InfluxDB 1.6', at('influxdb.ts'), file('influxdb', influxd));
  return [{ ...influxdb, peer: 'influxdb' }, ...entries];
}

/** Ingestion of logs, acknowledged when they are on disk, compared to parsing on one core. */
export async function compareIngestion(bench: Bench): Promise<string> {
  const rounds = bench.isQuick ? 1 : 5;
  const seconds = bench.isQuick ? 3 : 15;
  const servers: Entry[] = [];
  for (const engine of ['SQLite', 'PostgreSQL'] as const) {
    const databaseUrl = engine === 'PostgreSQL' ? await bench.postgresDatabase('ingest') : undefined;
    // Processing of the batches is not measured here.
    const env = { MOORING_ROLES: 'api' };
    servers.push(
      await bench.startMooring(`Mooring on ${engine}`, { dataDir: bench.at(`ingest-${engine}`), databaseUrl, env }),
    );
  }
  servers.push(...(await startPeers(bench)));
  const parsed: number[] = [];
  const figures = new Map(servers.map((server) => [server, [] as Figures[]]));
  for (const server of servers) await sendLogs(String(server.port), 2, server.peer);
  for (let round = 0; round < rounds; round++) {
    parsed.push((await sendLogs('parse', Math.min(seconds, 5))).logsPerSecond);
    for (const server of servers) figures.get(server)?.push(await sendLogs(String(server.port), seconds, server.peer));
  }
  const measure = median(parsed);
  const rows = servers.map((server) => {
    const all = figures.get(server) ?? [];
    const of = (pick: (each: Figures) => number) => median(all.map(pick));
    const perSecond = of((each) => each.logsPerSecond);
    const memoryMb = server.peer ? 0 : rss(server.process);
    const memory = server.peer ? '' : `${number(memoryMb)} MB`;
    server.process.kill();
    if (!server.peer) {
      const atLeast = server.name.endsWith('SQLite') ? 0.32 : 0.17;
      const name = `Durable ingestion, ${server.name}`;
      bench.goal({ what: `${name}, of JSON.parse`, aim: { atLeast }, measured: perSecond / measure, digits: 2 });
      const readP99 = of((each) => each.readP99);
      bench.goal({
        what: `${name}: p99 of a concurrent read`,
        aim: { atMost: 5 },
        measured: readP99,
        unit: ' ms',
        digits: 1,
      });
      bench.goal({ what: `${name}: memory`, aim: { atMost: 300 }, measured: memoryMb, unit: ' MB' });
    } else {
      const ours = median((figures.get(servers[1] ?? server) ?? []).map((each) => each.logsPerSecond));
      bench.goal({
        what: `Ingestion on PostgreSQL against ${server.name}`,
        aim: { atLeast: 1 },
        measured: ours / perSecond,
        unit: ' ×',
        digits: 1,
      });
    }
    return [
      server.name,
      number(perSecond),
      number(perSecond / measure, 2),
      `${number(
        of((each) => each.p99),
        1,
      )} ms`,
      server.peer
        ? ''
        : `${number(
            of((each) => each.readP99),
            1,
          )} ms`,
      memory,
      String(all.reduce((sum, each) => sum + each.bad, 0)),
    ];
  });
  const head = ['server', 'logs/s', 'of JSON.parse', 'p99 of a batch', 'p99 of a concurrent read', 'memory', 'not 200'];
  return [
    '## Ingestion of logs',
    `${LOGS} logs of about 600 bytes per request, compressed with gzip, on 32 connections; each gets its response when the logs are on disk. Other servers get the same logs in their own format: a point or an object each. In parallel, a client reads an account. The reference is \`JSON.parse\` alone on the same bodies on one core: ${number(measure)} logs/s. Limits: 0.32 on SQLite, 0.17 on PostgreSQL; a read within 5 ms.`,
    table(head, rows),
    ...(servers.some(({ peer }) => peer === 'influxdb')
      ? []
      : ['InfluxDB is not installed, so it was not measured (Debian 12: `influxdb`, or `MOORING_BENCH_INFLUXDB`).']),
  ].join('\n\n');
}
