import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { seedTokens } from '../fixtures/seed.ts';
import { type Bench, number, rss, table } from '../harness.ts';

const TOKENS = 5000;
const SHARE = 0.7;

interface Figures {
  perSecond: number;
  bad: number;
  p50: number;
  p99: number;
  p99Writes: number;
}

/** Eight reads to two writes: first at the maximum rate, then for minutes at 70% of it. */
export async function loadMixed(bench: Bench): Promise<string> {
  const seconds = bench.isQuick ? 10 : 300;
  const rows: string[][] = [];
  const memories: string[] = [];
  for (const engine of ['SQLite', 'PostgreSQL'] as const) {
    const dataDir = bench.at(`mixed-${engine}`);
    const databaseUrl = engine === 'PostgreSQL' ? await bench.postgresDatabase('mixed') : undefined;
    const tokens = await seedTokens(databaseUrl ?? path.join(dataDir, 'mooring.db'), TOKENS, TOKENS);
    const tokensFile = bench.at(`mixed-${engine}.tokens`);
    writeFileSync(tokensFile, tokens.join('\n'));
    const server = await bench.startMooring(`Mooring on ${engine}`, { dataDir, databaseUrl });
    const drive = async (rate: number, duration: number): Promise<Figures> => {
      const script = path.join(import.meta.dirname, '../load/mixed-load.ts');
      const args = [script, String(server.port), tokensFile, String(rate), String(duration)];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      return JSON.parse(stdout) as Figures;
    };
    await drive(0, 3);
    const peak = await drive(0, bench.isQuick ? 3 : 10);
    const memory = [rss(server.process)];
    const steady = drive(Math.round(peak.perSecond * SHARE), seconds);
    for (let part = 0; part < 5; part++) {
      await sleep((seconds * 1000) / 5);
      memory.push(rss(server.process));
    }
    const { perSecond, bad, p50, p99, p99Writes } = await steady;
    server.process.kill();
    bench.goal({ what: `Mixed load, p99 on ${engine}`, aim: { atMost: 25 }, measured: p99, unit: ' ms', digits: 1 });
    const ms = [p50, p99, p99Writes].map((figure) => `${number(figure, 1)} ms`);
    rows.push([engine, number(peak.perSecond), number(perSecond), ...ms, String(bad)]);
    memories.push(`${engine} ${memory.map((mb) => number(mb)).join(', ')} MB`);
  }
  const head = ['database', 'peak/s', 'then/s', 'p50', 'p99', 'p99 of writes', 'failed'];
  return [
    '## A mixed load: eight reads to two writes',
    `Reads: own account, a page of apps, a page of health events. Writes: a token created and deleted, an app changed, an event published. 64 connections; the peak over ${bench.isQuick ? 3 : 10} s, then ${number(seconds)} s at ${SHARE * 100}% of it, at fixed times: a request that starts late counts from its scheduled time.`,
    table(head, rows),
    `Memory of the server, after the peak and then every ${seconds / 5} s: ${memories.join('; ')}.`,
  ].join('\n\n');
}
