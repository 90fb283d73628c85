import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Bench, median, number, rss, table } from '../harness.ts';

interface Figures {
  envelopesPerSecond: number;
  bad: number;
  p99: number;
  readP99: number;
}

const script = path.join(import.meta.dirname, '../load/envelope-load.ts');

async function run<T>(...args: string[]): Promise<T> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args]);
  return JSON.parse(stdout) as T;
}

const engines = [
  { engine: 'SQLite', atLeast: 0.3 },
  { engine: 'PostgreSQL', atLeast: 0.17 },
] as const;

/** Envelopes of Sentry SDKs, acknowledged when they are on disk, compared to parsing on one core. */
export async function compareEnvelopes(bench: Bench): Promise<string> {
  const rounds = bench.isQuick ? 1 : 5;
  const seconds = bench.isQuick ? 3 : 15;
  const rows: string[][] = [];
  const parsed: number[] = [];
  for (const { engine, atLeast } of engines) {
    const databaseUrl = engine === 'PostgreSQL' ? await bench.postgresDatabase('envelopes') : undefined;
    const start = (name: string, env: Record<string, string>, database = databaseUrl) =>
      bench.startMooring(name, {
        dataDir: bench.at(`${name} ${engine}`),
        ...(database ? { databaseUrl: database } : {}),
        env,
      });
    // Processing of the batches is not measured here.
    const server = await start(`Mooring on ${engine}`, { MOORING_ROLES: 'api' });
    await run<Figures>(String(server.port), '2');
    const all: Figures[] = [];
    for (let round = 0; round < rounds; round += 1) {
      parsed.push(
        (await run<{ envelopesPerSecond: number }>('parse', String(Math.min(seconds, 5)))).envelopesPerSecond,
      );
      all.push(await run<Figures>(String(server.port), String(seconds)));
    }
    const memory = rss(server.process);
    server.process.kill();
    const whole = await start(
      `All of Mooring on ${engine}`,
      {},
      databaseUrl && (await bench.postgresDatabase('envelopes_seen')),
    );
    const { visibleMs } = await run<{ visibleMs: number }>(String(whole.port), 'visible');
    whole.process.kill();
    const of = (pick: (each: Figures) => number) => median(all.map(pick));
    const perSecond = of((each) => each.envelopesPerSecond);
    const share = perSecond / median(parsed);
    const readP99 = of((each) => each.readP99);
    const name = `Durable envelopes on ${engine}`;
    bench.goal({ what: `${name}, of JSON.parse`, aim: { atLeast }, measured: share, digits: 2 });
    bench.goal({
      what: `${name}: p99 of a concurrent read`,
      aim: { atMost: 5 },
      measured: readP99,
      unit: ' ms',
      digits: 1,
    });
    bench.goal({ what: `${name}: memory`, aim: { atMost: 320 }, measured: memory, unit: ' MB' });
    bench.goal({
      what: `From an envelope to its crash in the list on ${engine}, p99`,
      aim: { atMost: 2 },
      measured: visibleMs / 1000,
      unit: ' s',
      digits: 1,
    });
    rows.push([
      server.name,
      number(perSecond),
      number(share, 2),
      `${number(
        of((each) => each.p99),
        1,
      )} ms`,
      `${number(readP99, 1)} ms`,
      `${number(visibleMs / 1000, 1)} s`,
      `${number(memory)} MB`,
      String(all.reduce((sum, { bad }) => sum + bad, 0)),
    ]);
  }
  const head = [
    'server',
    'envelopes/s',
    'of JSON.parse',
    'p99 of an envelope',
    'p99 of a concurrent read',
    'until the crash is visible',
    'memory',
    'not 200',
  ];
  return [
    '## Envelopes of Sentry SDKs',
    `One crash with 30 frames and 30 breadcrumbs, and its session, per envelope, compressed with gzip, on 32 connections; each gets its response when it is on disk. In parallel, a client reads an account. The reference is \`JSON.parse\` alone on the same bodies on one core: ${number(median(parsed))} envelopes/s. Limits: 0.30 on SQLite, 0.17 on PostgreSQL; a read within 5 ms; a crash is in the list within 2 s.`,
    table(head, rows),
  ].join('\n\n');
}
