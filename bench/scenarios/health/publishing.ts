import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { listUrl } from '../../fixtures/health-fixtures.ts';
import { seedHealth } from '../../fixtures/health-seed.ts';
import { type Bench, load, median, number, table } from '../../harness.ts';

const RATE = 1000;

/** How fast events can be published, and the cost for a client that lists at the same time. */
export async function measurePublishing(bench: Bench, count: number): Promise<string> {
  const rounds = bench.isQuick ? 1 : 3;
  const seconds = bench.isQuick ? 2 : 3;
  const dataDir = bench.at('publishing');
  const location = path.join(dataDir, 'mooring.db');
  const tokensFile = bench.at('publishing.token');
  writeFileSync(tokensFile, await seedHealth(location, count));
  const server = await bench.startMooring('Mooring on SQLite', { dataDir });
  const list = (url: string) => load(server, { path: url, tokensFile, seconds }).perSecond;

  /** The publisher runs a little longer than the lister. */
  const publish = (how: string, rate: number) => {
    const [where, file] = how === 'one-by-one' ? [String(server.port), tokensFile] : [location, '-'];
    const script = path.join(import.meta.dirname, '../../publish.ts');
    const args = [script, how, where, file, String(rate), String(seconds + 1)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    return text(child.stdout).then((printed) => (JSON.parse(printed) as { perSecond: number }).perSecond);
  };

  const rows: string[][] = [];
  for (const how of ['in-batches', 'one-by-one']) {
    const fastest = await publish(how, 1_000_000);
    for (const [which, url] of [
      ['cached', listUrl(count)],
      ['computed', `${listUrl(count)}&n={n}`],
    ] as const) {
      const [alone, beside, published]: number[][] = [[], [], []];
      for (let round = 0; round < rounds; round++) {
        alone?.push(list(url));
        const publishing = publish(how, RATE);
        beside?.push(list(url));
        published?.push(await publishing);
      }
      const [before, after, rate] = [alone, beside, published].map((figures) => median(figures ?? []));
      const share = number((after ?? 0) / (before ?? 1), 2);
      rows.push([how, which, number(fastest), number(before ?? 0), number(rate ?? 0), number(after ?? 0), share]);
    }
  }
  server.process.kill();
  const head = [
    'published',
    'pages',
    'max. published/s',
    'pages/s alone',
    'then published/s',
    'pages/s meanwhile',
    'ratio',
  ];
  return [
    `### Publishing on SQLite, ${number(count)} events and more`,
    `In batches of 100, in a separate process, as an import does; and one by one over HTTP on 16 connections. First as fast as possible without other load, then ${number(RATE)} per second while 64 connections list as fast as they can, ${rounds} rounds of ${seconds} s, medians.`,
    table(head, rows),
  ].join('\n\n');
}
